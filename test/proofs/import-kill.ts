import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { at, stream } from '../../src/world/chance/random.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { allFacts, importLines, takeMarks } from '../support/feed.ts';
import { finishedTournaments, isFinished } from './finished-tournaments.ts';
import { cloner, onClient, type Proof, untilAlone, withDatabase, withFolder } from './proof.ts';

/**
 * Kills an import that changes and adds events, players and casual battles, at a random moment. Then each thing must be
 * completely old or completely new, exactly the changed ones must be marked, and importing again must finish the work.
 */
export const importKill: Proof = ({ serverUrl, size }) =>
  withFolder((folder) =>
    withDatabase(serverUrl, async (url) => {
      const kills = size === 'stated' ? 50 : 3;
      const before = [...finishedTournaments(size === 'stated' ? 2_000 : 500)];
      const feed = path.join(folder, 'changes.ndjson');
      await writeFile(
        feed,
        changesOf(before)
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      );
      const old = await onClient(url, async (client) => {
        assert.deepEqual((await importLines(client, before)).refusals, []);
        await takeMarks(client);
        return things(client);
      });
      const clone = cloner(serverUrl, url);
      const { told, unkilled } = await clone(async (copy) => {
        const whole = await runChild(copy, feed);
        return { told: await onClient(copy, things), unkilled: whole };
      });
      const changed = changedThings(old, told);
      const random = stream(Number(process.env['KILL_SEED'] ?? Date.now() % 100_000), 'kills');
      let within = 0;
      for (let kill = 0; kill < kills; kill++) {
        await clone(async (copy) => {
          const batches = random.below(unkilled.batches);
          await runChild(copy, feed, {
            batches,
            milliseconds: (random.unit() * unkilled.milliseconds) / unkilled.batches,
          });
          const done = await checkAfterKill(copy, old, told);
          if (done > 0 && done < changed.length) within++;
          await runChild(copy, feed);
          await onClient(copy, async (client) => {
            assert.deepEqual(await things(client), told, 'importing again completes it');
            const marks = new Set(await takeMarks(client));
            assert.deepEqual([...marks].toSorted(), changed, 'and everything changed is marked');
          });
        });
      }
      assert.ok(within > 0, 'no kill fell between the first batch and the last');
      return [
        `${kills} kills at random moments of an import of ${changed.length} changed things in ${unkilled.batches} batches, ${within} of them when some batches were recorded and some were not. Each time every thing was completely old or completely new, exactly the new things were marked, and the second run completed the import.`,
      ];
    }),
  );

/**
 * Changes every tournament in several parts, so that half a change is neither old nor new. Also adds tournaments. It
 * leaves out all matches, because a match may name the battle that is left out.
 */
function changesOf(before: FeedRecord[]): FeedRecord[] {
  const players = before.filter((record) => record.kind === 'player');
  return before.filter(isFinished).flatMap((tournament, index): FeedRecord[] => {
    const { slug, stages, participants, battles } = tournament;
    const player = at(players, index).id;
    return [
      { kind: 'player', id: player, name: `Renamed ${index}` },
      {
        ...tournament,
        name: `${slug}, told again`,
        participants: participants.map((entry) => ({ ...entry, dropped: true })),
        battles: battles.slice(1).map((battle) => ({ ...battle, scenario: 'Last Ferry' })),
        byes: [{ stage: at(stages, 0).id, round: 1, participant: at(participants, 0).id, win: true }],
        matches: [],
      },
      { kind: 'battle', id: `casual-${index}`, battleSize: 1000, sides: [{ player }, { name: 'G' }] },
      {
        ...tournament,
        slug: `new-${slug}`,
        battles: battles.map((battle) => ({ ...battle, id: `new-${battle.id}` })),
        matches: [],
      },
    ];
  });
}

async function checkAfterKill(url: string, old: Things, told: Things): Promise<number> {
  return onClient(url, async (client) => {
    await untilAlone(client);
    const now = await things(client);
    const changed: string[] = [];
    for (const thing of new Set([...Object.keys(old), ...Object.keys(told), ...Object.keys(now)])) {
      if (now[thing] === old[thing]) continue;
      assert.equal(now[thing], told[thing], `${thing} is neither as before nor as told`);
      changed.push(thing);
    }
    const { rows } = await client.query<{ mark: string }>(
      `select distinct kind || ' ' || key as mark from record.stale order by 1`,
    );
    assert.deepEqual(rows.map(({ mark }) => mark).toSorted(), changed.toSorted(), 'the marks are right');
    return changed.length;
  });
}

/** By mark (`tournament x`, `player y`, `battle z`): all its recorded rows, as one text. */
type Things = Record<string, string>;

async function things(client: pg.Client): Promise<Things> {
  const all: Things = {};
  for (const [table, rows] of Object.entries(await allFacts(client))) {
    for (const row of rows) {
      const fact = JSON.parse(row) as { tournament?: string | null; slug?: string; id?: string };
      let thing = `tournament ${fact.tournament ?? fact.slug}`;
      if (table === 'record.player') thing = `player ${fact.id}`;
      else if (table === 'record.battle' && !fact.tournament) thing = `battle ${fact.id}`;
      else if (table === 'record.club' || table === 'record.battle_pack') thing = table;
      all[thing] = `${all[thing] ?? ''}${table} ${row}\n`;
    }
  }
  return all;
}

const changedThings = (old: Things, told: Things): string[] =>
  Object.keys(told)
    .filter((thing) => told[thing] !== old[thing])
    .toSorted();

/** A moment of the import: the number of recorded batches, and the milliseconds since the last of them. */
interface Moment {
  batches: number;
  milliseconds: number;
}

/** Returns how many batches it recorded and how long it took. Kills the process at the given moment, if any. */
async function runChild(url: string, feed: string, moment?: Moment): Promise<Moment> {
  const script = fileURLToPath(new URL('import-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, feed], {
    env: { ...bareEnvironment, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  let dots = 0;
  let started = 0;
  let killing = false;
  child.stdout.on('data', (text: Buffer) => {
    if (dots === 0) started = performance.now();
    dots += text.length;
    if (killing || !moment || dots <= moment.batches) return;
    killing = true;
    setTimeout(() => child.kill('SIGKILL'), moment.milliseconds);
  });
  const [code, signal] = await ended;
  if (signal === null) assert.equal(code, 0, 'the import ended badly');
  return { batches: dots - 1, milliseconds: performance.now() - started };
}
