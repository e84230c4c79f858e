import { Type, type Static } from 'typebox';

import { maximumLimit } from './parameters.ts';
import { oneOf, strictObject, text } from './scalars.ts';
import { tournamentStatuses } from './tournament.ts';

// Every error of the API, as data. The messages are part of the contract. They never repeat what the caller
// sent.

export const errorCodes = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'EXPECTATION_FAILED',
  'RATE_LIMITED',
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly code: ErrorCode | 'GONE';
}

export const errors = {
  missingAuthorization: unauthorized('Missing or invalid Authorization header'),
  keyWithoutPrefix: unauthorized('Invalid API key format'),
  keyRefused: unauthorized('Invalid API key'),

  malformedRequest: badRequest('Malformed request'),
  bodyNotAllowed: badRequest('A request must not have a body'),
  limitNotPositive: badRequest('limit must be a positive integer'),
  limitTooLarge: badRequest(`limit must not exceed ${maximumLimit}`),
  invalidCursor: badRequest('Invalid cursor'),
  fromNotADate: badRequest('from must be a date (YYYY-MM-DD)'),
  toNotADate: badRequest('to must be a date (YYYY-MM-DD)'),
  fromAfterTo: badRequest('from must not be after to'),
  windowTooLong: badRequest('date window must not exceed one year'),
  unknownStatus: badRequest(`status must be one of ${tournamentStatuses.join(', ')}`),
  // A cursor that is given twice is an invalid cursor. For the other parameters the message says what is
  // wrong.
  limitTwice: badRequest('limit must be given only once'),
  fromTwice: badRequest('from must be given only once'),
  toTwice: badRequest('to must be given only once'),
  statusTwice: badRequest('status must be given only once'),
  stageTwice: badRequest('stage must be given only once'),

  tournamentNotFound: notFound('Tournament not found'),
  clubNotFound: notFound('Club not found'),
  playerNotFound: notFound('Player not found'),
  battleNotFound: notFound('Battle not found'),
  noStages: notFound('This tournament has no stages'),
  endpointNotFound: notFound('Endpoint not found'),

  methodNotAllowed: { status: 405, message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' },
  requestTimeout: { status: 408, message: 'Request took too long to arrive', code: 'REQUEST_TIMEOUT' },
  expectationFailed: { status: 417, message: 'Unsupported expectation', code: 'EXPECTATION_FAILED' },
  rateLimited: { status: 429, message: 'Too many requests', code: 'RATE_LIMITED' },
  headersTooLarge: {
    status: 431,
    message: 'Request header fields too large',
    code: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
  },
  internalError: { status: 500, message: 'Internal error', code: 'INTERNAL_ERROR' },
  unavailable: { status: 503, message: 'Service temporarily unavailable', code: 'UNAVAILABLE' },
} as const satisfies Record<string, ApiError>;

/** Returns the error for a tournament that has stages, but not the requested one. */
export function unknownStage(stageIds: readonly string[]): ApiError {
  return notFound(`Unknown stage. Stages of this tournament: ${stageIds.join(', ')}`);
}

export const ErrorAnswer = strictObject('The shape of every refusal.', {
  error: strictObject('The reason for the refusal.', {
    status: Type.Integer({ description: 'HTTP status, repeated.' }),
    message: text('The reason in words. Several reasons can share a code.'),
    code: oneOf(errorCodes, 'The kind of refusal, for programs.'),
  }),
});
export type ErrorAnswer = Static<typeof ErrorAnswer>;

export function errorAnswer({ status, message, code }: ApiError): { error: ApiError } {
  return { error: { status, message, code } };
}

function unauthorized(message: string): ApiError {
  return { status: 401, message, code: 'UNAUTHORIZED' };
}

export function badRequest(message: string): ApiError {
  return { status: 400, message, code: 'BAD_REQUEST' };
}

function notFound(message: string): ApiError {
  return { status: 404, message, code: 'NOT_FOUND' };
}
