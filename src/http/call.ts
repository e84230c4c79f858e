import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TimeLimit, Timed } from '../availability/time-limit.ts';
import { Asker } from './asker.ts';
import type { EncodedBody } from './compress.ts';

/** One request to a listener, until it is answered, its caller leaves, or it is too late. */
export class Call extends Asker implements Timed {
  startedAt = 0;
  before: Timed | undefined;
  after: Timed | undefined;

  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly began = performance.now();
  /** Path and query, as the routes see them. */
  target = '';
  /** The pattern of its route. */
  route = 'none';
  /** For the log. */
  path: string | undefined;
  private limit: TimeLimit<Call> | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, owner = '') {
    super(owner);
    this.message = message;
    this.response = response;
  }

  /** From now on it must end within this limit, and within no other. */
  within(limit: TimeLimit<Call> | undefined): void {
    this.limit?.remove(this);
    this.limit = limit;
    limit?.add(this);
  }
}

export type Headers = Readonly<Record<string, string>>;

/** What an answer says. The front adds what describes the body, and what every answer carries. */
export interface Content {
  headers: Headers;
  etag?: string;
  /** Of the body. */
  type?: string;
  /** Undefined for a 304, and for an answer that has none. */
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
  /** The default is 200, and 304 without a body. */
  status?: number;
  /** Of an answer that is in memory: its key there, and until when the target means it. */
  kept?: { key: string; until: number };
}
