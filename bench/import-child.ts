import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onClient } from '../src/database/on-client.ts';
import type { importFeed } from '../src/record/import.ts';
import { processorMs } from './processor.ts';

// node bench/import-child.ts CHECKOUT FEED
//
// Imports the feed twice with the code of a checkout into DATABASE_URL, and prints the processor time of both
// imports.

/** The processor time of this process and of its connection to the database, in milliseconds. */
interface Cost {
  node: number;
  database: number;
}

export interface ImportCosts {
  /** The cost of the import into an empty database. */
  first: Cost;
  /** The cost of the import into the database that already has everything. */
  again: Cost;
}

const [checkout = '', feed = ''] = process.argv.slice(2);
const code = pathToFileURL(path.join(checkout, 'src/record/import.ts')).href;
const { importFeed: importOf } = (await import(code)) as { importFeed: typeof importFeed };

await onClient(process.env['DATABASE_URL'] ?? '', async (client) => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  const costOf = async (): Promise<Cost> => {
    const [began, beganThere] = [process.cpuUsage(), await processorMs(pid)];
    const { refused } = await importOf(client, [{ name: feed, chunks: createReadStream(feed) }], {
      onRefusal: (_, line, problems) => console.error(line, problems),
    });
    if (refused > 0) throw new Error(`${refused} records were refused`);
    const { user, system } = process.cpuUsage(began);
    return { node: (user + system) / 1_000, database: (await processorMs(pid)) - beganThere };
  };
  const first = await costOf();
  await client.query('vacuum analyze');
  const costs: ImportCosts = { first, again: await costOf() };
  console.log(JSON.stringify(costs));
});
