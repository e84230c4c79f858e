import { readFile } from 'node:fs/promises';
import { startAsInstalled } from '../measure/installed-flags.ts';
import type { ServeProcess } from '../measure/serve-process.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import {
  addParticipant,
  addTournament,
  insertRows,
  listWithoutText,
  noRows,
  participant,
  tournament,
} from '../support/published-world.ts';
import { withDatabase } from './proof.ts';

export interface HeavyServer extends ServeProcess {
  keys: string[];
}

/**
 * 100 participants with the longest lists that a feed may contain: 2 MB, the largest page that is possible.
 */
export const heavyPage = '/api/v1/tournaments/heavy/participants?limit=100';
/** Pages of ordinary size. */
export const usualPages = Array.from({ length: 20 }, (_, i) => `/api/v1/tournaments/usual-${i}/participants`);

/** Lends `wartable serve`, as it is installed, on a database with pages of 2 MB. */
export async function withHeavyServer<T>(
  serverUrl: string,
  work: (server: HeavyServer) => Promise<T>,
): Promise<T> {
  return withDatabase(serverUrl, async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-proof', size: 2 });
    try {
      const keys = await fill(pool);
      const server = await startAsInstalled(url, {});
      try {
        return await work({ ...server, keys });
      } finally {
        await server.close();
      }
    } finally {
      await pool.end();
    }
  });
}

async function fill(pool: ReturnType<typeof createPool>): Promise<string[]> {
  const rows = noRows();
  const add = (slug: string, count: number, text: (i: number) => string) => {
    addTournament(rows, tournament({ slug }));
    for (let i = 0; i < count; i += 1) {
      const list = { ...listWithoutText, text: text(i) };
      addParticipant(rows, slug, `e${i}`, participant({ player: `Player ${i}`, list }));
    }
  };
  add('heavy', 100, (i) => `10 Wick Guard (${i})\n`.repeat(20_000).slice(0, 20_000));
  for (const [i] of usualPages.entries()) add(`usual-${i}`, 20, () => 'Wick Guard\n'.repeat(40));
  await insertRows(pool, rows);
  const keys: string[] = [];
  for (let i = 0; i < 10; i += 1) keys.push((await createKeyForAccount(pool, `caller ${i}`)).key);
  return keys;
}

/** Watches the resident memory of a process. */
export function watchMemory(pid: number) {
  let peak = 0;
  const timer = setInterval(() => {
    void residentMb(pid).then((now) => (peak = Math.max(peak, now)));
  }, 100);
  return async (): Promise<number> => {
    clearInterval(timer);
    return Math.max(peak, await residentMb(pid));
  };
}

async function residentMb(pid: number): Promise<number> {
  // We don't use `ps`, because starting a program every 100 ms would stop the callers that we measure.
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_000);
}
