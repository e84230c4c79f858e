import { Type, type TSchema } from 'typebox';

import { datePattern, idPattern, slugPattern } from './patterns.ts';
import { tournamentStatuses } from './tournament.ts';

export const defaultLimit = 20;
export const maximumLimit = 100;

/**
 * The longest window: `to` is at most `from` plus this many calendar years. If `from` is 29 February, the
 * last day is 28 February.
 */
export const longestWindowInYears = 1;

// The schema describes what a caller should send. The server parses the values itself, because schema
// coercion accepts `1e1` as a number and has its own messages.
export interface Parameter<Name extends string = string> {
  readonly name: Name;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: unknown;
}

const tournamentSlug = path('slug', slugPattern, 'Short name of the tournament.', 'harbour-lights-gt-2026');
const clubSlug = path('slug', slugPattern, 'Short name of the club.', 'lantern-street-gamers');
const publicId = path(
  'publicId',
  idPattern,
  'Public player id, as in `playerId` elsewhere in the API.',
  'p_7Kd2mQ',
);
const battleId = path('id', idPattern, 'Id of the battle.', 'b_9fXw41');

const startsFrom = day('from', 'Leave out tournaments that begin before this day, and those without a date.');
const startsTo = day('to', 'Leave out tournaments that begin after this day, and those without a date.');
const playedFrom = day('from', 'Leave out battles played before this day, and those without a date.');
const playedTo = day('to', 'Leave out battles played after this day, and those without a date.');

const status = queryParameter(
  'status',
  Type.Unsafe<string>({ type: 'string', enum: tournamentStatuses }),
  'Only tournaments with this status.',
);
const stage = queryParameter(
  'stage',
  Type.String(),
  'Id of the stage to show, from `stages` of the tournament. The default is the merged final standings of a ' +
    'finished tournament, otherwise the stage that play has reached.',
);
const limit = queryParameter(
  'limit',
  Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit }),
  'Maximum number of items per page.',
);
const cursor = queryParameter(
  'cursor',
  Type.String(),
  'Where the page begins. Take it from `next`: callers cannot build a cursor themselves, and a cursor can expire.',
);
const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an answer you already have. If it is still current, the answer is an empty 304.',
  schema: Type.String(),
};

export const pathParameters = {
  TournamentSlug: tournamentSlug,
  ClubSlug: clubSlug,
  PublicId: publicId,
  BattleId: battleId,
} as const satisfies Record<string, Parameter>;
export type PathParameterName = keyof typeof pathParameters;

export const queryParameters = {
  StartsFrom: startsFrom,
  StartsTo: startsTo,
  PlayedFrom: playedFrom,
  PlayedTo: playedTo,
  Status: status,
  Stage: stage,
  Limit: limit,
  Cursor: cursor,
} as const satisfies Record<string, Parameter>;
export type QueryParameterName = keyof typeof queryParameters;

export const parameters = { ...pathParameters, ...queryParameters, IfNoneMatch: ifNoneMatch };

function path(name: string, pattern: string, description: string, example: string): Parameter {
  return { name, in: 'path', required: true, description, schema: Type.String({ pattern }), example };
}

export function queryParameter<const N extends string>(
  name: N,
  schema: TSchema,
  description: string,
): Parameter<N> {
  return { name, in: 'query', required: false, description, schema };
}

function day<const N extends 'from' | 'to'>(name: N, description: string): Parameter<N> {
  const window = '`from` and `to` may be at most one year apart.';
  const schema = Type.String({ format: 'date', pattern: datePattern });
  return queryParameter(name, schema, `${description} ${window}`);
}
