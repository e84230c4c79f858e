import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoardStandings } from '../../src/contract/standings.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import {
  type BattleEntry,
  type ByeEntry,
  knownTieBreaks,
  type ParticipantEntry,
  type RankingEntry,
} from '../../src/record/feed/tournament-records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { compared, equal, whole } from '../../harness/support/in-step.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// A platform that orders its table by strength of schedule and painting, which no tie-break can express, is
// published live through five rounds. Whatever arrives, the board shows the ranks of the platform, and says
// which round they are from.

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);
const client = await database.pool.connect();
atEnd(async () => client.release());

/** Keeps its own table, as any platform does, and sends every change as soon as it happens. */
class Platform {
  readonly participants: ParticipantEntry[] = Array.from({ length: 10 }, (_, index) => ({
    id: `p${index}`,
    lot: index,
    ...(index < 8 ? { player: `y${index}` } : { name: nameOf(index) }),
    ...(index === 9 && { noShow: true }),
  }));
  readonly battles: BattleEntry[] = [];
  readonly byes: ByeEntry[] = [];
  ranking: Omit<RankingEntry, 'stage'> = { afterRound: 0, ranks: [] };
  isErased = false;

  /** Records the present table. Those with the same sum share a rank. */
  rank(afterRound: number): FeedRecord {
    const present = this.participants.filter(({ dropped, noShow }) => !dropped && !noShow);
    const valued = present.map(({ id }) => ({ id, value: this.#strengthOf(id) + paintingOf(id) }));
    const ranks = valued.map(({ id, value }) => ({
      participant: id,
      rank: valued.filter((other) => other.value > value).length + 1,
    }));
    this.ranking = { afterRound, ranks };
    return { kind: 'ranking', tournament: 'live', stage: 'swiss', ...this.ranking };
  }

  /** Returns three points for each win of an opponent. */
  #strengthOf(id: string): number {
    const opponents = this.battles.flatMap(({ sides, finished }) => {
      const [first, second] = sides.map(({ participant }) => participant);
      return !finished ? [] : first === id ? second : second === id ? first : [];
    });
    return opponents.reduce(
      (sum, opponent) => sum + 3 * this.battles.filter(({ winner }) => winner === opponent).length,
      0,
    );
  }

  get event(): FeedRecord {
    const { participants, battles, byes, ranking } = this;
    return {
      kind: 'tournament',
      slug: 'live',
      published: true,
      name: 'Live',
      status: 'ongoing',
      startDate: new Date().toISOString().slice(0, 10),
      battleSize: 2000,
      tieBreaks: ['strength of schedule', 'painting', 'wins'],
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 5, ranking }],
      participants,
      battles,
      byes,
    };
  }

  /** Everything that the platform has. */
  get feed(): FeedRecord[] {
    const players = Array.from({ length: 8 }, (_, index): FeedRecord => {
      const isErased = this.isErased && index === 6;
      return { kind: 'player', id: `y${index}`, ...(isErased ? { erased: true } : { name: nameOf(index) }) };
    });
    return [...players, this.event];
  }

  /**
   * The board that the public must see: by rank, with equal ranks by wins and lot, and those without a rank
   * by name at the end.
   */
  get board(): string[] {
    const ranks = new Map(this.ranking.ranks.map(({ participant, rank }) => [participant, rank]));
    const winsOf = (id: string) =>
      this.battles.filter(({ winner }) => winner === id).length +
      this.byes.filter(({ participant }) => participant === id).length;
    const rows = this.participants.map(({ id, noShow = false }) => {
      const index = Number(id.slice(1));
      const rank = ranks.get(id);
      const last = noShow ? 1000 : 999;
      return { rank, order: rank ?? last, wins: rank === undefined ? 0 : winsOf(id), index };
    });
    return rows
      .toSorted((a, b) => a.order - b.order || b.wins - a.wins)
      .map(({ rank, index }) => `${rank ?? '-'} ${this.isErased && index === 6 ? '?' : nameOf(index)}`);
  }
}

