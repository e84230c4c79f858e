import { Type } from 'typebox';

import { badRequest, errorCodes, type ApiError } from '../errors.ts';
import { oneOf, strictObject, text } from '../scalars.ts';

// The errors of `/api/extra/v1` that `/api/v1` does not have.

export const searchKinds = ['tournament', 'club', 'player'] as const;
export const windowNames = ['month', 'quarter', 'year', 'all'] as const;
export const lengths = ['long'] as const;

export const extraErrors = {
  queryTooShort: badRequest('q must have at least two letters or digits'),
  queryTooLong: badRequest('q must not exceed 100 characters'),
  queryTwice: badRequest('q must be given only once'),
  unknownKind: badRequest(`kind must be one of ${searchKinds.join(', ')}`),
  kindTwice: badRequest('kind must be given only once'),
  invalidAfter: badRequest('after must be one that an earlier answer gave'),
  unknownWindow: badRequest(`window must be one of ${windowNames.join(', ')}`),
  windowTwice: badRequest('window must be given only once'),
  packTooLong: badRequest('pack must not exceed 200 characters'),
  packTwice: badRequest('pack must be given only once'),
  unknownLength: badRequest('length must be long, or absent'),
  lengthTwice: badRequest('length must be given only once'),
  sequenceNumberGone: {
    status: 410,
    message: 'These changes are no longer known. Ask without after, then read everything again',
    code: 'GONE',
  },
} as const satisfies Record<string, ApiError>;

export const ExtraErrorAnswer = strictObject('The shape of every refusal.', {
  error: strictObject('The reason for the refusal.', {
    status: Type.Integer({ description: 'HTTP status, repeated.' }),
    message: text('The reason in words. Several reasons can share a code.'),
    code: oneOf([...errorCodes, 'GONE'], 'The kind of refusal, for programs.'),
  }),
});
