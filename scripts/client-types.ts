import { endpoints, type OperationId } from '../src/contract/endpoints.ts';
import { extraDocument } from './openapi/extra-document.ts';
import { extraEndpoints, type ExtraOperationId } from '../src/contract/extra/endpoints.ts';
import { openapiDocument } from './openapi/document.ts';

// Generates docs/recipes/client/wartable.d.mts, the types of wartable.mjs. TypeScript looks for this name
// beside an .mjs file.

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
}
interface Parameter {
  name: string;
  description: string;
  required: boolean;
  schema: Schema;
}
interface Contract {
  schemas: Record<string, Schema>;
  parameters: Record<string, Parameter>;
}

/** The methods, with their operations. A test calls each of them. */
const groups: Record<string, Record<string, OperationId | ExtraOperationId>> = {
  tournaments: {
    list: 'listTournaments',
    get: 'getTournament',
    standings: 'getTournamentStandings',
    participants: 'listTournamentParticipants',
    battles: 'listTournamentBattles',
    now: 'getTournamentNow',
  },
  clubs: { get: 'getClub', tournaments: 'listClubTournaments', battles: 'listClubBattles' },
  players: {
    battles: 'listPlayerBattles',
    tournaments: 'listPlayerTournaments',
    opponents: 'listPlayerOpponents',
  },
  factions: { list: 'listFactions' },
  battles: { get: 'getBattle' },
};

export function clientTypes(): string {
  const contract = openapiDocument().components as unknown as Contract;
  const extra = extraDocument().components as unknown as Contract;
  const shapes = Object.entries({ ...extra.schemas, ...contract.schemas })
    // The client unpacks lists and envelopes.
    .filter(
      ([name]) =>
        !/^(Single\w+|\w+List|FoundThings|CurrentRounds|ErrorAnswer|Standings)$/.test(name) ||
        name === 'ArmyList',
    )
    .map(([name, schema]) => `${comment(schema)}export interface ${name} ${typeOf(schema)}\n`);
  const [search, changes] = extraEndpoints;
  return `// Made from src/contract by \`npm run generate\`.

${shapes.join('\n')}
/** \`kind\` tells what \`data\` holds. */
export type Standings = (BoardStandings & { kind: 'board' }) | (BracketStandings & { kind: 'bracket' });

/** A change with the document that shows it: null when the thing is no longer published. */
export type ChangedThing = Change &
  (
    | { kind: 'tournament'; document: Tournament | null }
    | { kind: 'club'; document: Club | null }
    | { kind: 'battle'; document: BattleDetail | null }
  );

export interface Changes {
  /** Entries whose documents have at least their revisions. */
  data: ChangedThing[];
  /** Entries that the server does not know of yet. Give them to the next call. */
  pending: Change[];
  /** The point at which the next call continues. */
  after: string;
  /** True if there is another page already. */
  more: boolean;
}

/** Everything that can go wrong. */
export class WartableError extends Error {
  /** The status of the answer, or 0 if there was none. */
  status: number;
  /** A code of the API, or \`NO_ANSWER\`, \`NOT_THE_API\`, \`REDIRECT\` or \`FOREIGN_NEXT\`. */
  code: string;
  /** Quote it when you report a problem. */
  requestId: string | null;
  /** How many seconds to wait at least. */
  retryAfter: number | null;
}

export class Wartable {
  constructor(options: {
    /** The address before \`/api/\`. */
    baseUrl: string;
    key: string;
    /** The time for one request with its body. The default is 20. */
    timeoutSeconds?: number | undefined;
    /** Rows of one request. The default is 100, the most. */
    pageSize?: number | undefined;
  });
${Object.entries(groups)
  .map(([group, methods]) => `  readonly ${group}: {\n${Object.entries(methods).map(methodOf).join('')}  };`)
  .join('\n')}
  /** ${search.description} */
  search(q: string, options?: ${optionsOf(extra.parameters, search.queryParameters)}): Promise<FoundThing[]>;
  /** ${changes.description} */
  changes(
    after?: string | null,
    options?: {
      /** The value from the call before. */
      pending?: readonly Change[] | undefined;
      /** Selects the entries to fetch. The default is all. */
      wanted?: ((entry: Change) => boolean) | undefined;
    },
  ): Promise<Changes>;
  /** The standings at once, and whenever they change. Ends at the first look after \`signal\` is aborted. */
  watch(
    slug: string,
    options?: { stage?: string | undefined; everySeconds?: number | undefined; signal?: { readonly aborted: boolean } | undefined },
  ): AsyncGenerator<Standings, void, undefined>;
}
`;

  function methodOf([name, operationId]: [string, string]): string {
    const endpoint = [...endpoints, ...extraEndpoints].find((each) => each.operationId === operationId);
    if (endpoint === undefined) throw new Error(`There is no ${operationId}.`);
    const document = endpoint.path.includes('/extra/') ? extraDocument() : openapiDocument();
    const path = endpoint.pathParameters.map(
      (key) => `${contract.parameters[key]?.name === 'slug' ? 'slug' : 'id'}: string`,
    );
    const { parameters: known } = document.components as unknown as Contract;
    const options = optionsOf(known, endpoint.queryParameters);
    const parameters = [...path, ...(options === '' ? [] : [`options?: ${options}`])].join(', ');
    return `    /** ${endpoint.description} */\n    ${name}(${parameters}): ${answerOf(document, endpoint.path)};\n`;
  }
}

/** Returns the type of the options, without those for paging, because the client pages by itself. */
function optionsOf(parameters: Contract['parameters'], names: readonly string[]): string {
  const given = names
    .flatMap((name) => parameters[name] ?? [])
    .filter(({ name, required }) => !['cursor', 'limit'].includes(name) && !required);
  if (given.length === 0) return '';
  return `{ ${given.map(({ name, schema }) => `${name}?: ${typeOf(schema)} | undefined`).join('; ')} }`;
}

function answerOf(document: ReturnType<typeof openapiDocument>, path: string): string {
  const { paths, components } = document as unknown as {
    paths: Record<string, { get: { responses: { 200: { content: Record<string, { schema: Schema }> } } } }>;
    components: Contract;
  };
  const name = nameOf(paths[path]?.get.responses[200].content['application/json']?.schema);
  const data = components.schemas[name]?.properties?.['data'];
  if (data === undefined) return `Promise<${name}>`;
  const next = components.schemas[name]?.properties?.['next'];
  if (next === undefined) return `Promise<${typeOf(data)}>`;
  // An answer that has no further pages says more than its rows do.
  if (next.type === 'null') return `Promise<${name}>`;
  return data.items === undefined
    ? `Promise<${nameOf(data)}>`
    : `AsyncGenerator<${nameOf(data.items)}, void, undefined>`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'null':
    case 'boolean':
    case 'string':
    case 'number':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {});
      return schema.minItems === 2 && schema.maxItems === 2 ? `[${item}, ${item}]` : `${item}[]`;
    }
    case 'object':
      if (schema.properties === undefined)
        return `Record<string, ${typeOf(schema.additionalProperties ?? {})}>`;
      return `{\n${Object.entries(schema.properties).map(memberOf).join('')}}`;
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}`);
  }

  function memberOf([name, member]: [string, Schema]): string {
    const mark = schema.required?.includes(name) === true ? '' : '?';
    return `${comment(member)}  ${name}${mark}: ${typeOf(member)};\n`.replaceAll(/^(?=\/\*\*)/gm, '  ');
  }
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const nameOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1) ?? '';
const comment = ({ description }: Schema) => (description === undefined ? '' : `/** ${description} */\n`);
