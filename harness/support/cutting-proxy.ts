import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /**
   * Cuts the next connection that commits, either before the server gets the COMMIT or before the client gets
   * the answer.
   */
  cutAtCommit: (when: 'before' | 'after') => void;
  /** Returns true if a connection has been cut at its commit since then. */
  isCut: () => boolean;
  /** Makes the open connections carry nothing from now on, without either side noticing. New ones work. */
  freeze: () => void;
  /** Refuses new connections with this PostgreSQL error instead of passing them on, until it is undefined. */
  refuseWith: (sqlState: string | undefined) => void;
  /** Returns how many connections were refused in this way. */
  refused: () => number;
  /** Cuts everything and refuses new connections until `open` is called. */
  close: () => Promise<void>;
  open: () => Promise<void>;
}

const commit = Buffer.from('commit\0');

/** Starts a proxy between a program and PostgreSQL that loses connections at the worst moment. */
export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let cutting: 'before' | 'after' | undefined;
  let sqlState: string | undefined;
  let refused = 0;
  let port = 0;

  const makeServer = () =>
    createServer((client) => {
      if (sqlState !== undefined) {
        refused += 1;
        // Only a socket that is being read notices that the other side has closed it.
        client.on('error', () => {}).resume();
        client.end(errorResponse(sqlState));
        return;
      }
      const server = connect(Number(target.port), target.hostname);
      let isCutting = false;
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket.on('error', () => {});
      }
      const cut = () => {
        for (const socket of [client, server]) {
          socket.destroy();
          sockets.delete(socket);
        }
      };
      client.on('data', (bytes) => {
        if (frozen.has(client)) return;
        if (cutting === undefined || !bytes.includes(commit)) {
          server.write(bytes);
          return;
        }
        isCutting = true;
        if (cutting === 'before') cut();
        else server.write(bytes);
        cutting = undefined;
      });
      server.on('data', (bytes) => {
        if (frozen.has(client)) return;
        if (isCutting) cut();
        else client.write(bytes);
      });
      client.on('close', cut);
      server.on('close', () => {
        if (!frozen.has(client)) cut();
      });
    });
  let server = makeServer();

  const open = async (): Promise<void> => {
    server = makeServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (address !== null && typeof address === 'object') port = address.port;
  };
  await open();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cutAtCommit: (when) => (cutting = when),
    isCut: () => cutting === undefined,
    freeze: () => {
      for (const socket of sockets) frozen.add(socket);
    },
    refuseWith: (code) => (sqlState = code),
    refused: () => refused,
    open,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Returns the protocol message with which PostgreSQL refuses a connection. */
function errorResponse(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mon purpose\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
