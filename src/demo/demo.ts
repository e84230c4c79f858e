import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type Config, readConfig, settings } from '../config/config.ts';
import { LastingClient } from '../database/lasting-client.ts';
import { migrate } from '../database/migrate.ts';
import { createPool, type Pool } from '../database/pool.ts';
import { createKeyForAccount, revokeKey } from '../keys/store.ts';
import { stampIfEmpty } from '../publish/mark-all.ts';
import { publishAlongside } from '../publish/publish-alongside.ts';
import { publishBacklog } from '../publish/publisher.ts';
import { Debounce } from '../publish/debounce.ts';
import type { FeedRecord } from '../record/feed/records.ts';
import { problemLine } from '../record/feed/problem.ts';
import { importFeed, type ImportOptions } from '../record/import.ts';
import { inLastingClient } from '../commands/with-pool.ts';
import { demoAccount, refuseForeignData, removalsOfEarlierEvents } from './earlier-data.ts';
import { startGuardedPostgres } from '../throwaway/guarded-postgres.ts';
import { type DemoEvent, demoEvent, liveEvents } from './live-events.ts';
import { choosePorts, serveOnFreePorts } from '../throwaway/ports.ts';
import { type Life, untilStopped } from '../throwaway/until-stopped.ts';
import { farewell, nextEventLine, welcome } from './words.ts';
import { dayOnTheClock, demoFeed } from './world.ts';

/**
 * The time between two results. The 36 results of the Swiss rounds, which come before the knockout, take two
 * and a half minutes.
 */
const resultMs = 4_000;
const betweenMs = 10_000;

export const demoCommand = new Command('demo')
  .description('try Wartable with invented results and an event that is being played now')
  .addHelpText(
    'after',
    `
Uses the database in DATABASE_URL, which must be empty or from an earlier demo,
or a throwaway PostgreSQL of its own. Ctrl-C ends everything.`,
  )
  .action(() => untilStopped('demo', farewell(isThrowaway()), run));

const isThrowaway = (): boolean => !process.env[settings.databaseUrl.name];

async function run({ signal, ends }: Life): Promise<void> {
  const config = demoConfig();
  // If the port of a setting is taken, say so before the results are recorded.
  await choosePorts(config, process.env);
  if (isThrowaway()) {
    console.log('Starting a throwaway PostgreSQL …');
    const user = { command: 'demo', otherWay: 'set DATABASE_URL to an empty database' };
    const postgres = await startGuardedPostgres(user, (remove) => ends.push(remove));
    config.databaseUrl = postgres.url;
  }
  const pool = createPool(config.databaseUrl, {
    applicationName: 'wartable-demo',
    size: 8,
  });
  await refuseForeignData(pool);
  console.log('Recording four years of invented results …');
  await migrate(config.databaseUrl);
  const event = demoEvent(0);
  await fill(pool, event);
  signal.throwIfAborted();
  const { key, id } = await createKeyForAccount(pool, demoAccount);
  if (!isThrowaway()) ends.push(() => revokeKey(pool, id));
  config.trialKey ??= key;

  const { started: server, messages } = await serveOnFreePorts(config, process.env);
  ends.push(() => server.close());
  for (const message of messages) console.log(message);
  const playing = keepPlaying(pool, event, signal, server.public.siteUrl);
  // If its database is gone, the event would wait for it to come back.
  ends.push(() => Promise.race([playing, sleep(5_000)]));
  console.log(welcome({ ...server.public, key, slug: event.slug }, isThrowaway()));
  await playing;
}

function demoConfig(): Config {
  return readConfig({
    [settings.logLevel.name]: 'error',
    [settings.cursorSecrets.name]: randomBytes(32).toString('hex'),
    ...process.env,
    [settings.databaseUrl.name]: process.env[settings.databaseUrl.name] || 'postgres://not-started-yet',
    [settings.drainSeconds.name]: '0',
  });
}

/** Records and publishes the world, and the event up to the pairings of its first round. */
async function fill(pool: Pool, event: DemoEvent): Promise<void> {
  const world = demoFeed(dayOnTheClock());
  const earlier = await removalsOfEarlierEvents(pool, world);
  await stampIfEmpty(pool);
  const records = [...world, ...earlier, ...event.opening];
  const client = await pool.connect();
  try {
    await importFeed(client, [{ name: 'demo', chunks: Readable.from(records.map(lineOf)) }], importOptions);
  } finally {
    client.release();
  }
  await publishBacklog(pool);
}

/** Imports the event until the signal comes. If the database is down for a while, the import waits for it. */
async function keepPlaying(
  pool: Pool,
  event: DemoEvent,
  signal: AbortSignal,
  siteUrl: string,
): Promise<void> {
  const records = liveEvents(event, {
    resultMs,
    betweenMs,
    signal,
    onBegun: ({ slug }) => console.log(nextEventLine(siteUrl, slug)),
  });
  const source = { name: 'demo', chunks: linesOf(records), live: true };
  const debounce = new Debounce();
  const lasting = await LastingClient.connect(pool, { patienceMs: 60_000, tell: console.error });
  const importing = inLastingClient(lasting, (client) =>
    importFeed(client, [source], { ...importOptions, onRecorded: () => debounce.wake() }),
  );
  await Promise.all([importing, publishAlongside(pool, { debounce, outageMs: 60_000 }, importing)]);
}

const importOptions: ImportOptions = {
  onRefusal: (file, line, problems) => {
    for (const problem of problems) console.error(problemLine(file, line, problem));
  },
};

async function* linesOf(records: AsyncIterable<FeedRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) yield lineOf(record);
}

const lineOf = (record: FeedRecord): Buffer => Buffer.from(`${JSON.stringify(record)}\n`);
