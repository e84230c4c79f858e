import * as armyList from './army-list.ts';
import * as battle from './battle.ts';
import * as club from './club.ts';
import { endpoints, refusalsOf } from './endpoints.ts';
import { ErrorAnswer } from './errors.ts';
import { examples } from './examples.ts';
import * as list from './list.ts';
import { documentOf, operator } from './openapi-document.ts';
import { parameters } from './parameters.ts';
import * as participant from './participant.ts';
import { refusals } from './refusals.ts';
import * as standings from './standings.ts';
import * as tournament from './tournament.ts';

const modules = [armyList, battle, club, list, participant, standings, tournament, { ErrorAnswer }];

/** A shape has the name of its constant, which begins with a capital letter. */
const shapes = Object.fromEntries(
  modules.flatMap(Object.entries<unknown>).filter(([name]) => /^[A-Z]/.test(name)),
);

/** The whole contract as an OpenAPI 3.1 document. */
export function openapiDocument() {
  return documentOf({
    title: 'Wartable API',
    summary: 'Results of tabletop-wargame tournaments',
    description,
    tags: [
      { name: 'Tournaments', description: 'Tournaments, their participants and their standings.' },
      { name: 'Clubs', description: 'Clubs, their tournaments and their battles.' },
      { name: 'Players', description: 'The battles of one player.' },
      { name: 'Battles', description: 'Single battles.' },
    ],
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, allRefusals: refusalsOf(endpoint) })),
    shapes,
    parameters,
    refusals,
    examples,
    errorAnswer: ErrorAnswer,
  });
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
export function installed(contract: ReturnType<typeof documentOf>, installation: Installation) {
  const { apiUrl, siteName, pageBases, termsUrl, contactUrl } = installation;
  let text = JSON.stringify(contract).replaceAll('https://api.wartable.example', apiUrl);
  for (const [folder, base] of Object.entries(pageBases))
    text = text.replaceAll(`https://wartable.example/${folder}/`, base);
  const document = JSON.parse(text) as typeof contract;
  const contact = contactUrl?.startsWith('mailto:')
    ? { ...operator, email: contactUrl.slice('mailto:'.length) }
    : { ...operator, url: contactUrl };
  return {
    ...document,
    info: {
      ...document.info,
      title: document.info.title.replace('Wartable', () => siteName),
      ...(termsUrl === undefined ? {} : { termsOfService: termsUrl }),
      ...(contactUrl === undefined ? {} : { contact }),
    },
    servers: [{ url: apiUrl }],
  };
}

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
