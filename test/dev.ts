import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/database/migrate.ts';
import { createPool } from '../src/database/pool.ts';
import { createKeyForAccount } from '../src/keys/store.ts';
import { publishStale } from '../src/publish/publisher.ts';
import { importFeed } from '../src/record/import.ts';
import { createLogger } from '../src/serve/log.ts';
import { startServer } from '../src/serve/server.ts';
import { dayOf } from '../src/world/dates.ts';
import { world } from '../src/world/world.ts';
import { startPostgres } from './postgres.ts';

// npm run dev: a throwaway PostgreSQL, a club and a small invented world, a key, and the server, until Ctrl-C.
const club = { kind: 'club', slug: 'north-gate', name: 'Würfelbund Nordtor', city: 'Lübeck', members: 41 };

const postgres = await startPostgres();
try {
  const config = readConfig({
    ...process.env,
    DATABASE_URL: postgres.url,
    DRAIN_SECONDS: '0',
    CURSOR_SECRETS: randomBytes(32).toString('hex'),
  });
  await migrate(postgres.url);
  const pool = createPool(postgres.url, { applicationName: 'wartable-dev', size: 8 });
  const client = await pool.connect();
  const records = [
    club,
    ...world({ seed: 1, battles: 400, from: dayOf('2026-01-01'), to: dayOf('2026-10-31') }),
  ];
  const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await importFeed(client, [{ name: 'dev', chunks: Readable.from([lines]) }], {
    onRefusal: (_, line, problems) => console.error(line, problems),
  });
  client.release();
  await publishStale(pool, config);
  const { key } = await createKeyForAccount(pool, 'dev');
  await pool.end();

  const server = await startServer(config, createLogger('warn'));
  console.log(`
Serving on ${server.apiUrl} (its reference on ${server.siteUrl}), with a PostgreSQL of its own:

  DATABASE_URL=${postgres.url}

In another terminal:

  KEY=${key}
  curl -H "Authorization: Bearer $KEY" ${server.apiUrl}/api/v1/clubs/north-gate
  curl -H "Authorization: Bearer $KEY" "${server.apiUrl}/api/v1/tournaments?status=finished&limit=3"

Ctrl-C ends both and throws the data away.
`);

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void server.close().then(() => postgres.remove());
    });
  }
} catch (error) {
  await postgres.remove();
  throw error;
}
