import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createClientAddress } from './client-address.ts';

export interface Connections {
  /** Counts the connections of this listener. It closes those above the limit at once. */
  limit: (server: Server) => void;
  /** False when the address of this request has too many others under way. */
  admits: (message: IncomingMessage, response: ServerResponse) => boolean;
}

export interface ConnectionsOptions {
  /** Of all listeners together. */
  max: number;
  /** Empty: then we do not know the addresses of callers. Behind a proxy all of them would have the same. */
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

/** So many addresses can together use all connections. */
const addresses = 20;
