/** A request and its only correct answer. */
export interface Hostile {
  what: string;
  request: string;
  status: number;
  message?: string;
  /**
   * True if it is refused before any document is read, so that the answer is the same while the database is
   * stopped.
   */
  early: boolean;
  /** A header that the answer must have. */
  header?: [name: string, value: string];
}

/** Returns a request with a valid key, as bytes. */
export type Get = (target: string, ...headers: string[]) => string;
