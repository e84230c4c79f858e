import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServe } from '../../bench/serve-process.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount, setAccount } from '../../src/keys/store.ts';
import { windowSeconds } from '../../src/serve/limits/limiter.ts';
import { withDatabase, withFolder } from '../proofs/proof.ts';
import { publishWorld } from '../support/published-world.ts';
import type { Drill } from './drill.ts';

const libraries = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
);
const hours = [0, 1, -1, 12, 0, -12, 23, 0];

export const clockSteps: Drill = {
  name: 'clock-steps',
  expected:
    'the clock of a server jumps by hours: answers and cursors work, a cursor ends after 30 h at most, a limit refuses for a minute at most',
  run: ({ serverUrl }) =>
    withDatabase(serverUrl, (url) =>
      withFolder(async (folder) => {
        const library = libraries.find((file) => existsSync(file));
        if (library === undefined) throw new Error('it needs libfaketime: apt-get install libfaketime');
        const pool = createPool(url, { applicationName: 'drill', size: 2 });
        await publishWorld(pool);
        const { key } = await createKeyForAccount(pool, 'drill');
        const { key: limited } = await createKeyForAccount(pool, 'limited');
        await setAccount(pool, 'limited', { limit: 5 });
        await pool.end();
        const clock = path.join(folder, 'clock');
        await writeFile(clock, '+0');
        const server = await startServe(url, {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          // Timers run on, as on a machine whose clock is set.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
          RATE_LIMIT: '1000000',
        });
        try {
          const ask = async (target: string, by = key) => {
            const answer = await fetch(new URL(target, server.origin), {
              headers: { authorization: `Bearer ${by}` },
            });
            return { status: answer.status, headers: answer.headers, text: await answer.text() };
          };
          /** Seconds to wait for a caller above the limit. */
          const refusedFor = async () => {
            for (;;) {
              const { status, headers } = await ask('/api/v1/tournaments/event-1', limited);
              if (status === 429) return Number(headers.get('retry-after'));
            }
          };
          const first = await ask('/api/v1/tournaments?limit=5');
          const { next } = JSON.parse(first.text) as { next: string };
          const cursor = new URL(next);
          const target = `${cursor.pathname}${cursor.search}`;
          const wanted = (await ask(target)).text.replace(/"next":.*/, '');
          let [asked, wrong, stepped, longestRefusal] = [0, 0, 0, 0];
          for (const hour of hours) {
            await writeFile(clock, `${hour < 0 ? '' : '+'}${hour * 3_600}`);
            for (let i = 0; i < 20; i += 1) {
              const page = await ask(target);
              const item = await ask(`/api/v1/tournaments/event-${i}`);
              asked += 2;
              if (page.status !== 200 || page.text.replace(/"next":.*/, '') !== wanted) wrong += 1;
              if (item.status !== 200) wrong += 1;
              await sleep(20);
            }
            longestRefusal = Math.max(longestRefusal, await refusedFor());
            // Node writes the time of its headers once a second.
            await sleep(1_100);
            const seen = Date.parse((await ask(target)).headers.get('date') ?? '') - Date.now();
            if (Math.abs(seen - hour * 3_600_000) < 60_000) stepped += 1;
          }
          await writeFile(clock, `+${31 * 3_600}`);
          await sleep(100);
          const late = (await ask(target)).status;
          await writeFile(clock, '-43200');
          await refusedFor();
          await sleep(windowSeconds * 1_000);
          const passes = (await ask('/api/v1/tournaments/event-1', limited)).status;
          return {
            met:
              wrong === 0 &&
              late === 400 &&
              stepped === hours.length &&
              longestRefusal <= windowSeconds &&
              passes === 200,
            figures: `${hours.length} steps (${hours.join(', ')} h), ${stepped} seen in the Date header: ${wrong} of ${asked} answers wrong; the first cursor after 31 h: ${late}; a limit refused for ${longestRefusal} s at most, ${windowSeconds} s later: ${passes}`,
          };
        } finally {
          await server.close();
        }
      }),
    ),
};
