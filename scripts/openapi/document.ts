import { readdirSync } from 'node:fs';
import { endpoints, refusalsOf } from '../../src/contract/endpoints.ts';
import { ErrorAnswer } from '../../src/contract/errors.ts';
import { examples } from './examples.ts';
import { documentOf } from './document-of.ts';
import { parameters } from '../../src/contract/parameters.ts';
import { refusals } from '../../src/contract/refusals.ts';

const folder = new URL('../../src/contract/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
const modules = await Promise.all(
  files.map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
);

/** The shapes by name. A shape has the name of its constant, which begins with a capital letter. */
const shapes = Object.fromEntries(
  modules.flatMap((each) => Object.entries(each)).filter(([name]) => /^[A-Z]/.test(name)),
);

/** Returns the whole contract as an OpenAPI 3.1 document. */
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

const description = `A read-only API for tabletop-wargame tournaments, their standings, participants with army lists,
clubs and battles.

Every request carries an API key as a bearer token. Answers are JSON. A list has \`data\` and \`next\`, the complete
address of the following page. A single thing has only \`data\`. All refusals have the same shape. An endpoint ignores
parameters that it does not know.

Answers carry a weak \`ETag\`. Send it back in \`If-None-Match\`: the answer to an unchanged document is an empty 304.
HEAD works wherever GET works. It has the status and headers of the GET and no body, and is not declared separately.

Web pages of any origin may call the API (CORS). Every address answers the preflight of a browser: an \`OPTIONS\` request
with \`Origin\` and \`Access-Control-Request-Method\`. Only a preflight needs no key, so a gateway must let it pass. It is
not declared separately.

Ignore members that you do not know: a later version of the specification may add some.`;
