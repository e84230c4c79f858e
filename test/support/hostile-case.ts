/** What is sent, and the one answer to it. */
export interface Hostile {
  what: string;
  request: string;
  status: number;
  message?: string;
  /** Refused before any document is asked for: the answer is the same with the database stopped. */
  early: boolean;
  /** A header that the answer must have. */
  header?: [name: string, value: string];
}

/** A request with a key that works, as bytes. */
export type Get = (target: string, ...headers: string[]) => string;
