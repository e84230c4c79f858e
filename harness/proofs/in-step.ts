import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { stream, type Random } from '../../src/world/chance/random.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { wartable } from '../support/command.ts';
import { publishedRows } from '../support/published.ts';
import { startSshd } from '../support/sshd.ts';
import { randomChange, startPlatform } from './platform-changes.ts';
import { onClient, type Proof, withDatabase, withFolder } from './proof.ts';

const root = path.resolve(import.meta.dirname, '../..');
const exporter = path.join(root, 'examples/platform/export.mjs');

/**
 * Proves that the example in examples/platform stays in step: a backfill, then random changes on the foreign
 * side, while the exporter, `ssh` and the import are killed at random. At the end `feed compare` reports no
 * difference, and the documents are those of a fresh database.
 */
export const inStep: Proof = ({ serverUrl, size }) =>
  withFolder((folder) =>
    withDatabase(serverUrl, (wartableUrl) =>
      withDatabase(serverUrl, (platformUrl) =>
        withDatabase(serverUrl, async (freshUrl) => {
          const [events, changes, kills] = size === 'stated' ? [500, 2_000, 60] : [20, 120, 6];
          const random = stream(Number(process.env['KILL_SEED'] ?? Date.now() % 100_000), 'in step');
          await onClient(platformUrl, (client) => startPlatform(client, random, events));
          const feed = path.join(folder, 'backfill.ndjson');
          await backfill(platformUrl, feed);
          assert.equal((await wartable(['import', feed], { DATABASE_URL: wartableUrl })).code, 0);

          const { call, stop } = await startSshd(folder, forced(folder, wartableUrl));
          const living = keepLiving(platformUrl, call);
          const refused = await onClient(platformUrl, async (client) => {
            for (let change = 0; change < changes; change += 1) {
              await randomChange(client, random);
              if (random.below(changes) < kills) await killOne(random, living, folder);
              if (random.below(10) === 0) await sleep(random.below(100));
            }
            await untilEmpty(client);
            return living.end();
          }).finally(stop);
          // A line that was cut off by a kill is refused, and is sent again.
          const unexpected = refused.filter((line) => !line.includes('the end of the file within it'));
          assert.deepEqual(unexpected, []);

          await backfill(platformUrl, feed);
          const compared = await wartable(['feed', 'compare', feed], { DATABASE_URL: wartableUrl });
          assert.equal(compared.code, 0, compared.stdout + compared.stderr);
          assert.equal((await wartable(['import', feed], { DATABASE_URL: freshUrl })).code, 0);
          await wartable(['publish'], { DATABASE_URL: wartableUrl });
          assert.deepEqual(await documents(wartableUrl), await documents(freshUrl));
          return [
            `${changes} changes, ${living.kills} kills: \`feed compare\` says equal.`,
            `${events} events, then ${changes} random changes, ${living.kills} times the exporter, ssh or the import was killed: \`feed compare\` says equal, and all documents equal those of a fresh database.`,
          ];
        }),
      ),
    ),
  );

const forced = (folder: string, url: string): string => `cd ${root}
exec 9>${folder}/lock
flock 9
echo $$ > ${folder}/import.pid
export DATABASE_URL='${url}'
exec ${process.execPath} src/cli.ts import --acknowledge - 2>>${folder}/errors`;

async function backfill(platformUrl: string, file: string): Promise<void> {
  const env = { ...bareEnvironment, PLATFORM_URL: platformUrl };
  const options = { env, maxBuffer: 1 << 30 };
  const { stdout } = await promisify(execFile)(process.execPath, [exporter, 'backfill'], options);
  await writeFile(file, stdout);
}

interface Living {
  exporter: ChildProcess | undefined;
  kills: number;
  end: () => Promise<string[]>;
}

/** Starts the exporter again and again, as a supervisor does. */
function keepLiving(platformUrl: string, call: string[]): Living {
  const over = new AbortController();
  let said = '';
  const living: Living = { exporter: undefined, kills: 0, end };
  const run = (async () => {
    while (!over.signal.aborted) {
      const child = spawn(process.execPath, [exporter, 'live', '--', 'ssh', ...call], {
        env: { ...bareEnvironment, PLATFORM_URL: platformUrl },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      living.exporter = child;
      await once(child, 'exit');
    }
  })();
  async function end(): Promise<string[]> {
    over.abort();
    living.exporter?.kill('SIGKILL');
    await run;
    return said.split('\n').filter((line) => line.startsWith('{'));
  }
  return living;
}

async function killOne(random: Random, living: Living, folder: string): Promise<void> {
  const pid = living.exporter?.pid;
  if (pid === undefined) return;
  living.kills += 1;
  const what = random.below(3);
  if (what === 0) living.exporter?.kill('SIGKILL');
  else if (what === 1) kill(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''));
  else kill(await readFile(path.join(folder, 'import.pid'), 'utf8').catch(() => ''));
}

function kill(pids: string): void {
  const [pid] = pids.trim().split(/\s+/);
  try {
    if (pid) process.kill(Number(pid), 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

async function untilEmpty(client: pg.Client): Promise<void> {
  for (let left = 1; left > 0; await sleep(100)) {
    const { rows } = await client.query<{ left: number }>(
      'select count(*)::int as left from platform.outbox',
    );
    left = rows[0]?.left ?? 0;
  }
}

/**
 * Returns all documents except those of players whom nothing shows. Those who were merged are erased here,
 * and unknown in a fresh database.
 */
async function documents(url: string): Promise<string[]> {
  return onClient(url, async (client) =>
    (await publishedRows(client)).filter((row) => !/^player \([^,]*,\)$/.test(row)),
  );
}
