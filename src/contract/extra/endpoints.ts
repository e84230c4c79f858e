import { Type } from 'typebox';

import { errors } from '../errors.ts';
import { parameters, type Parameter, queryParameter } from '../parameters.ts';
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
  ...queryParameter(
    'q',
    Type.String({ minLength: 1, maxLength: 100 }),
    'Words from a name, in any order. The beginning of a word is enough.',
  ),
  required: true,
  example: 'harbour lights',
};
const kind = queryParameter(
  'kind',
  Type.Unsafe<string>({ type: 'string', enum: searchKinds }),
  'Only things of this kind.',
);
const after = queryParameter(
  'after',
  Type.String({ pattern: '^[0-9a-f]{12}\\.[0-9]{1,18}$' }),
  'The `after` from an earlier answer. Without it, the answer has no data, only the `after` from which a new follower begins.',
);
const window = queryParameter(
  'window',
  Type.Unsafe<string>({ type: 'string', enum: windowNames, default: 'year' }),
  'The latest month that counts, the latest 3 or 12 months, or all months. The default is `year`.',
);
const pack: Parameter<'pack'> = {
  ...queryParameter(
    'pack',
    Type.String({ maxLength: 200 }),
    'Only tournaments with exactly this battle pack.',
  ),
  example: 'Ledger 2026',
};
const length = queryParameter(
  'length',
  Type.Unsafe<string>({ type: 'string', enum: lengths }),
  '`long`: only tournaments with at least five rounds.',
);

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
  BadSearch: refusal('The request could not be read, or contains nothing to search for.', {
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
    'The changes after this `after` are no longer known, because it is older than 90 days or the operator has restored a backup.',
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
    path: '/api/extra/v1/search',
    tag: 'Search',
    summary: 'Find an id by name',
    description:
      'Finds published tournaments, clubs and players whose names contain these words, as the search on the website does.',
    pathParameters: [],
    queryParameters: ['Asked', 'Kind'],
    answer: FoundThings,
    allRefusals: allOf('BadSearch'),
  },
  {
    operationId: 'listChanges',
    path: '/api/extra/v1/changes',
    tag: 'Changes',
    summary: 'Learn what changed',
    description:
      'Tells a bot or a copy what to fetch again. Begin without `after`, read what you need, then ask with the `after` ' +
      'from the last answer. Changes are kept for 90 days.',
    pathParameters: [],
    queryParameters: ['After', 'Limit'],
    answer: ChangeList,
    allRefusals: allOf('BadChanges', 'ChangesGone'),
  },
  {
    operationId: 'listPlayerTournaments',
    path: '/api/extra/v1/players/{publicId}/tournaments',
    tag: 'Players',
    summary: 'List the tournaments of a player',
    description:
      'Published tournaments that the player plays or played, latest start date first, with placement and record. ' +
      'Tournaments without a date come last.',
    pathParameters: ['PublicId'],
    queryParameters: ['StartsFrom', 'StartsTo', 'Cursor', 'Limit'],
    answer: PlayerTournamentList,
    allRefusals: allOf('BadWindow', 'PlayerNotFound'),
  },
  {
    operationId: 'listPlayerOpponents',
    path: '/api/extra/v1/players/{publicId}/opponents',
    tag: 'Players',
    summary: 'See the record of a player against each opponent',
    description:
      'Counts the battles with a result among the newest 1,000 that `/api/v1/users/{publicId}/battles` lists. ' +
      'Opponents without an account are left out, because a name alone does not say who it was.',
    pathParameters: ['PublicId'],
    queryParameters: [],
    answer: OpponentRecords,
    allRefusals: allOf('BadRequest', 'PlayerNotFound'),
  },
  {
    operationId: 'listFactions',
    path: '/api/extra/v1/factions',
    tag: 'Factions',
    summary: 'See the win rates of the factions',
    description:
      'The numbers that the factions page shows. Finished, dated tournaments count, in the month of their start. Casual ' +
      'battles, byes and mirror matches do not count. The battles of one player are not independent of each other, ' +
      'so the real uncertainty is larger than the interval shows.',
    pathParameters: [],
    queryParameters: ['Window', 'Pack', 'Length'],
    answer: FactionRates,
    allRefusals: allOf('BadFactions'),
  },
  {
    operationId: 'getTournamentNow',
    path: '/api/extra/v1/tournaments/{slug}/now',
    tag: 'Tournaments',
    summary: 'See what is being played now',
    description:
      'The current round of each stage in play, with every pairing, for overlays and screens. This is what the page of a ' +
      'running tournament shows. Empty before the first pairing, after the end, and once the day after its last day is over.',
    pathParameters: ['TournamentSlug'],
    queryParameters: [],
    answer: CurrentRounds,
    allRefusals: allOf('BadRequest', 'TournamentNotFound'),
  },
] as const;

export type ExtraOperationId = (typeof extraEndpoints)[number]['operationId'];
