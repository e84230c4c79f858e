import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from './at-end.ts';

/**
 * Starts a proxy in front of a real PostgreSQL that makes it report the version `major`, because there is no
 * old one at hand.
 */
export async function postgresInDisguise(databaseUrl: string, major: number): Promise<string> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const real = connect(Number(target.port), target.hostname);
    for (const socket of [client, real]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, real].forEach((each) => each.destroy()));
    }
    client.on('data', (bytes) => real.write(bytes));
    real.on('data', (bytes) => client.write(disguised(bytes, major)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return url.href;
}

/**
 * Replaces the answer to a query for the version: a column of that name, then a row with a text of 2 bytes.
 */
function disguised(bytes: Buffer, major: number): Buffer {
  const column = bytes.indexOf('version\0', 'latin1');
  const length = column === -1 ? -1 : bytes.lastIndexOf(Buffer.from([0, 0, 0, 2]));
  if (length > column) bytes.write(String(major), length + 4, 'latin1');
  return bytes;
}
