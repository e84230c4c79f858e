import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Cuts the next connection that commits: before the server gets the COMMIT, or before the client gets the answer. */
  cutAtCommit: (when: 'before' | 'after') => void;
  /** Whether a connection was cut at its commit since then. */
  isCut: () => boolean;
  /** From now on the open connections carry nothing, and no side notices. New ones work. */
  freeze: () => void;
  /** Cuts everything and refuses new connections until `open`. */
  close: () => Promise<void>;
  open: () => Promise<void>;
}

const commit = Buffer.from('commit\0');

/** Stands between a program and PostgreSQL, and loses connections at the worst moment. */
export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let cutting: 'before' | 'after' | undefined;
  let port = 0;

  const makeServer = () =>
    createServer((client) => {
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
    open,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
