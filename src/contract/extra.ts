import { Type, type Static } from 'typebox';

import { ExtraErrorAnswer, extraErrors, searchKinds } from './extra-errors.ts';
import { errors } from './errors.ts';
import { documentOf } from './openapi-document.ts';
import { parameters, type Parameter } from './parameters.ts';
import { refusal, refusals, refusalsEverywhere, type Refusal } from './refusals.ts';
import { link, nullable, oneOf, slug, strictObject, text } from './scalars.ts';

// The contract of `/api/extra/v1`. These endpoints are ours, and no part of the specification.

const next = nullable(
  link('Full address of the next page. Fetch it unchanged. Null when this is the last page.'),
);

const FoundThing = strictObject('A thing whose name was found.', {
  kind: oneOf(searchKinds, 'What it is.'),
  key: text('Its slug, or the public id of a player: what the paths of `/api/v1` take.'),
  name: text('Its name.'),
  detail: nullable(
    text(
      'What tells things of one name apart: the first day and the place, or the club and the newest event of a player.',
    ),
  ),
  url: nullable(link('Its page on the website. Null for a player when the website has no pages.')),
});
export type FoundThing = Static<typeof FoundThing>;

const FoundThings = strictObject('What the search found.', {
  data: Type.Array(FoundThing, { description: 'At most 20 things of each kind.' }),
  next: Type.Null({ description: 'There is only one page. Ask for more of the name instead.' }),
});

const Change = strictObject('A thing to fetch again.', {
  kind: oneOf(
    ['tournament', 'club', 'battle'],
    'What it is. A tournament also stands for its standings and participants.',
  ),
  key: text('Its slug, or the id of a battle.'),
  change: oneOf(['changed', 'gone'], '`changed`: it came or changed. `gone`: it is no longer published.'),
  revision: Type.Integer({
    description:
      'The `ETag` of an answer begins with its revision. An answer with a lower one is older than this change.',
  }),
  tournament: nullable(slug('The tournament of a battle. Null for a casual battle and for other things.')),
});

const ChangeList = strictObject('A page of changes.', {
  data: Type.Array(Change, { description: 'Each thing once, in the order of the latest changes.' }),
  next,
  after: text('The place that this page reaches. Ask with it for what comes later.'),
});

const asked: Parameter<'q'> = {
  name: 'q',
  in: 'query',
  required: true,
  description: 'Words of a name, in any order. The beginning of a word is enough.',
  schema: Type.String({ minLength: 1, maxLength: 100 }),
  example: 'harbour lights',
};
const kind: Parameter<'kind'> = {
  name: 'kind',
  in: 'query',
  required: false,
  description: 'Only things of this kind.',
  schema: Type.Unsafe<string>({ type: 'string', enum: searchKinds }),
};
const after: Parameter<'after'> = {
  name: 'after',
  in: 'query',
  required: false,
  description:
    'The `after` of an earlier answer. Without it the answer has no data, and the newest place: where a new follower begins.',
  schema: Type.String({ pattern: '^[0-9a-f]{12}\\.[0-9]{1,18}$' }),
};

export const extraParameters = { Asked: asked, Kind: kind, After: after, Limit: parameters.Limit };

const { malformedRequest, bodyNotAllowed, limitNotPositive, limitTooLarge, limitTwice } = errors;
const malformed = { malformedRequest, bodyNotAllowed };
const { placeGone, invalidAfter, ...ofSearch } = extraErrors;
const everywhere = Object.fromEntries(refusalsEverywhere.map((name) => [name, refusals[name]]));
const extraRefusals: Readonly<Record<string, Refusal>> = {
  BadSearch: refusal('The request could not be read, or asks for nothing that can be looked for.', {
    ...malformed,
    ...ofSearch,
  }),
  BadChanges: refusal('The request could not be read, or asks for an impossible page.', {
    ...malformed,
    limitNotPositive,
    limitTooLarge,
    limitTwice,
    invalidAfter,
  }),
  PlaceGone: refusal(
    'Changes after this place are no longer known: it is older than 90 days, or the operator has restored a backup.',
    { placeGone },
  ),
  ...everywhere,
};

