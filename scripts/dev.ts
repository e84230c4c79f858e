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
import { devFeed } from './dev-world.ts';
import { startPostgres } from './postgres.ts';

// npm run dev: a throwaway PostgreSQL, a small world, a key, and the server, until Ctrl-C.
const now = new Date();
const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
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
  await importFeed(client, [{ name: 'dev', chunks: Readable.from([Buffer.from(devFeed(today))]) }], {
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

  export KEY=${key}
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
