import { type ApiError, errors } from '../contract/errors.ts';
import { isUnavailable } from '../availability/unavailable.ts';

/** Thrown to refuse a request. Carries one of the contract's errors and the headers that go with it. */
export class RefusedRequest extends Error {
  readonly error: ApiError;
  readonly headers: Record<string, string>;

  constructor(error: ApiError, headers: Record<string, string> = {}) {
    super(error.message);
    this.name = 'RefusedRequest';
    this.error = error;
    this.headers = headers;
  }
}

/** Returns the refusal that tells the caller about an error. */
export function refusalFor(thrown: unknown): RefusedRequest {
  if (thrown instanceof RefusedRequest) return thrown;
  return new RefusedRequest(isUnavailable(thrown) ? errors.unavailable : errors.internalError);
}
