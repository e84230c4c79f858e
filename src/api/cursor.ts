import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { errors } from '../contract/errors.ts';
import { RefusedRequest } from '../http/refused.ts';

// A cursor is the key of the last row that the caller has seen, signed. Its bytes, in base64url:
//
//   version (1) · expiry in epochs (4) · position as JSON · signature (16)
//
// The signature covers every byte before it, and the list that the cursor belongs to: its path and its filters. It does
// not cover the page size, so a caller may change the size between pages.

export type Position = readonly (string | number)[];

export interface Cursors {
  /** The current epoch of a list. Call it once per answer. */
  cursorEpoch: (list: string) => CursorEpoch;
  /** Returns the position. Throws the same refusal for every mistake. */
  read: (list: string, cursor: string) => Position;
}

/** A period in which the bytes of new cursors stay the same. */
interface CursorEpoch {
  /** Goes into the ETags of answers that carry a cursor. */
  id: string;
  write: (position: Position) => string;
  /** When the next epoch of the list begins. */
  endsAt: number;
}

/**
 * A cursor lives at least 24 h and at most one epoch longer. The expiry is a whole epoch, not a moment, so all
 * instances write the same bytes for the same page. The ETag contains the epoch and changes with it: a `next` that a
 * caller keeps after a 304 still lives 24 h.
 */
export function createCursors(secrets: readonly string[], now: () => number = Date.now): Cursors {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('there is no secret to sign cursors with');
  const newestId = createHmac('sha256', newest).update('id').digest('hex').slice(0, 8);
  const epochWith = (offset: number) => Math.floor((now() - offset) / epochMs);

  return {
    cursorEpoch(list) {
      const offset = offsetOf(list);
      const began = epochWith(offset);
      const head = Buffer.alloc(headLength);
      head.writeUInt8(version, 0);
      head.writeUInt32BE(began + epochsToLive + 1, 1);
      return {
        id: `${newestId}.${began}`,
        endsAt: (began + 1) * epochMs + offset,
        write(position) {
          const signed = Buffer.concat([head, Buffer.from(JSON.stringify(position))]);
          return Buffer.concat([signed, signature(newest, list, signed)]).toString('base64url');
        },
      };
    },
    read(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // The decoder ignores padding, line breaks, the other alphabet and left-over bits. We accept one spelling.
      const isCanonical = bytes.toString('base64url') === cursor;
      const signed = bytes.subarray(0, -signatureLength);
      if (!isCanonical || signed.length < headLength || signed.readUInt8(0) !== version) refuse();
      const given = bytes.subarray(-signatureLength);
      if (!secrets.some((secret) => timingSafeEqual(signature(secret, list, signed), given))) refuse();
      if (epochWith(offsetOf(list)) >= signed.readUInt32BE(1)) refuse();
      return JSON.parse(signed.toString('utf8', headLength)) as Position;
    },
  };
}

const version = 1;
const headLength = 5;
const signatureLength = 16;
const epochMs = 6 * 3_600_000;
const epochsToLive = 4;

/** Epochs of different lists end at different times, so that not every list misses the cache at the same second. */
function offsetOf(list: string): number {
  return hash('sha256', list, 'buffer').readUInt32BE(0) % epochMs;
}

function signature(secret: string, list: string, signed: Buffer): Buffer {
  // No list contains a line break, so it separates the two parts.
  const whole = createHmac('sha256', secret).update(`${list}\n`).update(signed).digest();
  return whole.subarray(0, signatureLength);
}

function refuse(): never {
  throw new RefusedRequest(errors.invalidCursor);
}
