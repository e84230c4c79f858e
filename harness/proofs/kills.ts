import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { schemaText } from '../support/schema-text.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { at, stream } from '../../src/world/chance/random.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { allFacts, importLines } from '../support/feed.ts';
import { publishedRows, rowsByThing } from '../support/published.ts';
import { finishedTournaments, isFinished } from './finished-tournaments.ts';
import type { Statements } from './kill-child.ts';
import { cloner, onClient, type Proof, untilAlone, withDatabase, withFolder } from './proof.ts';

/** A task that is killed: the argument of its process, and what must be intact afterwards. */
interface Work {
  name: string;
  given: string;
  kills: number;
  /** Returns the things by name. Each must be either entirely as before or entirely as after. */
  things: (client: pg.Client) => Promise<Map<string, string>>;
  /** Checks what else must hold right after a kill. */
  check?: (client: pg.Client, changed: string[]) => Promise<void>;
  /** Returns what the next process does after a kill. By default it repeats the task. */
  next?: (isDone: boolean) => [string, string];
}

const random = stream(Number(process.env['KILL_SEED'] ?? Date.now() % 100_000), 'kills');

/**
 * Kills an import, the publisher after it, an erasure and a migration, at moments spread over all their
 * statements. Each thing is either entirely old or entirely new, and the next run completes the task: it
 * leaves the same rows as one that was never killed.
 */
