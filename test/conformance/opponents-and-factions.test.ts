import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Battle } from '../../src/contract/battle.ts';
import type { FactionRate, FactionRates } from '../../src/contract/extra/shapes.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { Tournament } from '../../src/contract/tournament.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Tests `GET /api/extra/v1/players/{publicId}/opponents` and `GET /api/extra/v1/factions` by counting again
// what `/api/v1` lists. The test server compares every answer with openapi-extra.json.

const database = await createTestDatabase();
const client = await database.pool.connect();
const until = dayNumber('2026-11-14');
await importLines(client, [...world({ seed: 4, battles: 1_500, from: until - 500, today: until })]);
client.release();
assert.deepEqual((await publishBacklog(database.pool)).failed, []);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);

const ask = (target: string, headers: Record<string, string> = {}) =>
  server.get(target, { ...bearer(key), ...headers });

async function answerOf<T>(target: string): Promise<T> {
  const { status, text, json } = await ask(target);
  assert.equal(status, 200, text);
  return json as T;
}

async function allOf<T>(path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let next: string | null = `${path}?limit=100`; next !== null;) {
    const page: { data: T[]; next: string | null } = await answerOf(next.replace(/^http:\/\/[^/]+/, ''));
    rows.push(...page.data);
    ({ next } = page);
  }
  return rows;
}

/** The member that counts the battles with an outcome. */
const memberOf = { win: 'won', draw: 'drawn', loss: 'lost' } as const;

interface OpponentRow {
  playerId: string;
  battles: number;
  [member: string]: unknown;
}
interface Opponents {
  data: OpponentRow[];
  next: null;
  isComplete: boolean;
}
const opponentsOf = (player: string) => answerOf<Opponents>(`/api/extra/v1/players/${player}/opponents`);

/** Counts the record of a player in the list of battles. */
async function recordsOf(player: string): Promise<OpponentRow[]> {
  const records = new Map<string, OpponentRow & { won: number; drawn: number; lost: number }>();
  for (const battle of await allOf<Battle>(`/api/v1/users/${player}/battles`)) {
    const own = battle.players?.find(({ playerId }) => playerId === player);
    const other = battle.players?.find((side) => side !== own);
    if (!own?.outcome || !other?.playerId) continue;
    const record = records.get(other.playerId) ?? {
      playerId: other.playerId,
      player: other.player,
      battles: 0,
      won: 0,
      drawn: 0,
      lost: 0,
      lastBattle: battle.id,
      lastDate: battle.date,
    };
    records.set(other.playerId, record);
    record.battles += 1;
    record[memberOf[own.outcome]] += 1;
  }
  // The list is in the order of the last battles, and the sort keeps that order among equals.
  return [...records.values()].toSorted((a, b) => b.battles - a.battles);
}

test('the record against each opponent is what the list of battles adds up to', async () => {
  const { rows } = await database.pool.query<{ player: string }>(
    'select player from published.player_battle group by 1 order by count(*) desc, 1',
  );
  const players = rows.map(({ player }) => player);
  let [opponents, repeated] = [0, 0];
  for (const player of [...players.slice(0, 25), ...players.slice(-5)]) {
    const { data, isComplete } = await opponentsOf(player);
    assert.deepEqual(data, await recordsOf(player), player);
    assert.equal(isComplete, true);
    opponents += data.length;
    repeated += data.filter(({ battles }) => battles > 1).length;
  }
  assert.ok(opponents > 100 && repeated > 20, `${opponents} opponents, ${repeated} more than once`);
});

