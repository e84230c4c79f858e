import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import { migrate } from '../src/database/migrate.ts';
import { createPool } from '../src/database/pool.ts';
import { createKeyForAccount } from '../src/keys/store.ts';
import { publishStale } from '../src/publish/publisher.ts';
import { importFeed } from '../src/record/import.ts';
import { createLogger } from '../src/serve/log.ts';
import { ListenError } from '../src/serve/listen-error.ts';
import { type RunningServer, startServer } from '../src/serve/server.ts';
import { choosePorts } from './dev-ports.ts';
import { devFeed } from './dev-world.ts';
import { startPostgres } from './postgres.ts';

// npm run dev: a throwaway PostgreSQL, a small world, a key, and the server, until Ctrl-C.
try {
  await dev();
} catch (error) {
  // A mistake in a setting, or a port that another program took in the meantime: a stack would only hide the sentence.
  if (!(error instanceof ConfigError || error instanceof ListenError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function dev(): Promise<void> {
  const config = readConfig({
    ...process.env,
    DATABASE_URL: 'postgres://not-started-yet',
    DRAIN_SECONDS: '0',
    CURSOR_SECRETS: randomBytes(32).toString('hex'),
  });
  const { ports, notice } = await choosePorts(config, process.env);
  const postgres = await startPostgres();
  try {
    const server = await serve({ ...config, ...ports, databaseUrl: postgres.url });
    if (notice !== undefined) console.log(`\n${notice}`);
    console.log(`
Serving on ${server.apiUrl} (its reference on ${server.siteUrl}), with a PostgreSQL of its own:

  DATABASE_URL=${postgres.url}

In another terminal:

  export KEY=${server.key} API=${server.apiUrl}
  curl -H "Authorization: Bearer $KEY" "$API/api/v1/clubs/north-gate"
  curl -H "Authorization: Bearer $KEY" "$API/api/v1/tournaments?status=ongoing&limit=3"

Ctrl-C ends both and deletes the data.
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
}

async function serve(config: Config): Promise<RunningServer & { key: string }> {
  await migrate(config.databaseUrl);
  const pool = createPool(config.databaseUrl, { applicationName: 'wartable-dev', size: 8 });
  const client = await pool.connect();
  await importFeed(client, [{ name: 'dev', chunks: Readable.from([Buffer.from(devFeed(today()))]) }], {
    onRefusal: (_, line, problems) => console.error(line, problems),
  });
  client.release();
  await publishStale(pool);
  const { key } = await createKeyForAccount(pool, 'dev');
  await pool.end();
  return { ...(await startServer(config, createLogger('warn'))), key };
}

/** The day on the clock of this machine. */
function today(): number {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
}
