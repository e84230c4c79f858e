import type { ServerResponse } from 'node:http';

// Counts the bytes of answers that callers have not read yet. Reads themselves are bounded by their places, and by the
// longest text that a feed may have.

export interface UnreadBytes {
  /** Whether this owner may read more now. */
  hasRoom: (owner: string) => boolean;
  /** Whether this answer may be sent now: its owner has room, or the kernel takes it at once. */
  takes: (owner: string, bytes: Buffer, response: ServerResponse) => boolean;
  /** Counts these bytes until the response closes. Answers that share them count once. */
  add: (owner: string, bytes: Buffer, response: ServerResponse) => void;
  used: () => number;
}

export interface UnreadBytesOptions {
  maxBytes: number;
  /** There is more room than before. */
  onFreed: () => void;
}

/** One owner may use one of them, so that it cannot keep out the others. */
const shares = 4;
/** The kernel takes so much for a caller who has read everything before it. */
const takenAtOnce = 65_536;

export function createUnreadBytes({ maxBytes, onFreed }: UnreadBytesOptions): UnreadBytes {
  /** How many answers each owner has of these bytes. */
  const answersOf = new Map<Buffer, Map<string, number>>();
  const usedBy = new Map<string, number>();
  let used = 0;

  function add(owner: string, bytes: Buffer): void {
    const answers = answersOf.get(bytes) ?? new Map<string, number>();
    if (answers.size === 0) {
      answersOf.set(bytes, answers);
      used += bytes.length;
    }
    if (!answers.has(owner)) usedBy.set(owner, (usedBy.get(owner) ?? 0) + bytes.length);
    answers.set(owner, (answers.get(owner) ?? 0) + 1);
  }

  function remove(owner: string, bytes: Buffer): void {
    const answers = answersOf.get(bytes) ?? new Map<string, number>();
    const left = (answers.get(owner) ?? 0) - 1;
    if (left > 0) return void answers.set(owner, left);
    answers.delete(owner);
    const ofOwner = (usedBy.get(owner) ?? 0) - bytes.length;
    if (ofOwner > 0) usedBy.set(owner, ofOwner);
    else usedBy.delete(owner);
    if (answers.size > 0) return;
    answersOf.delete(bytes);
    used -= bytes.length;
  }

  const hasRoom = (owner: string) => used < maxBytes && (usedBy.get(owner) ?? 0) < maxBytes / shares;

  return {
    hasRoom,
    takes: (owner, bytes, { socket }) =>
      hasRoom(owner) || (bytes.length <= takenAtOnce && socket !== null && socket.writableLength === 0),
    add(owner, bytes, response) {
      if (response.closed) return;
      add(owner, bytes);
      response.once('close', () => {
        remove(owner, bytes);
        onFreed();
      });
    },
    used: () => used,
  };
}