test('a guest and an erased player are no opponents; a player without battles has none', async () => {
  const cup: FeedRecord = {
    kind: 'tournament',
    slug: 'small-cup',
    name: 'Small Cup',
    published: true,
    status: 'finished',
    startDate: '2026-10-01',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: [
      { id: 'a', player: 'x-ann' },
      { id: 'b', player: 'x-bea' },
      { id: 'g', name: 'A guest' },
    ],
    battles: ['b', 'g'].map((other, i) => ({
      id: `small-${i}`,
      stage: 'swiss',
      round: i + 1,
      finished: true,
      winner: 'a',
      sides: ['a', other].map((participant) => ({ participant })),
    })),
  };
  await publishFeed(database.pool, [
    ...['x-ann', 'x-bea', 'x-cy'].map((id): FeedRecord => ({ kind: 'player', id, name: id })),
    cup,
    {
      kind: 'tournament',
      slug: 'only-signed-up',
      name: 'S',
      published: true,
      status: 'planned',
      battleSize: 1,
      participants: [{ id: 'c', player: 'x-cy' }],
    },
  ]);
  const [bea] = (await opponentsOf('x-ann')).data;
  assert.equal(bea?.playerId, 'x-bea');
  assert.equal((await opponentsOf('x-ann')).data.length, 1);
  assert.deepEqual(await opponentsOf('x-cy'), { data: [], next: null, isComplete: true });
  await erasePerson(database.pool, { player: 'x-bea' });
  assert.deepEqual((await publishBacklog(database.pool)).failed, []);
  await eventually(async () => assert.deepEqual((await opponentsOf('x-ann')).data, []));
  assert.equal((await ask('/api/extra/v1/players/x-bea/opponents')).status, 404);
});

test('the answer has a tag, and a new result changes it', async () => {
  const target = '/api/extra/v1/players/x-ann/opponents';
  const etag = (await ask(target)).headers.get('etag') ?? '';
  assert.equal((await ask(target, { 'If-None-Match': etag })).status, 304);
  await publishFeed(database.pool, [
    {
      kind: 'battle',
      id: 'small-9',
      tournament: 'small-cup',
      stage: 'swiss',
      round: 3,
      finished: true,
      winner: null,
      sides: [{ participant: 'a' }, { participant: 'g' }],
    },
  ]);
  await eventually(async () => assert.equal((await ask(target, { 'If-None-Match': etag })).status, 200));
});

const factionsIn = (query: string) => answerOf<FactionRates>(`/api/extra/v1/factions${query}`);

interface Count {
  won: number;
  drawn: number;
  lost: number;
  entries: number;
}

/** Counts the factions of the tournaments that have begun in these months, from lists of `/api/v1`. */
async function countedFactions(isIn: (tournament: Tournament) => boolean): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  const countOf = (faction: string) => {
    const count = counts.get(faction) ?? { won: 0, drawn: 0, lost: 0, entries: 0 };
    counts.set(faction, count);
    return count;
  };
  for (const tournament of await allOf<Tournament>('/api/v1/tournaments')) {
    if (tournament.status !== 'finished' || tournament.startDate === null || !isIn(tournament)) continue;
    const path = `/api/v1/tournaments/${tournament.slug}`;
    for (const { faction, noShow } of await allOf<
      Participant & { faction?: string | null; noShow?: boolean }
    >(`${path}/participants`))
      if (faction && noShow !== true) countOf(faction).entries += 1;
    for (const { players } of await allOf<Battle>(`${path}/battles`)) {
      const [one, other] = players ?? [];
      if (!one?.outcome || !one.faction || !other?.faction || one.faction === other.faction) continue;
      for (const { faction, outcome } of [one, other])
        countOf(faction ?? '')[memberOf[outcome ?? 'draw']] += 1;
    }
  }
  return counts;
}

const monthOf = ({ startDate }: Tournament) => startDate?.slice(0, 7) ?? '';

