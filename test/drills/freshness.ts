import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNotices, publishedChannel } from '../../src/publish/published-notice.ts';
import { type Databases, startDatabases, untilListening } from '../proofs/cache-databases.ts';
import { startProofServer } from '../proofs/serving.ts';
import type { Drill } from './drill.ts';

// One document changes on the primary, and a server with a replica is asked for it, again and again. `prove cache-exact`
// judges the same with many documents and all faults at random.

const replicaLags: Drill = {
  name: 'replica-lags',
  expected: 'replay paused: no answer older than the newest revision heard of, none cached',
  run: ({ size }) =>
    withDocument(async (document) => {
      const { databases } = document;
      await databases.onReplica((client) => client.query('select pg_wal_replay_pause()'));
      const changes = size === 'small' ? 10 : 200;
      const times: number[] = [];
      let older = 0;
      for (let i = 0; i < changes; i += 1) {
        await document.change();
        times.push(await document.untilFresh(5_000));
        for (let again = 0; again < 5; again += 1) older += (await document.isFresh()) ? 0 : 1;
      }
      await databases.onReplica((client) => client.query('select pg_wal_replay_resume()'));
      older += (await document.isFresh()) ? 0 : 1;
      return {
        met: older === 0,
        figures: `${changes} changes while the replica stood still, ${older} of ${changes * 5 + 1} answers were older than one before; new ones came ${range(times)} ms after the commit`,
      };
    }),
};

const listenerCut: Drill = {
  name: 'listener-cut',
  expected: 'its backend terminated, or frozen without a sign: no answer older than 5 s',
  run: ({ size }) =>
    withDocument(async ({ databases, change, isFresh, untilFresh, opsUrl }) => {
      const turns = size === 'small' ? 1 : 5;
      const [cut, frozen]: [number[], number[]] = [[], []];
      for (let i = 0; i < turns; i += 1) {
        const pids = await listeners(databases);
        await databases.onPrimary((client) =>
          client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]),
        );
        await change();
        cut.push(await untilFresh(10_000));
        await untilListening([opsUrl]);
        // Now it is in memory, and may be sent from there.
        for (let again = 0; again < 3; again += 1) await isFresh();
        const deaf = await listeners(databases);
        for (const pid of deaf) process.kill(pid, 'SIGSTOP');
        try {
          await change();
          frozen.push(await untilFresh(10_000));
        } finally {
          for (const pid of deaf) process.kill(pid, 'SIGCONT');
        }
        await untilListening([opsUrl]);
      }
      return {
        met: Math.max(...cut, ...frozen) <= 5_000,
        figures: `the new answer came ${range(cut)} ms after the commit with the backend terminated, ${range(frozen)} ms with it frozen (${turns} each)`,
      };
    }),
};

const standbyPromoted: Drill = {
  name: 'standby-promoted',
  expected: 'the listener moves, the cache is emptied, nothing stale is served after',
  run: ({ size }) =>
    withDocument(async (document) => {
      const { databases, opsUrl } = document;
      const turns = size === 'small' ? 1 : 3;
      const [listening, fresh]: [number[], number[]] = [[], []];
      let lost = 0;
      for (let i = 0; i < turns; i += 1) {
        await document.change();
        await document.untilFresh(5_000);
        await sleep(300);
        // The standby never gets the next change: the server knows a revision that the new primary does not have.
        await databases.cutReplication();
        await sleep(300);
        await document.change();
        await document.untilFresh(5_000);
        await databases.promote();
        const backAt = performance.now();
        await untilListening([opsUrl]);
        listening.push(performance.now() - backAt);
        await document.asOnPrimary();
        for (let again = 0; again < 10; again += 1) lost += (await document.isFresh()) ? 0 : 1;
        await document.change();
        fresh.push(await document.untilFresh(5_000));
      }
      return {
        met: lost === 0 && Math.max(...fresh) <= 1_000,
        figures: `${turns} promotions that lost a commit: ${lost} of ${turns * 10} answers showed the lost one; listening ${range(listening)} ms after the new primary stood, the next change shown ${range(fresh)} ms after its commit`,
      };
    }),
};

export const freshness: Drill[] = [replicaLags, listenerCut, standbyPromoted];

interface Changing {
  databases: Databases;
  opsUrl: string;
  /** Commits a new version, as the publisher does. */
  change: () => Promise<void>;
  /** Whether the server sends the newest version. */
  isFresh: () => Promise<boolean>;
  /** Milliseconds from the commit. */
  untilFresh: (withinMs: number) => Promise<number>;
  /** Takes what the primary has for the newest, and waits until the server sends it once. */
  asOnPrimary: () => Promise<void>;
}

async function withDocument(
  work: (changing: Changing) => ReturnType<Drill['run']>,
): ReturnType<Drill['run']> {
  const databases = await startDatabases();
  const server = await startProofServer(databases.primaryUrl, [databases.replicaUrl]);
  let sequence = 0;
  let committedAt = 0;
  const seen = async (): Promise<number> => {
    const answer = await fetch(`${server.apiUrl}/api/v1/clubs/club-0`, {
      headers: { authorization: `Bearer ${databases.key}` },
    });
    return Number(/seq (\d+)/.exec(await answer.text())?.[1] ?? -1);
  };
  const isFresh = async () => (await seen()) === sequence;
  const untilFresh = async (withinMs: number): Promise<number> => {
    while (!(await isFresh())) {
      if (performance.now() - committedAt > withinMs) return Infinity;
      await sleep(2);
    }
    return performance.now() - committedAt;
  };
  try {
    await untilListening([server.opsUrl]);
    return await work({
      databases,
      opsUrl: server.opsUrl,
      isFresh,
      untilFresh,
      async change() {
        sequence += 1;
        const revision = Date.now() * 1_000;
        const [notice] = encodeNotices({ club: new Map([['club-0', BigInt(revision)]]) });
        await databases.onPrimary(async (client) => {
          await client.query(`begin;
            update published.club set revision = ${revision},
              document = regexp_replace(document, 'seq \\d+', 'seq ${sequence}') where slug = 'club-0';
            select pg_notify('${publishedChannel}', '${notice}');
            commit`);
          committedAt = performance.now();
        });
      },
      async asOnPrimary() {
        sequence = await databases.onPrimary(async (client) => {
          const { rows } = await client.query<{ document: string }>(
            "select document from published.club where slug = 'club-0'",
          );
          return Number(/seq (\d+)/.exec(rows[0]?.document ?? '')?.[1]);
        });
        committedAt = performance.now();
        assert.ok((await untilFresh(5_000)) < 5_000, 'the document of the new primary is not sent');
      },
    });
  } finally {
    await server.close();
    await databases.remove();
  }
}

async function listeners(databases: Databases): Promise<number[]> {
  return databases.onPrimary(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'wartable-listener'",
    );
    return rows.map(({ pid }) => pid);
  });
}

function range(values: number[]): string {
  return `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
}
