import { Type } from 'typebox';

import { errors } from '../errors.ts';
import { parameters, type Parameter } from '../parameters.ts';
import { refusal, refusals, refusalsEverywhere, type Refusal } from '../refusals.ts';
import { extraErrors, lengths, searchKinds, windowNames } from './errors.ts';
import {
  ChangeList,
  CurrentRounds,
  FactionRates,
  FoundThings,
  OpponentRecords,
  PlayerTournamentList,
} from './shapes.ts';

// The contract of `/api/extra/v1`. These endpoints are our own, and not part of the specification.

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
    'The `after` of an earlier answer. Without it, the answer has no data, but the `after` with which a new follower begins.',
  schema: Type.String({ pattern: '^[0-9a-f]{12}\\.[0-9]{1,18}$' }),
};
const window: Parameter<'window'> = {
  name: 'window',
  in: 'query',
  required: false,
  description: 'The newest month that counts, the newest 3 or 12 months, or all. Default: `year`.',
  schema: Type.Unsafe<string>({ type: 'string', enum: windowNames, default: 'year' }),
};
const pack: Parameter<'pack'> = {
  name: 'pack',
  in: 'query',
  required: false,
  description: 'Only tournaments with this battle pack, by its exact name.',
  schema: Type.String({ maxLength: 200 }),
  example: 'Ledger 2026',
};
const length: Parameter<'length'> = {
  name: 'length',
  in: 'query',
  required: false,
  description: '`long`: only tournaments with at least five rounds.',
  schema: Type.Unsafe<string>({ type: 'string', enum: lengths }),
};

const { Limit, Cursor, StartsFrom, StartsTo } = parameters;
export const extraParameters = {
  Asked: asked,
  Kind: kind,
  After: after,
  Window: window,
  Pack: pack,
  Length: length,
  Limit,
  Cursor,
  StartsFrom,
  StartsTo,
};

const { malformedRequest, bodyNotAllowed, limitNotPositive, limitTooLarge, limitTwice } = errors;
const malformed = { malformedRequest, bodyNotAllowed };
const { queryTooShort, queryTooLong, queryTwice, unknownKind, kindTwice } = extraErrors;
const { unknownWindow, windowTwice, packTooLong, packTwice, unknownLength, lengthTwice } = extraErrors;
const { sequenceNumberGone, invalidAfter } = extraErrors;
const everywhere = Object.fromEntries(refusalsEverywhere.map((name) => [name, refusals[name]]));
export const extraRefusals: Readonly<Record<string, Refusal>> = {
  BadSearch: refusal('The request could not be read, or asks for nothing that can be looked for.', {
    ...malformed,
    queryTooShort,
    queryTooLong,
    queryTwice,
    unknownKind,
    kindTwice,
  }),
  BadChanges: refusal('The request could not be read, or asks for an impossible page.', {
    ...malformed,
    limitNotPositive,
    limitTooLarge,
    limitTwice,
    invalidAfter,
  }),
  BadFactions: refusal('The request could not be read, or asks for numbers that do not exist.', {
    ...malformed,
    unknownWindow,
    windowTwice,
    packTooLong,
    packTwice,
    unknownLength,
    lengthTwice,
  }),
  ChangesGone: refusal(
    'The changes after this `after` are no longer known: it is older than 90 days, or the operator has restored a backup.',
    { sequenceNumberGone },
  ),
  BadWindow: refusals.BadWindow,
  BadRequest: refusals.BadRequest,
  PlayerNotFound: refusals.PlayerNotFound,
  TournamentNotFound: refusals.TournamentNotFound,
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
    allRefusals: allOf('BadChanges', 'ChangesGone'),
  },
  {
    operationId: 'listPlayerTournaments',
    method: 'get',
    path: '/api/extra/v1/players/{publicId}/tournaments',
    tag: 'Players',
    summary: 'List the tournaments of a player',
    description:
      'Published tournaments that the player plays or played, the latest start first, with place and record. ' +
      'Tournaments without a date come last.',
    pathParameters: ['PublicId'],
    queryParameters: ['StartsFrom', 'StartsTo', 'Cursor', 'Limit'],
    answer: PlayerTournamentList,
    allRefusals: allOf('BadWindow', 'PlayerNotFound'),
  },
  {
    operationId: 'listPlayerOpponents',
    method: 'get',
    path: '/api/extra/v1/players/{publicId}/opponents',
    tag: 'Players',
    summary: 'See the record of a player against each opponent',
    description:
      'Counts the battles with a result among the 1,000 newest that `/api/v1/users/{publicId}/battles` lists. ' +
      'Opponents without an account are left out, because a name alone does not say who it was.',
    pathParameters: ['PublicId'],
    queryParameters: [],
    answer: OpponentRecords,
    allRefusals: allOf('BadRequest', 'PlayerNotFound'),
  },
  {
    operationId: 'listFactions',
    method: 'get',
    path: '/api/extra/v1/factions',
    tag: 'Factions',
    summary: 'See the win rates of the factions',
    description:
      'What the page of the factions shows. Finished, dated tournaments count, in the month of their start; casual ' +
      'battles, byes and battles between equal factions do not. The battles of one player are not independent of ' +
      'each other, so the real uncertainty is larger than the interval says.',
    pathParameters: [],
    queryParameters: ['Window', 'Pack', 'Length'],
    answer: FactionRates,
    allRefusals: allOf('BadFactions'),
  },
  {
    operationId: 'getTournamentNow',
    method: 'get',
    path: '/api/extra/v1/tournaments/{slug}/now',
    tag: 'Tournaments',
    summary: 'See what is played now',
    description:
      'The round of each stage in play, with every pairing: what the page of a running tournament shows, for ' +
      'overlays and screens. Empty before the first pairing, after the end, and once the day after its last day is over.',
    pathParameters: ['TournamentSlug'],
    queryParameters: [],
    answer: CurrentRounds,
    allRefusals: allOf('BadRequest', 'TournamentNotFound'),
  },
] as const;

export type ExtraOperationId = (typeof extraEndpoints)[number]['operationId'];
