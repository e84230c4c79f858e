import { documentOf } from './document-of.ts';
import { parameters } from '../../src/contract/parameters.ts';
import { extraEndpoints, extraParameters, extraRefusals } from '../../src/contract/extra/endpoints.ts';
import { ExtraErrorAnswer } from '../../src/contract/extra/errors.ts';
import { extraExamples } from './extra-examples.ts';
import * as shapes from '../../src/contract/extra/shapes.ts';

const description = `Endpoints that are not part of the specification of \`/api/v1\`. Keys, errors, limits, headers
and \`ETag\`s are the same.

Ignore members that you do not know: a later version may add some.`;

/** Returns the contract of `/api/extra/v1` as an OpenAPI 3.1 document. */
export function extraDocument() {
  const { PublicId, TournamentSlug, IfNoneMatch } = parameters;
  return documentOf({
    title: 'Wartable extra API',
    summary: 'Find an id, learn what changed, and see what is being played',
    description,
    tags: [
      { name: 'Search', description: 'Find ids by names.' },
      { name: 'Changes', description: 'What to fetch again.' },
      {
        name: 'Players',
        description: 'The tournaments of one player, and the record against each opponent.',
      },
      { name: 'Factions', description: 'How strong each faction is.' },
      { name: 'Tournaments', description: 'What is being played now.' },
    ],
    endpoints: extraEndpoints,
    shapes: { ...shapes, ErrorAnswer: ExtraErrorAnswer },
    parameters: { ...extraParameters, PublicId, TournamentSlug, IfNoneMatch },
    refusals: extraRefusals,
    examples: extraExamples,
    errorAnswer: ExtraErrorAnswer,
  });
}
