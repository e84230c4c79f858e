import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createClientAddress } from './client-address.ts';

export interface Connections {
  /** Counts the connections of this listener, and closes those above the limit at once. */
  limit: (server: Server) => void;
  /** Returns false if the address of this request has too many other requests in progress. */
  admits: (message: IncomingMessage, response: ServerResponse) => boolean;
}

export interface ConnectionsOptions {
  /** The limit for all listeners together. */
  max: number;
  /**
   * If empty, we do not know the addresses of callers, because behind a proxy all of them would appear to
   * have the same one.
   */
  trustedProxies: string[];
}

export function createConnections({ max, trustedProxies }: ConnectionsOptions): Connections {
  let open = 0;
  const maxOfAddress = Math.ceil(max / addresses);
  const addressOf = createClientAddress(trustedProxies);
  const underWay = new Map<string, number>();

  return {
    limit(server) {
      server.on('connection', (socket) => {
        open += 1;
        socket.once('close', () => (open -= 1));
        if (open > max) socket.resetAndDestroy();
      });
    },
    admits(message, response) {
      if (trustedProxies.length === 0) return true;
      const address = addressOf(message);
      const before = underWay.get(address) ?? 0;
      if (before >= maxOfAddress) return false;
      underWay.set(address, before + 1);
      response.once('close', () => {
        const left = (underWay.get(address) ?? 1) - 1;
        if (left > 0) underWay.set(address, left);
        else underWay.delete(address);
      });
      return true;
    },
  };
}

/** The number of addresses that are needed to exhaust the limit. */
const addresses = 20;