const allOf = (...names: string[]) =>
  [...names, ...refusalsEverywhere].toSorted(
    (a, b) => (extraRefusals[a]?.status ?? 0) - (extraRefusals[b]?.status ?? 0),
  );

export const extraEndpoints = [
  {
    operationId: 'search',
    method: 'get',
    path: '/api/extra/v1/search',
    tag: 'Search',
    summary: 'Find an id by a name',
    description:
      'Published tournaments, clubs and players whose names have these words: the search of the website.',
    pathParameters: [],
    queryParameters: ['Asked', 'Kind'],
    answer: FoundThings,
    allRefusals: allOf('BadSearch'),
  },
  {
    operationId: 'listChanges',
    method: 'get',
    path: '/api/extra/v1/changes',
    tag: 'Changes',
    summary: 'Learn what changed',
    description:
      'What to fetch again, for a bot or a copy. Begin without `after`, read what you need, then ask with the `after` ' +
      'of the last answer. Changes are kept for 90 days.',
    pathParameters: [],
    queryParameters: ['After', 'Limit'],
    answer: ChangeList,
    allRefusals: allOf('BadChanges', 'PlaceGone'),
  },
] as const;

export type ExtraOperationId = (typeof extraEndpoints)[number]['operationId'];

type Examples = {
  readonly [E in (typeof extraEndpoints)[number] as E['operationId']]: Readonly<
    Record<string, { readonly summary: string; readonly value: Static<E['answer']> }>
  >;
};
const address = 'https://api.wartable.example/api/extra/v1';
export const extraExamples: Examples = {
  search: {
    twoKinds: {
      summary: 'A tournament and a player',
      value: {
        data: [
          {
            kind: 'tournament',
            key: 'harbour-lights-gt-2026',
            name: 'Harbour Lights GT 2026',
            detail: '2026-04-18 · Porto das Garças, Portugal',
            url: 'https://wartable.example/tournaments/harbour-lights-gt-2026',
          },
          {
            kind: 'player',
            key: 'p_7Kd2mQ',
            name: 'Inês Carvalho',
            detail: 'Lantern Street Gamers · Harbour Lights GT 2026',
            url: null,
          },
        ],
        next: null,
      },
    },
  },
  listChanges: {
    page: {
      summary: 'A result, and a battle that was removed',
      value: {
        data: [
          {
            kind: 'tournament',
            key: 'harbour-lights-gt-2026',
            change: 'changed',
            revision: 1776528000123456,
            tournament: null,
          },
          {
            kind: 'battle',
            key: 'b_9fXw41',
            change: 'gone',
            revision: 1776527000123456,
            tournament: 'harbour-lights-gt-2026',
          },
        ],
        next: `${address}/changes?limit=2&after=4f1c09d2a7be.1041`,
        after: '4f1c09d2a7be.1041',
      },
    },
    nothingNew: {
      summary: 'The newest place',
      value: { data: [], next: null, after: '4f1c09d2a7be.1041' },
    },
  },
};

const description = `Endpoints that are no part of the specification of \`/api/v1\`. Keys, errors, limits, headers
and \`ETag\`s are the same.

Ignore members that you do not know: a later version may add some.`;

/** The contract of `/api/extra/v1` as an OpenAPI 3.1 document. */
export function extraDocument() {
  return documentOf({
    title: 'Wartable extra API',
    summary: 'Find an id, and learn what changed',
    description,
    tags: [
      { name: 'Search', description: 'Find ids by names.' },
      { name: 'Changes', description: 'What to fetch again.' },
    ],
    endpoints: extraEndpoints,
    shapes: { FoundThing, FoundThings, Change, ChangeList, ErrorAnswer: ExtraErrorAnswer },
    parameters: { ...extraParameters, IfNoneMatch: parameters.IfNoneMatch },
    refusals: extraRefusals,
    examples: extraExamples,
    errorAnswer: ExtraErrorAnswer,
  });
}
