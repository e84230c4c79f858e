import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TimeLimit, Timed } from '../database/time-limit.ts';
import type { Caller } from '../keys/look-up.ts';
import { Asker } from '../http/asker.ts';
import type { Share } from './limits.ts';

/** One request, until it is answered, its caller leaves, or it is too late. */
export class Call extends Asker implements Timed {
  startedAt = 0;
  before: Timed | undefined;
  after: Timed | undefined;

  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly began = performance.now();
  readonly id: string = randomUUID();
  caller: Caller;
  /** Set when limits are switched on. */
  share: Share | undefined;
  /** The pattern of its route. */
  route = 'none';
  /** For the log. */
  path: string | undefined;
  private limit: TimeLimit<Call> | undefined;

  constructor(message: IncomingMessage, response: ServerResponse) {
    super('');
    this.message = message;
    this.response = response;
  }

  identify(caller: NonNullable<Caller>): void {
    this.caller = caller;
    this.owner = caller.keyId;
  }

  /** From now on it must end within this limit, and within no other. */
  within(limit: TimeLimit<Call> | undefined): void {
    this.limit?.remove(this);
    this.limit = limit;
    limit?.add(this);
  }
}
