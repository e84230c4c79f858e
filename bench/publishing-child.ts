import assert from 'node:assert/strict';
import path from 'node:path';
import type * as pools from '../src/database/pool.ts';
import type * as publishers from '../src/publish/publisher.ts';
import type * as imports from '../src/record/import.ts';

// DATABASE_URL=… node bench/publishing-child.ts FOLDER, with an IPC channel
//
// The publisher of a checkout, which may be another one than ours, so its modules are imported by path. It
// records the lines that the parent sends, publishes on request, and ends with the parent.
export type PublishingAsked = { record: string[] } | 'publish';

const from = (file: string): Promise<unknown> => import(path.resolve(process.argv[2] ?? '', 'src', file));
const { createPool } = (await from('database/pool.ts')) as typeof pools;
const { importFeed } = (await from('record/import.ts')) as typeof imports;
const { publishBacklog: publishStale } = (await from('publish/publisher.ts')) as typeof publishers;

const pool = createPool(process.env['DATABASE_URL'] ?? '', {
  applicationName: process.env['BENCH_NAME'] ?? 'wartable-bench-publishing',
  size: 4,
});

async function record(lines: string[]): Promise<void> {
  const client = await pool.connect();
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
  }
  try {
    await importFeed(client, [{ name: 'feed', chunks: chunks() }], {
      onRefusal: (_file, line, problems) => assert.fail(`line ${line}: ${JSON.stringify(problems)}`),
    });
  } finally {
    client.release();
  }
}

process.on('message', (asked: PublishingAsked) => {
  void (async () => {
    if (asked === 'publish') assert.deepEqual((await publishStale(pool, { isCalledAgain: true })).failed, []);
    else await record(asked.record);
    process.send?.('done');
  })();
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
