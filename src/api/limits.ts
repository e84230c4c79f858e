import type { IncomingMessage } from 'node:http';
import type { Caller } from '../keys/look-up.ts';

// The part of the rate limits that the API needs. `src/serve/limits/` implements it.

export interface Limits {
  /** Counts a request at the cost of a full answer. */
  count: (caller: NonNullable<Caller>) => Promise<Share>;
  /** Counts a request synchronously. Undefined if the counters are in Redis. */
  countNow: ((caller: NonNullable<Caller>) => Share) | undefined;
  /** Counts a failed authentication. */
  countFailure: (message: IncomingMessage) => Promise<Share>;
  /**
   * Returns the refusal for an address that failed too often. Undefined if it did not, or if we do not know
   * addresses.
   */
  failedTooOften: (message: IncomingMessage) => Share | undefined;
  /** True while all instances count together. */
  isShared: () => boolean;
  close: () => void;
}

/** The part of a quota that one request takes. */
export interface Share {
  isRefused: boolean;
  /** The headers that tell the caller about its quota. */
  headers: Record<string, string>;
  /** Refunds most of the cost because the answer is a 304, and returns the headers to send with it. */
  becomeCheap: () => Record<string, string>;
}
