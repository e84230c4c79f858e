import { randomUUID } from 'node:crypto';
import { Call } from '../http/call.ts';
import type { Caller } from '../keys/look-up.ts';
import type { Share } from './limits.ts';

/** A request to the API. */
export class ApiCall extends Call {
  readonly id: string = randomUUID();
  caller: Caller;
  /** Set only if rate limits are switched on. */
  share: Share | undefined;

  identify(caller: NonNullable<Caller>): void {
    this.caller = caller;
    this.owner = caller.keyId;
  }
}
