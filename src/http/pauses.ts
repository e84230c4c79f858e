import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PauseWatch {
  /** Closes the connection of a caller who stops reading this answer. */
  watch: (response: ServerResponse, socket: Socket) => void;
}

interface Watched {
  socket: Socket;
  written: number;
  unsent: number;
  since: number;
}

/**
 * Creates a watch of our own, because Node's timeout fires only after one to two times its length: it notices
 * progress only when it checks.
 */
export function createPauseWatch(longestMs = longestPauseMs): PauseWatch {
  const watched = new Map<ServerResponse, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const each of watched.values()) {
      const { bytesWritten: written } = each.socket;
      const unsent = unsentBytes(each.socket);
      const isStill = unsent > 0 && unsent === each.unsent && written === each.written;
      if (!isStill) Object.assign(each, { written, unsent, since: now });
      // A reset makes the kernel drop the unsent data. Otherwise it would keep megabytes for each caller.
      else if (now - each.since >= longestMs) each.socket.resetAndDestroy();
    }
  }

  return {
    watch(response, socket) {
      if (response.closed || watched.has(response)) return;
      watched.set(response, { socket, written: 0, unsent: 0, since: 0 });
      timer ??= setInterval(look, Math.min(longestMs / 10, 500)).unref();
      response.once('close', () => {
        watched.delete(response);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
  };
}

const longestPauseMs = 7_000;

/**
 * Returns the number of bytes that the kernel has not taken yet. Node's public count does not show the
 * progress of a large answer, because it counts a write as unsent until all of it is sent. Node's own timeout
 * also reads this number.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return handle?.writeQueueSize ?? 0;
}
