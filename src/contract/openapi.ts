import { ArmyList } from './army-list.ts';
import { apiKeyPrefix } from './authentication.ts';
import { Battle, BattleDetail, BattlePlayer, BattlePlayerDetail, PlayerRound } from './battle.ts';
import { Club } from './club.ts';
import { endpoints, refusalsOf, type Endpoint, type OperationId } from './endpoints.ts';
import { ErrorAnswer, errorAnswer } from './errors.ts';
import { examples } from './examples.ts';
import { headers, headersOf } from './headers.ts';
import {
  BattleList,
  ParticipantList,
  SingleBattle,
  SingleClub,
  SingleTournament,
  TournamentList,
} from './list.ts';
import { parameters, type ParameterName } from './parameters.ts';
import { Participant } from './participant.ts';
import { refusals, type Refusal } from './refusals.ts';
import {
  BoardRow,
  BoardStage,
  BoardStandings,
  BracketMatch,
  BracketStage,
  BracketStandings,
  Standings,
} from './standings.ts';
import { Stage, Tournament, TournamentOrganizer } from './tournament.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const schemas = {
  Tournament,
  Stage,
  TournamentOrganizer,
  BoardRow,
  BracketMatch,
  BoardStage,
  BracketStage,
  BoardStandings,
  BracketStandings,
  Standings,
  Participant,
  ArmyList,
  Club,
  Battle,
  BattleDetail,
  BattlePlayer,
  BattlePlayerDetail,
  PlayerRound,
  TournamentList,
  ParticipantList,
  BattleList,
  SingleTournament,
  SingleClub,
  SingleBattle,
  ErrorAnswer,
};
const namesOfSchemas = new Map<unknown, string>(
  Object.entries(schemas).map(([name, shape]) => [shape, name]),
);

/** The whole contract as an OpenAPI 3.1 document. */
export function openapiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wartable API',
      version: '1.0.0',
      summary: 'Results of tabletop-wargame tournaments',
      description,
      contact: operator,
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The address of your installation.',
        variables: {
          base_url: { default: 'http://localhost:3000', description: 'Public address of the service.' },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Tournaments', description: 'Tournaments, their participants and their standings.' },
      { name: 'Clubs', description: 'Clubs, their tournaments and their battles.' },
      { name: 'Players', description: 'The battles of one player.' },
      { name: 'Battles', description: 'Single battles.' },
    ],
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, pathItem(endpoint)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key. It begins with \`${apiKeyPrefix}\`. The operator hands out the keys.`,
        },
      },
      schemas: mapValues(schemas, schema),
      parameters: mapValues(parameters, (parameter) => ({
        ...parameter,
        schema: withReferences(parameter.schema),
      })),
      headers: mapValues(headers, (header) => ({ ...header, schema: withReferences(header.schema) })),
      responses: {
        NotModified: notModified(),
        ...mapValues(refusals, refusalResponse),
      },
    },
  };
}

/** What the operator of an installation says about it. */
export interface Installation {
  apiUrl: string;
  siteName: string;
  /** What the addresses of pages begin with. */
  pageBases: Readonly<Record<string, string>>;
  /** The terms for the use of the data. Wartable has none of its own: its licence is about the software. */
  termsUrl?: string | undefined;
  /** A page, or `mailto:` and an address. */
  contactUrl?: string | undefined;
}

/** The contract as an installation serves it: with its address, so that people can try requests, terms and contact. */
export function openapiDocumentOf({ apiUrl, siteName, pageBases, termsUrl, contactUrl }: Installation) {
  let text = JSON.stringify(openapiDocument()).replaceAll('https://api.wartable.example', apiUrl);
  for (const [folder, base] of Object.entries(pageBases))
    text = text.replaceAll(`https://wartable.example/${folder}/`, base);
  const document = JSON.parse(text) as ReturnType<typeof openapiDocument>;
  const contact = contactUrl?.startsWith('mailto:')
    ? { ...operator, email: contactUrl.slice('mailto:'.length) }
    : { ...operator, url: contactUrl };
  return {
    ...document,
    info: {
      ...document.info,
      title: `${siteName} API`,
      ...(termsUrl === undefined ? {} : { termsOfService: termsUrl }),
      ...(contactUrl === undefined ? {} : { contact }),
    },
    servers: [{ url: apiUrl }],
  };
}

const operator = { name: 'The operator of this installation' };

const description = `A read-only API of tabletop-wargame tournaments, their standings, participants with armies, clubs
and battles.

Every request carries an API key as a bearer token. Answers are JSON. A list has \`data\` and \`next\`, the complete
address of the following page. A single thing has \`data\` alone. All refusals have one shape. An endpoint ignores
parameters that it does not know.

Answers carry a weak \`ETag\`. Send it back in \`If-None-Match\`: the answer to an unchanged document is an empty 304.
HEAD works wherever GET works. It has the status and headers of the GET and no body, and is not declared separately.

Web pages of any origin may call the API (CORS). Every address answers the preflight of a browser: an \`OPTIONS\` request
with \`Origin\` and \`Access-Control-Request-Method\`. Only a preflight needs no key, so a gateway must let it pass. It is
not declared separately.

Ignore members that you do not know: a later version of the specification may add some.`;

function pathItem(endpoint: Endpoint & { operationId: OperationId }) {
  return {
    [endpoint.method]: {
      operationId: endpoint.operationId,
      tags: [endpoint.tag],
      summary: endpoint.summary,
      description: endpoint.description,
      parameters: [...endpoint.pathParameters, ...endpoint.queryParameters, ifNoneMatch].map((name) =>
        reference('parameters', name),
      ),
      responses: {
        200: {
          description: 'The answer.',
          headers: responseHeaders(200),
          content: {
            'application/json': {
              schema: withReferences(endpoint.answer),
              examples: examples[endpoint.operationId],
            },
          },
        },
        304: reference('responses', 'NotModified'),
        ...Object.fromEntries(
          refusalsOf(endpoint).map((name) => [refusals[name].status, reference('responses', name)]),
        ),
      },
    },
  };
}

const ifNoneMatch: ParameterName = 'IfNoneMatch';

function notModified() {
  return {
    description: 'The answer has not changed since the given `ETag`.',
    headers: responseHeaders(304),
  };
}

function refusalResponse(refusal: Refusal) {
  return {
    description: refusal.description,
    headers: responseHeaders(refusal.status),
    content: {
      'application/json': {
        schema: withReferences(ErrorAnswer),
        examples: mapValues(refusal.errors, (error) => ({
          summary: error.message,
          value: errorAnswer(error),
        })),
      },
    },
  };
}

function responseHeaders(status: number) {
  return Object.fromEntries(headersOf(status).map(({ field, name }) => [field, reference('headers', name)]));
}

// Shapes contain one another as plain values, so that they can be checked and typed without a registry. The document
// defines each shape once: a shape inside another one becomes a reference.
function withReferences(shape: unknown): Json {
  const name = namesOfSchemas.get(shape);
  return name === undefined ? schema(shape) : reference('schemas', name);
}

function schema(shape: unknown): Json {
  if (Array.isArray(shape)) return shape.map(withReferences);
  if (typeof shape === 'object' && shape !== null) {
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([key, value]) => !isClosing(key, value))
        .map(([key, value]) => [key, withReferences(value)]),
    );
  }
  return shape as Json;
}

// We never send a member that is not in the contract, so our shapes are closed. The document is open: a client that was
// made from it must not refuse a member that a later version adds.
function isClosing(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && value === false;
}

function reference(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function mapValues<Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
