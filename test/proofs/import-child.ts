import { createReadStream } from 'node:fs';
import pg from 'pg';
import { importFeed } from '../../src/record/import.ts';

// Only the import, without the publishing of the command, in small batches. The proof kills this process.
const [file = ''] = process.argv.slice(2);
const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
process.stdout.write('.');
const { refused } = await importFeed(
  client,
  [{ name: file, chunks: createReadStream(file) as AsyncIterable<Buffer> }],
  {
    batchBytes: 150_000,
    onProgress: () => process.stdout.write('.'),
    onRefusal: (_, line, problems) => console.error(line, problems),
  },
);
await client.end();
process.exitCode = refused > 0 ? 1 : 0;