export const kills: Proof = ({ serverUrl, size }) =>
  withFolder((folder) =>
    withDatabase(serverUrl, async (url) => {
      const [many, few] = size === 'stated' ? [50, 20] : [3, 4];
      const world = [...finishedTournaments(size === 'stated' ? 2_000 : 500)];
      const changes = changesOf(world);
      const erased = busiest(world, changes);
      const feed = path.join(folder, 'changes.ndjson');
      await writeFile(feed, changes.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await onClient(url, async (client) => {
        const told = await importLines(client, world);
        assert.deepEqual(told.refusals, []);
      });
      await runChild(url, ['publish', '']);

      const figures: string[] = [];
      const imported: Work = { name: 'import', given: feed, kills: many, things: factsByThing, check: marks };
      const published: Work = { name: 'publish', given: '', kills: many, things: rowsByThing };
      const erasing: Work = {
        name: 'erase',
        given: erased,
        kills: few,
        things: recordAndAudit,
        next: (isDone) => (isDone ? ['publish', ''] : ['erase', erased]),
      };
      // Each task begins with what the previous one left.
      figures.push(
        ...(await killAll(serverUrl, url, imported, (after) =>
          killAll(serverUrl, after, published, (last) =>
            killAll(serverUrl, last, erasing, () => Promise.resolve([])),
          ),
        )),
        // This compares schemas as PostgreSQL 18 writes them, and CI uses another version.
        ...(size === 'stated' ? [await killMigrations(serverUrl, few)] : []),
      );
      return [
        `${2 * many + few + (size === 'stated' ? few : 0)} kills: no half change, and the next run completed it.`,
        ...figures,
      ];
    }),
  );

/** Returns the figures of this task, and of those that follow it on the database that it leaves. */
async function killAll(
  serverUrl: string,
  url: string,
  work: Work,
  following: (url: string) => Promise<string[]>,
): Promise<string[]> {
  const { name, given, things, check, next = () => [name, given] } = work;
  const clone = cloner(serverUrl, url);
  const before = await onClient(url, things);
  return clone(async (whole) => {
    const statements = (await runChild(whole, [name, given])) as Statements;
    const after = await onClient(whole, things);
    const rows = await onClient(whole, publishedRows);
    const different = changed(before, after);
    assert.ok(different.length > 0, `${name} changes nothing`);
    let [within, done] = [0, 0];
    for (let kill = 0; kill < work.kills; kill += 1) {
      await clone(async (copy) => {
        await runChild(copy, [name, given], momentOf(kill, work.kills, statements));
        const fresh = await onClient(copy, async (client) => {
          await untilAlone(client);
          const now = await things(client);
          const moved = changed(before, now);
          for (const thing of moved)
            assert.equal(now.get(thing), after.get(thing), `${thing} is neither as before nor as after`);
          await check?.(client, moved);
          return moved.length;
        });
        if (fresh === different.length) done += 1;
        else if (fresh > 0) within += 1;
        await runChild(copy, next(fresh === different.length));
        await onClient(copy, async (client) => {
          assert.deepEqual(await things(client), after, 'the next run completes it');
          assert.deepEqual(await publishedRows(client), rows);
          if (name !== 'import') assert.equal((await client.query('select from record.mark')).rowCount, 0);
        });
      });
    }
    const figure = `${name}: ${work.kills} kills at moments spread over ${statements.sent} statements, with ${different.length} things that change: ${within} times some were new, ${done} times all.`;
    assert.ok(within > 0 || (done > 0 && done < work.kills) || work.kills < 20, figure);
    return [figure, ...(await following(whole))];
  });
}

async function killMigrations(serverUrl: string, count: number): Promise<string> {
  const empty = cloner(serverUrl, 'postgres://x/template0');
  const [statements, expected] = await empty(async (url) => {
    const counted = (await runChild(url, ['migrate', ''])) as Statements;
    return [counted, await schemaText(url)] as const;
  });
  for (let kill = 0; kill < count; kill += 1) {
    await empty(async (url) => {
      await runChild(url, ['migrate', ''], momentOf(kill, count, statements));
      await onClient(url, untilAlone);
      await runChild(url, ['migrate', '']);
      assert.equal(await schemaText(url), expected);
    });
  }
  return `migrate: ${count} kills at moments spread over ${statements.sent} statements: the next run made the same schema.`;
}

interface Moment {
  KILL_AT: string;
  KILL_AFTER: string;
}

/** Returns the moment of a kill. If there is a main transaction, two of three moments are inside it. */
function momentOf(kill: number, all: number, { begun, committed, sent }: Statements): Moment {
  const share = (kill + random.unit()) / all;
  let statement = begun + (sent - begun) * share;
  if (committed !== undefined)
    statement =
      share < 2 / 3
        ? begun + (committed - begun) * share * 1.5
        : committed + (sent - committed) * (share - 2 / 3) * 3;
  return { KILL_AT: String(1 + Math.floor(statement)), KILL_AFTER: String(random.unit()) };
}

/** Returns the child's counts, or nothing if it was killed. */
async function runChild(
  url: string,
  given: [string, string],
  moment?: Moment,
): Promise<Statements | undefined> {
  const script = fileURLToPath(new URL('kill-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...given], {
    env: { ...bareEnvironment, DATABASE_URL: url, ...moment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const printed = await text(child.stdout);
  const [code, signal] = (await ended) as [number | null, string | null];
  if (signal === 'SIGKILL' && moment !== undefined) return undefined;
  assert.equal(code, 0, `${given.join(' ')} ended badly`);
  return JSON.parse(printed) as Statements;
}

function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (thing) => now.get(thing) !== before.get(thing),
  );
}

/**
 * Returns changes to every tournament in several parts, so that half a change is neither old nor new, and
 * also new tournaments. Matches are left out, because a match may refer to the battle that is left out.
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

/** Returns all recorded rows as one text for each mark (`tournament x`, `player y`, `battle z`). */
async function factsByThing(client: pg.Client): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [table, rows] of Object.entries(await allFacts(client))) {
    for (const row of rows) {
      const fact = JSON.parse(row) as { tournament?: string | null; slug?: string; id?: string };
      let thing = `tournament ${fact.tournament ?? fact.slug}`;
      if (table === 'record.player') thing = `player ${fact.id}`;
      else if (table === 'record.battle' && !fact.tournament) thing = `battle ${fact.id}`;
      else if (table === 'record.club' || table === 'record.battle_pack') thing = table;
      all.set(thing, `${all.get(thing) ?? ''}${table} ${row}\n`);
    }
  }
  return all;
}

/** Asserts that exactly the things that changed are marked. */
async function marks(client: pg.Client, expected: string[]): Promise<void> {
  const { rows } = await client.query<{ mark: string }>(
    `select distinct kind || ' ' || key as mark from record.mark`,
  );
  assert.deepEqual(rows.map(({ mark }) => mark).toSorted(), expected.toSorted(), 'the marks are right');
}

/**
 * Treats a person as one thing: either erased everywhere and with an audit entry, or erased nowhere and
 * without one.
 */
async function recordAndAudit(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query('select action, kind, thing from audit.entry order by id');
  return new Map([['the person', JSON.stringify([await allFacts(client), rows])]]);
}

/** Returns the player with the most participations among those who keep their name. */
function busiest(records: FeedRecord[], changes: FeedRecord[]): string {
  const renamed = new Set(changes.flatMap((record) => (record.kind === 'player' ? record.id : [])));
  const counts = new Map<string, number>();
  for (const { participants } of records.filter(isFinished))
    for (const { player } of participants)
      if (player && !renamed.has(player)) counts.set(player, (counts.get(player) ?? 0) + 1);
  const [[id] = ['']] = [...counts].toSorted(([, a], [, b]) => b - a);
  return id;
}
