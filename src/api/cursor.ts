import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { errors } from '../contract/errors.ts';
import { RefusedRequest } from '../http/refused.ts';

// A cursor contains the key of the last row that the caller has seen, and a signature. Its bytes, in
// base64url:
//
//   version (1) · expiry in epochs (4) · position as JSON · signature (16)
//
// The signature covers every byte before it, and also the list that the cursor belongs to: its path and its
// filters. It does not cover the page size, so a caller may change the size between pages.

export type CursorPosition = readonly (string | number)[];

export interface Cursors {
  /** Returns the current epoch of a list. Call it once per answer. */
  cursorEpoch: (list: string) => CursorEpoch;
  /** Returns the position in a cursor. Throws the same refusal whatever is wrong with it. */
  read: (list: string, cursor: string) => CursorPosition;
}

/** A period during which new cursors for the same position have the same bytes. */
interface CursorEpoch {
  /** Identifies the epoch in the ETags of answers that carry a cursor. */
  id: string;
  write: (position: CursorPosition) => string;
  /** The time at which the next epoch of the list begins. */
  endsAt: number;
}

/**
 * Creates the functions that write and read cursors.
 *
 * A cursor is valid for at least 24 hours and at most one epoch longer. Its expiry is a number of epochs
 * rather than a time, so all instances write the same bytes for the same page. The ETag contains the epoch
 * and changes with it, so a `next` that a caller keeps after a 304 is still valid for 24 hours.
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
      // The decoder ignores padding, line breaks, the other base64 alphabet and left-over bits. We accept
      // only one spelling.
      const isCanonical = bytes.toString('base64url') === cursor;
      const signed = bytes.subarray(0, -signatureLength);
      if (!isCanonical || signed.length < headLength || signed.readUInt8(0) !== version) refuse();
      const given = bytes.subarray(-signatureLength);
      if (!secrets.some((secret) => timingSafeEqual(signature(secret, list, signed), given))) refuse();
      if (epochWith(offsetOf(list)) >= signed.readUInt32BE(1)) refuse();
      return JSON.parse(signed.toString('utf8', headLength)) as CursorPosition;
    },
  };
}

const version = 1;
const headLength = 5;
const signatureLength = 16;
const epochMs = 6 * 3_600_000;
const epochsToLive = 4;

/**
 * Returns a list's own shift of its epochs, so that the lists do not all miss the cache in the same second.
 */
function offsetOf(list: string): number {
  return hash('sha256', list, 'buffer').readUInt32BE(0) % epochMs;
}

function signature(secret: string, list: string, signed: Buffer): Buffer {
  // No list contains a line break, so it separates the two parts.
  const digest = createHmac('sha256', secret).update(`${list}\n`).update(signed).digest();
  return digest.subarray(0, signatureLength);
}

function refuse(): never {
  throw new RefusedRequest(errors.invalidCursor);
}
