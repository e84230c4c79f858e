import fastify from 'fastify';
import { createHash } from 'node:crypto';
import { createWriteStream, unlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { DriverGiven } from './driver-child.ts';

// DATABASE_URL=… node bench/fastify-child.ts, with an IPC channel
//
// A baseline that developers know: the same answers from Fastify with `pg`, as one would write it in an
// afternoon. It checks the key in the database once and remembers it, runs the statement for every request,
// puts the documents together and writes Fastify's own log into a file. It is spared most of the work: the
// statement and the published documents are ours, and it has no ETag, cursor, limit or deadline. It reports
// its port to the parent and ends with it.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const callers = new Set<string>();
let statement: DriverGiven['statement'];
const values = new Map<string, (string | null)[]>();

const logFile = path.join(tmpdir(), `wartable-bench-fastify-${process.pid}`);
const stream = createWriteStream(logFile).on('open', () => unlinkSync(logFile));
const app = fastify({ logger: { level: 'info', stream } });

app.addHook('onRequest', async ({ headers: { authorization = '' } }, reply) => {
  if (callers.has(authorization)) return;
  const digest = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
  const { rows } = await pool.query('select from keys.check_key($1)', [digest]);
  if (rows.length === 0) await reply.code(401).send({ error: { status: 401, message: 'Invalid API key' } });
  else callers.add(authorization);
});

app.get('/api/v1/*', async ({ url }, reply) => {
  const { rows } = await pool.query<Record<string, string | null>>({
    ...statement,
    values: values.get(url) ?? [],
  });
  const [row] = rows;
  if (row === undefined) return reply.code(404).send({ error: { status: 404, message: 'Not found' } });
  reply.type('application/json; charset=utf-8');
  if (row['documents'] === undefined) return `{"data":${row['document']}}`;
  return `{"data":[${(row['documents'] ?? '').replaceAll('\n', ',')}],"next":null}`;
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });

process.on('message', (given: DriverGiven) => {
  ({ statement } = given);
  for (const [target, each] of Object.entries(given.values)) values.set(target, each);
  process.send?.({ kept: values.size });
});
process.on('disconnect', () => process.exit());
