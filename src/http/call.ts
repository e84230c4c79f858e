import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TimeLimit, Timed } from '../availability/time-limit.ts';
import { Asker } from './asker.ts';
import type { EncodedBody } from './compress.ts';

/** One request to a listener, until it is answered, its caller leaves or its time runs out. */
export class Call extends Asker implements Timed {
  startedAt = 0;
  before: Timed | undefined;
  after: Timed | undefined;

  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly began = performance.now();
  /** The path and the query, as the routes see them. */
  target = '';
  /** The pattern of its route. */
  route = 'none';
  /** The path that is written to the log. */
  path: string | undefined;
  private limit: TimeLimit<Call> | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, owner = '') {
    super(owner);
    this.message = message;
    this.response = response;
  }

  /** Puts the request under this time limit instead of the one it had. */
  within(limit: TimeLimit<Call> | undefined): void {
    this.limit?.remove(this);
    this.limit = limit;
    limit?.add(this);
  }
}

export type Headers = Readonly<Record<string, string>>;

/**
 * The content of an answer. The server adds the headers that describe the body and those that every answer
 * carries.
 */
export interface Content {
  headers: Headers;
  etag?: string;
  /** The media type of the body. */
  type?: string;
  /** Undefined for a 304 and for an answer without a body. */
  body?: EncodedBody | undefined;
}

/** The headers of an answer, as they are sent. */
export type Lines = Record<string, string | number>;

export function linesOf(every: Headers, status: number, { headers, etag, type, body }: Content): Lines {
  const lines: Lines = { ...every, ...headers };
  if (etag !== undefined) lines['etag'] = etag;
  if (body !== undefined) {
    if (type !== undefined) lines['content-type'] = type;
    if (body.encoding !== undefined) lines['content-encoding'] = body.encoding;
    lines['content-length'] = body.bytes.length;
  } else if (status !== 304 && status !== 204) lines['content-length'] = 0;
  return lines;
}

export interface Answer extends Content {
  /** The default is 200, or 304 without a body. */
  status?: number;
  /** The key of the answer in the cache, and the time until which the target leads to it. */
  kept?: { key: string; until: number };
}
