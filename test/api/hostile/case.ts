/** A request and its only correct answer. */
export interface Hostile {
  what: string;
  request: string;
  status: number;
  message?: string;
  /** Refused before any document is read: the answer is the same while the database is stopped. */
  early: boolean;
  /** A header that the answer must have. */
  header?: [name: string, value: string];
}

/** A request with a valid key, as bytes. */
export type Get = (target: string, ...headers: string[]) => string;
