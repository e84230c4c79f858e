import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { PoolClient } from 'pg';
import { isOurFolder, newestSequenceNumber, writeFiles } from '../files/write-files.ts';
import { dayOf } from '../text/days.ts';
import { CannotRun } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { withSnapshot, withPool } from './with-pool.ts';

export const filesCommand = new Command('files')
  .description('write everything that is published into files for a web server')
  .argument('<folder>', 'where to write; only files that this command wrote are replaced')
  .action(async (given: string) => {
    keepMemorySmall();
    const folder = path.resolve(given);
    await withPool(async (pool, { termsUrl = null }) => {
      await prepare(folder);
      const date = dayOf(Date.now());
      const head = { after: await newestSequenceNumber(pool), date, terms: termsUrl };
      await withSnapshot(pool, async (client) => {
        await untilAlone(client);
        const { files, newFiles, removedFiles, bytes } = await writeFiles(client, folder, head);
        console.log(
          `${files} files, ${(bytes / 1e6).toFixed(1)} MB: ${newFiles} new, ${removedFiles} removed.`,
        );
      });
      await pool.query('select published.note_files()').catch((error: { code?: string }) => {
        // A replica cannot record this.
        if (error.code !== '25006') throw error;
      });
    });
  });

addExamples(filesCommand, ['Write all files, for example once a night', 'wartable files ./data']);

/**
 * Waits until no other run reads this database. One that was stopped a moment ago may still be reading,
 * because PostgreSQL checks only every second whether its client is still there.
 */
async function untilAlone(client: PoolClient): Promise<void> {
  await client.query(`set local client_connection_check_interval = '1s'`);
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ isAlone: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('files', 0)) as "isAlone"`,
    );
    if (rows[0]?.isAlone) return;
    if (attempt === maxAttempts)
      throw new CannotRun('Another `wartable files` is reading this database: wait until it has finished.');
    await sleep(1_000);
  }
}

const maxAttempts = 5;

/** Creates the folder if it is missing. `refusal` is the message if nothing can be written there. */
export async function openFolder(folder: string, refusal: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new CannotRun(refusal, { cause: error });
  }
}

async function prepare(folder: string): Promise<void> {
  // A web server runs as another user. Everything in these files is public.
  process.umask(0o022);
  await openFolder(
    folder,
    `The folder ${folder} cannot be written to: give this user permission to write there.`,
  );
  if (!(await isOurFolder(folder)))
    throw new CannotRun(`${folder} has an index.json from another program: choose another folder.`);
}
