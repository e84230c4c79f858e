import { createHmac, timingSafeEqual } from 'node:crypto';
import { errors } from '../../contract/errors.ts';
import { RefusedRequest } from './errors.ts';

// A cursor is the key of the last row that the caller has seen, signed. Its bytes, in base64url:
//
//   version (1) · expiry in epochs (4) · position as JSON · signature (16)
//
// The signature covers every byte before it, and the list that the cursor belongs to: its path and its filters. The
// page size is not covered, so that a caller may change it on the way.

export type Position = readonly (string | number)[];

export interface Cursors {
  /** Of this moment: take it once per answer. */
  era: () => Era;
  /** The position, or the one refusal for whatever is wrong. */
  read: (list: string, cursor: string) => Position;
}

/** A time in which the bytes of new cursors stay the same. */
interface Era {
  /** Goes into the ETags of answers that carry a cursor. */
  id: string;
  write: (list: string, position: Position) => string;
}

/**
 * Cursors live 24 h and up to an epoch longer. The expiry is a whole epoch, not a moment: all instances write the same
 * bytes for the same page, and an ETag that holds the epoch changes in time. So a `next` that a caller kept across
 * 304s still has 24 h to live.
 */
export function createCursors(secrets: readonly string[], now: () => number = Date.now): Cursors {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('there is no secret to sign cursors with');
  const newestId = createHmac('sha256', newest).update('id').digest('hex').slice(0, 8);
  const epoch = () => Math.floor(now() / epochMs);

  return {
    era() {
      const began = epoch();
      const head = Buffer.alloc(headLength);
      head.writeUInt8(version, 0);
      head.writeUInt32BE(began + epochsToLive + 1, 1);
      return {
        id: `${newestId}.${began}`,
        write(list, position) {
          const signed = Buffer.concat([head, Buffer.from(JSON.stringify(position))]);
          return Buffer.concat([signed, signature(newest, list, signed)]).toString('base64url');
        },
      };
    },
    read(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding overlooks padding, line breaks, the other alphabet and left-over bits: one spelling is ours.
      const isCanonical = bytes.toString('base64url') === cursor;
      const signed = bytes.subarray(0, -signatureLength);
      if (!isCanonical || signed.length < headLength || signed.readUInt8(0) !== version) refuse();
      const given = bytes.subarray(-signatureLength);
      if (!secrets.some((secret) => timingSafeEqual(signature(secret, list, signed), given))) refuse();
      if (epoch() >= signed.readUInt32BE(1)) refuse();
      return JSON.parse(signed.toString('utf8', headLength)) as Position;
    },
  };
}

const version = 1;
const headLength = 5;
const signatureLength = 16;
const epochMs = 6 * 3_600_000;
const epochsToLive = 4;

function signature(secret: string, list: string, signed: Buffer): Buffer {
  // No list contains a line break, so the two parts cannot run into each other.
  const whole = createHmac('sha256', secret).update(`${list}\n`).update(signed).digest();
  return whole.subarray(0, signatureLength);
}

function refuse(): never {
  throw new RefusedRequest(errors.invalidCursor);
}
