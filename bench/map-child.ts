import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// node bench/map-child.ts, with an IPC channel
//
// The bare server that we compare with: it gets bodies by target and sends them from a Map. It checks no key, writes no
// log and adds no header of the API. It tells its port to the parent, and ends with it.
const bodies = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '');
  if (body === undefined) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (given: Record<string, string>) => {
  for (const [target, body] of Object.entries(given)) bodies.set(target, Buffer.from(body));
  process.send?.({ kept: bodies.size });
});
process.on('disconnect', () => process.exit());
