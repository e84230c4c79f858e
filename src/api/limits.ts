import type { IncomingMessage } from 'node:http';
import type { Caller } from '../keys/look-up.ts';

// What the API needs of limits. `src/serve/limits/` has them.

export interface Limits {
  /** Counts a request at the price of a full answer. */
  count: (caller: NonNullable<Caller>) => Promise<Share>;
  /** The same at once. Undefined when Redis counts. */
  countNow: ((caller: NonNullable<Caller>) => Share) | undefined;
  /** Counts a failed authentication. */
  countFailure: (message: IncomingMessage) => Promise<Share>;
  /** The refusal for an address that failed too often. Undefined when it did not, or when we do not know addresses. */
  failedTooOften: (message: IncomingMessage) => Share | undefined;
  /** Whether all instances count together now. */
  isShared: () => boolean;
  close: () => void;
}

/** What the quota gives to one request. */
export interface Share {
  isRefused: boolean;
  /** For the answer. */
  headers: Record<string, string>;
  /** The answer is a 304: it gets most of the price back. Returns the headers for it. */
  becomeCheap: () => Record<string, string>;
}