const names = ['Ana', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo'];
const nameOf = (index: number): string => names[index] ?? '';
const paintingOf = (id: string): number => [7, 2, 2, 9, 4, 1, 8, 5, 4, 0][Number(id.slice(1))] ?? 0;

const platform = new Platform();
const tell = (...records: FeedRecord[]): Promise<void> => publishFeed(database.pool, records);
const small = (battle: BattleEntry): FeedRecord => ({ kind: 'battle', tournament: 'live', ...battle });

/** Returns the board in the API, and the line of the page that says how it is ordered. */
async function shown(): Promise<{ board: string[]; battlePoints: number; rule: string }> {
  const { json } = await server.get('/api/v1/tournaments/live/standings?stage=swiss', bearer(key));
  const { data } = json as BoardStandings;
  const text = await (await fetch(`${server.siteUrl}/tournaments/live?stage=swiss`)).text();
  return {
    board: data.map(({ rank, player }) => `${rank ?? '-'} ${player ?? '?'}`),
    battlePoints: data.reduce((sum, row) => sum + row.battlePoints, 0),
    rule: /<li class="rule">(Order: .*?)<\/li>/.exec(text)?.[1] ?? text,
  };
}

/** Asserts that this is shown, eventually, because servers learn of a change by a notice. */
const assertShown = (rule: string): Promise<void> =>
  eventually(async () => {
    const battlePoints = platform.battles.reduce((sum, { finished }) => sum + (finished ? 3 : 0), 0);
    const expected = { board: platform.board, battlePoints: battlePoints + 3 * platform.byes.length };
    assert.deepEqual(await shown(), { ...expected, rule });
  });

const recorded = 'Order: as recorded by the organiser.';
const from = (round: number): string =>
  round === 0 ? `${recorded} Ranking from before round 1.` : `${recorded} Ranking after round ${round}.`;

async function assertEqual(): Promise<void> {
  assert.deepEqual(await compared(client, whole(platform.feed)), equal);
}

test('its board equals the one of the platform after every round, and between them', async () => {
  await tell(...platform.feed);
  await assertShown(recorded);
  await assertEqual();
  for (let round = 1; round <= 5; round += 1) await playRound(round);
  const ranks = platform.ranking.ranks.map(({ rank }) => rank);
  assert.ok(new Set(ranks).size < ranks.length, 'somebody shares a rank');
});

async function playRound(round: number): Promise<void> {
  const there = platform.participants
    .filter(({ dropped, noShow }) => !dropped && !noShow)
    .map(({ id }) => id);
  const turned = [...there.slice(round), ...there.slice(0, round)];
  const alone = turned.length % 2 === 1 ? turned.pop() : undefined;
  if (alone !== undefined) {
    const bye = { stage: 'swiss', round, participant: alone, win: true, battlePoints: 3 };
    platform.byes.push(bye);
    await tell({ kind: 'bye', tournament: 'live', ...bye });
    await assertShown(from(round - 1));
  }
  for (let table = 1; turned.length > 0; table += 1) {
    const [first = '', second = ''] = [turned.shift(), turned.pop()];
    const sides = [first, second].map((participant) => ({ participant }));
    const battle: BattleEntry = { id: `r${round}t${table}`, stage: 'swiss', round, table, sides };
    platform.battles.push(battle);
    await tell(small(battle));
  }
  const open = platform.battles.filter(({ finished }) => !finished);
  for (const [index, battle] of open.entries()) {
    const winner = (index + round) % 3 === 0 ? 1 : 0;
    finish(battle, winner);
    await tell(small(battle));
    await assertShown(from(round - 1));
  }
  if (round === 2) {
    platform.isErased = true;
    await tell({ kind: 'remove', of: 'player', id: 'y6' });
  }
  if (round === 3) {
    const left = platform.participants[7];
    assert.ok(left);
    left.dropped = true;
    await tell({ kind: 'participant', tournament: 'live', ...left });
  }
  await tell(platform.rank(round));
  await assertShown(recorded);
  await assertEqual();
  if (round === 3) await correctAResult();
}

function finish(battle: BattleEntry, winner: 0 | 1): void {
  const [first, second] = battle.sides;
  assert.ok(first && second);
  battle.finished = true;
  battle.winner = (winner === 0 ? first : second).participant;
  for (const [index, side] of [first, second].entries())
    Object.assign(side, {
      battlePoints: index === winner ? 3 : 0,
      victoryPoints: index === winner ? 20 : 11,
    });
}

/** Changes an earlier result while there is no later one. The next ranking refers to the new result. */
async function correctAResult(): Promise<void> {
  const battle = platform.battles.find(({ id }) => id === 'r2t1');
  assert.ok(battle);
  finish(battle, battle.winner === battle.sides[0]?.participant ? 1 : 0);
  await tell(small(battle));
  await assertShown(from(3));
  await tell(platform.rank(3));
  await assertShown(recorded);
  await assertEqual();
}

test('no tie-break that we know gives this order', async () => {
  const order = platform.board.map((row) => row.replace(/^\S+ /, ''));
  const [event] = platform.feed.slice(-1);
  assert.ok(event?.kind === 'tournament');
  const stages = event.stages?.map((stage) => ({ ...stage, ranking: null })) ?? [];
  for (const tieBreak of knownTieBreaks) {
    await tell({ kind: 'tournament', slug: 'live', stages, tieBreaks: [tieBreak] });
    await eventually(async () => assert.doesNotMatch((await shown()).rule, /organiser/));
    const { board } = await shown();
    assert.notDeepEqual(
      board.map((row) => row.replace(/^\S+ /, '')),
      order,
      tieBreak,
    );
  }
});