for (const [window, pack] of [['all'], ['year'], ['quarter'], ['month'], ['all', true]] as const) {
  test(`factions, window ${window}${pack === true ? ' and one battle pack' : ''}: what the battles add up to`, async () => {
    const all = await allOf<Tournament>('/api/v1/tournaments');
    const over = all.filter(({ status, startDate }) => status === 'finished' && startDate !== null);
    const chosen = pack === true ? (over.find(({ battlePack }) => battlePack)?.battlePack ?? '') : undefined;
    const query = new URLSearchParams({ window, ...(chosen !== undefined && { pack: chosen }) }).toString();
    const answer = await factionsIn(`?${query}`);
    assert.ok(answer.data.length > 3 && answer.from !== null && answer.to !== null);
    const counts = await countedFactions(
      (each) =>
        monthOf(each) >= (answer.from ?? '') &&
        monthOf(each) <= (answer.to ?? '') &&
        (chosen === undefined || each.battlePack === chosen),
    );
    const months = { month: 1, quarter: 3, year: 12, all: Infinity }[window];
    assert.ok(monthsBetween(answer.from ?? '', answer.to ?? '') <= months);
    const found = answer.data.filter(({ battles }) => battles > 0);
    assert.deepEqual(
      new Set(found.map(({ faction }) => faction)),
      new Set([...counts].filter(([, { won, drawn, lost }]) => won + drawn + lost > 0).map(([name]) => name)),
    );
    for (const record of found) {
      const { won, drawn, lost } = counts.get(record.faction) ?? {};
      assert.deepEqual([record.won, record.drawn, record.lost], [won, drawn, lost], record.faction);
      assert.equal(record.battles, record.won + record.drawn + record.lost);
      assertWilson(record);
    }
  });
}

function monthsBetween(from: string, to: string): number {
  const number = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5));
  return number(to) - number(from) + 1;
}

/** The ends of a Wilson interval are the shares p for which the observed share is 1.96 standard errors away. */
function assertWilson({ battles, won, drawn, winRate, low, high }: FactionRate): void {
  const observed = (won + drawn / 2) / battles;
  assert.ok(Math.abs((winRate ?? -1) - observed) < 0.000_051);
  for (const end of [low ?? -1, high ?? -1]) {
    assert.ok(end >= 0 && end <= 1);
    if (end < 0.000_1 || end > 0.999_9) continue;
    const distance = Math.abs(observed - end);
    const expected = 1.959_964 * Math.sqrt((end * (1 - end)) / battles);
    assert.ok(Math.abs(distance - expected) < 0.002, `${distance} is not ${expected}`);
  }
}

test('the strongest faction comes first, and those with few battles last', async () => {
  let few = 0;
  for (const window of ['all', 'quarter', 'month']) {
    const { data } = await factionsIn(`?window=${window}`);
    const enough = data.filter(({ battles }) => battles >= 30);
    assert.deepEqual(data.slice(0, enough.length), enough);
    for (const [i, { winRate }] of enough.entries())
      assert.ok((enough[i - 1]?.winRate ?? 1) >= (winRate ?? 2));
    few += data.length - enough.length;
  }
  assert.ok(few > 3, `${few} factions with few battles`);
});

for (const [query, message] of [
  ['?window=week', 'window must be one of month, quarter, year, all'],
  ['?window=', 'window must be one of month, quarter, year, all'],
  ['?window=year&window=year', 'window must be given only once'],
  [`?pack=${'a'.repeat(201)}`, 'pack must not exceed 200 characters'],
  ['?pack=a&pack=b', 'pack must be given only once'],
  ['?length=short', 'length must be long, or absent'],
  ['?length=long&length=long', 'length must be given only once'],
] as const) {
  test(`factions${query.slice(0, 40)} is refused`, async () => {
    const { status, json } = await ask(`/api/extra/v1/factions${query}`);
    assert.equal(status, 400);
    assert.deepEqual(json, { error: { status: 400, message, code: 'BAD_REQUEST' } });
  });
}

test('what nobody plays is an empty list, and a NUL or broken text is no error of ours', async () => {
  for (const pack of ['Nothing', '%00', '%ff', '%F0%9F%8E%B2', "'--"]) {
    assert.deepEqual(await factionsIn(`?pack=${pack}`), {
      data: [],
      next: null,
      from: null,
      to: null,
      tournaments: 0,
    });
  }
});
