import { errors, unknownStage, type ApiError } from './errors.ts';

// The errors that an endpoint can give under one status. Endpoints with the same parameters share a refusal.
export interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly errors: Readonly<Record<string, ApiError>>;
}

const { malformedRequest, bodyNotAllowed, stageTwice, statusTwice, unknownStatus } = errors;
const malformed = { malformedRequest, bodyNotAllowed };
const page = pick('limitNotPositive', 'limitTooLarge', 'invalidCursor', 'limitTwice');
const window = pick('fromNotADate', 'toNotADate', 'fromAfterTo', 'windowTooLong', 'fromTwice', 'toTwice');
const key = pick('missingAuthorization', 'keyWithoutPrefix', 'keyRefused');
const stage = {
  tournamentNotFound: errors.tournamentNotFound,
  unknownStage: unknownStage(['swiss', 'knockout', 'placement-3', 'standings']),
  noStages: errors.noStages,
};

export const refusals = {
  BadRequest: refusal('The request could not be read.', malformed),
  BadStage: refusal('The request could not be read.', { ...malformed, stageTwice }),
  BadPage: refusal('The request could not be read, or asks for an impossible page.', {
    ...malformed,
    ...page,
  }),
  BadWindow: refusal('The request could not be read, or asks for an impossible page or range of days.', {
    ...malformed,
    ...page,
    ...window,
  }),
  BadTournamentFilter: refusal(
    'The request could not be read, or asks for an impossible page, range of days or status.',
    { ...malformed, ...page, ...window, unknownStatus, statusTwice },
  ),
  Unauthorized: refusal('The request has no valid API key. Only the message gives the reason.', key),
  TournamentNotFound: refusal('There is no such tournament, or it is not published.', {
    tournamentNotFound: errors.tournamentNotFound,
  }),
  StageNotFound: refusal(
    'There is no such tournament, it is not published, or it does not have the stage.',
    stage,
  ),
  ClubNotFound: refusal('There is no such club.', { clubNotFound: errors.clubNotFound }),
  PlayerNotFound: refusal('There is no such player.', { playerNotFound: errors.playerNotFound }),
  BattleNotFound: refusal('There is no such battle, or its tournament is not published.', {
    battleNotFound: errors.battleNotFound,
  }),
  MethodNotAllowed: refusal('This address is read-only. Sent for methods other than GET and HEAD.', {
    methodNotAllowed: errors.methodNotAllowed,
  }),
  RequestTimeout: refusal('The request did not arrive in time.', { requestTimeout: errors.requestTimeout }),
  ExpectationFailed: refusal('The `Expect` header asks for something other than `100-continue`.', {
    expectationFailed: errors.expectationFailed,
  }),
  RateLimited: refusal('This key has used up its quota for now.', { rateLimited: errors.rateLimited }),
  HeadersTooLarge: refusal('The request line and headers are too long.', {
    headersTooLarge: errors.headersTooLarge,
  }),
  InternalError: refusal('The server failed.', { internalError: errors.internalError }),
  Unavailable: refusal('The service is overloaded or cannot reach its data at the moment.', {
    unavailable: errors.unavailable,
  }),
} as const satisfies Record<string, Refusal>;
export type RefusalName = keyof typeof refusals;

/** Refusals that every endpoint can give. */
export const refusalsEverywhere = [
  'Unauthorized',
  'MethodNotAllowed',
  'RequestTimeout',
  'ExpectationFailed',
  'RateLimited',
  'HeadersTooLarge',
  'InternalError',
  'Unavailable',
] as const satisfies readonly RefusalName[];

export function refusal(description: string, given: Readonly<Record<string, ApiError>>): Refusal {
  const [status, ...others] = new Set(Object.values(given).map((error) => error.status));
  if (status === undefined || others.length > 0)
    throw new Error('a refusal has errors of exactly one status');
  return { status, description, errors: given };
}

function pick(...names: (keyof typeof errors)[]): Record<string, ApiError> {
  return Object.fromEntries(names.map((name) => [name, errors[name]]));
}
