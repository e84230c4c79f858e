import { documentOf } from '../openapi-document.ts';
import { parameters } from '../parameters.ts';
import { extraEndpoints, extraParameters, extraRefusals } from './endpoints.ts';
import { ExtraErrorAnswer } from './errors.ts';
import { extraExamples } from './examples.ts';
import * as shapes from './shapes.ts';

const description = `Endpoints that are no part of the specification of \`/api/v1\`. Keys, errors, limits, headers
and \`ETag\`s are the same.

Ignore members that you do not know: a later version may add some.`;

/** The contract of `/api/extra/v1` as an OpenAPI 3.1 document. */
export function extraDocument() {
  const { PublicId, TournamentSlug, IfNoneMatch } = parameters;
  return documentOf({
    title: 'Wartable extra API',
    summary: 'Find an id, learn what changed, and see what is played',
    description,
    tags: [
      { name: 'Search', description: 'Find ids by names.' },
      { name: 'Changes', description: 'What to fetch again.' },
      { name: 'Players', description: 'The tournaments of one player.' },
      { name: 'Tournaments', description: 'What is played now.' },
    ],
    endpoints: extraEndpoints,
    shapes: { ...shapes, ErrorAnswer: ExtraErrorAnswer },
    parameters: { ...extraParameters, PublicId, TournamentSlug, IfNoneMatch },
    refusals: extraRefusals,
    examples: extraExamples,
    errorAnswer: ExtraErrorAnswer,
  });
}
