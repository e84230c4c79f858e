import type { ApiError } from '../contract/errors.ts';

/** Thrown to refuse a request: one of the contract's errors, and the headers that go with it. */
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
