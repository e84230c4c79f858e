import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPool } from '../src/database/pool.ts';
import type { Statement } from '../src/read/reader.ts';

// DATABASE_URL=… node bench/driver-child.ts, with an IPC channel
//
// The bare server for answers that are not in memory: it runs the statement with the same driver and sends
// the document. It checks no key, keeps nothing, and has neither a deadline nor page logic. It reports its
// port to the parent and ends with it.
export interface DriverGiven {
  statement: Statement;
  values: Record<string, (string | null)[]>;
}

const pool = createPool(process.env['DATABASE_URL'] ?? '', { applicationName: 'bench-driver', size: 10 });
let statement: Statement;
const values = new Map<string, (string | null)[]>();

const server = createServer((request, response) => {
  void answer(request.url ?? '', response);
});

async function answer(target: string, response: ServerResponse): Promise<void> {
  const query = { ...statement, values: values.get(target) ?? [] };
  const { rows } = await pool.query<Record<string, string>>(query);
  const body = Buffer.from(rows[0]?.['documents'] ?? rows[0]?.['document'] ?? '');
  response.writeHead(rows.length === 0 ? 404 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (given: DriverGiven) => {
  statement = given.statement;
  for (const [target, each] of Object.entries(given.values)) values.set(target, each);
  process.send?.({ kept: values.size });
});
process.on('disconnect', () => process.exit());
