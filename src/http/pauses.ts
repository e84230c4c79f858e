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

/** Node's own timeout ends after one to two times its length, because it notes a change only when it looks. */
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
      // With a reset the kernel drops what is unsent. Otherwise it would keep megabytes of each caller.
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
 * What the kernel did not take yet. Node counts a write as unsent until all of it is sent, so its public count of a large
 * answer does not show progress. Node's own timeout reads this number, too.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return handle?.writeQueueSize ?? 0;
}
