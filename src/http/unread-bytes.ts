import type { ServerResponse } from 'node:http';

// Counts the bytes of answers that callers have not read yet. The memory for the reads themselves is bounded
// by the number of slots and by the longest text that a feed may have.

export interface UnreadBytes {
  /** Returns true if this owner may read more now. */
  hasRoom: (owner: string) => boolean;
  /**
   * Returns true if this answer may be sent now, because its owner has room or the kernel takes it at once.
   */
  takes: (owner: string, bytes: Buffer, response: ServerResponse) => boolean;
  /** Counts these bytes until the response closes. Answers that share them are counted once. */
  add: (owner: string, bytes: Buffer, response: ServerResponse) => void;
  used: () => number;
}

export interface UnreadBytesOptions {
  maxBytes: number;
  /** Called when there is more room than before. */
  onFreed: () => void;
}

/** An owner may use one share of the limit, so that it cannot block the others. */
const shares = 4;
/** The number of bytes that the kernel takes at once for a caller who has read everything sent before. */
const takenAtOnce = 65_536;

export function createUnreadBytes({ maxBytes, onFreed }: UnreadBytesOptions): UnreadBytes {
  /** The number of answers that hold these bytes, for each owner. */
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
