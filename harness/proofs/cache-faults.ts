import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNotices, everythingNotice, publishedChannel } from '../../src/published/notice.ts';
import { type Databases, untilListening } from './cache-databases.ts';
import type { Ledger } from './cache-ledger.ts';

export interface Disturbed {
  databases: Databases;
  opsUrls: string[];
  random: () => number;
  ledger: Ledger;
}

const listeners = "from pg_stat_activity where application_name = 'wartable-listener'";

export type Fault = keyof typeof faults;
export const faults = {
  'cut listeners': async ({ databases, ledger, opsUrls }: Disturbed) => {
    const over = ledger.deafen();
    await databases.onPrimary((client) => client.query(`select pg_terminate_backend(pid) ${listeners}`));
    await sleep(100);
    await untilListening(opsUrls);
    over();
  },
  /** The connections give no sign of it, and a replica whose replay is paused looks current. */
  'frozen listeners': async ({ databases, ledger, opsUrls }: Disturbed) => {
    const over = ledger.deafen();
    const pids = await databases.onPrimary(async (client) => {
      const { rows } = await client.query<{ pid: number }>(`select pid ${listeners}`);
      return rows.map(({ pid }) => pid);
    });
    for (const pid of pids) signal(pid, 'SIGSTOP');
    try {
      await sleep(6_000);
    } finally {
      for (const pid of pids) signal(pid, 'SIGCONT');
    }
    await untilListening(opsUrls);
    over();
  },
  'everything may have moved': ({ databases }: Disturbed) => notify(databases, [everythingNotice]),
  '2,000 notices that cannot be read': (run: Disturbed) =>
    flood(
      run,
      Array.from({ length: 2_000 }, (_, i) => `unreadable ${i}`),
    ),
  /** A server keeps only 100,000. */
  'notices of 110,000 things': (run: Disturbed) => {
    const payloads = Array.from({ length: 550 }, (_, i) => {
      const battle = new Map(Array.from({ length: 200 }, (_each, k) => [`flood-${i}-${k}`, 1n] as const));
      return encodeNotices({ battle });
    });
    return flood(run, payloads.flat());
  },
};

/** Sends a signal. A busy server may have given up its connection in the meantime. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Sends so many notices that others have to wait behind them. */
async function flood({ databases, ledger }: Disturbed, payloads: string[]): Promise<void> {
  const over = ledger.deafen();
  await notify(databases, payloads);
  await sleep(500);
  over();
}

async function notify(databases: Databases, payloads: string[]): Promise<void> {
  await databases.onPrimary((client) =>
    client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
      publishedChannel,
      payloads,
    ]),
  );
}

/** Pauses replay again and again while other faults happen. Returns the number of pauses. */
export async function pauseReplay(
  { databases, random }: Disturbed,
  longestMs: number,
  isEnough: () => boolean,
): Promise<number> {
  return databases.onReplica(async (client) => {
    let pauses = 0;
    for (; pauses === 0 || !isEnough(); pauses += 1) {
      await client.query('select pg_wal_replay_pause()');
      const resumeAt = performance.now() + random() * longestMs;
      while (performance.now() < resumeAt && !isEnough()) await sleep(50);
      await client.query('select pg_wal_replay_resume()');
      await sleep((random() * longestMs) / 3);
    }
    return pauses;
  });
}
