import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type {
  BattleEntry,
  CasualBattleRecord,
  ParticipantEntry,
} from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { victoryPoints } from '../../src/world/event/ranking.ts';
import { advantage } from '../../src/world/event/battle.ts';
import { person } from '../../src/world/people/community.ts';
import { dayOf, halfYearOf } from '../../src/world/dates.ts';
import { wholeOf } from '../../src/world/telling/whole-of.ts';
import { factions, factionStrength } from '../../src/world/people/lore.ts';
import { world } from '../../src/world/world.ts';
import type { WholeTournament } from '../../src/world/telling/whole-tournament.ts';

// Measures the distributions of the demo world (docs/demo.md) on its feed, within the tolerances given here.

const seed = 1;
const total = 80_000;
const winners: number[] = [];
const losers: number[] = [];
const sizes: number[] = [];
const attendance = new Map<string, number>();
const players = new Set<string>();
const counted = {
  battles: 0,
  finished: 0,
  ties: 0,
  tiesWon: 0,
  draws: 0,
  conceded: 0,
  withRounds: 0,
  otherTotals: 0,
  casual: 0,
  events: 0,
  unpublished: 0,
  participants: 0,
  guests: 0,
  noShows: 0,
  withoutList: 0,
  mayDrop: 0,
  dropped: 0,
  erased: 0,
  rematches: 0,
  sameName: 0,
  legacy: 0,
  rated: 0,
  upsets: 0,
  firstRated: 0,
  firstUpsets: 0,
};
const statuses = new Map<string, number>();
const drops = new Map<number, number>();

before(() => {
  let told: FeedRecord[] = [];
  let slug = '';
  const endEvent = () => {
    if (told.length > 0) countEvent(wholeOf(told));
    told = [];
  };
  const names = new Map<string, string>();
  for (const record of world({
    seed,
    battles: total,
    from: dayOf('2022-01-01'),
    today: dayOf('2026-11-14'),
  })) {
    const of = record.kind === 'tournament' ? record.slug : 'tournament' in record ? record.tournament : '';
    // The removal of a battle names no tournament. Unless the battle is casual, it belongs to the current event.
    const ofEvent = record.kind === 'remove' && record.of === 'battle' && !record.id.includes('-casual-');
    if (of !== slug && !ofEvent) endEvent();
    if (!ofEvent) slug = of;
    if (of.startsWith('called-off') || (record.kind === 'battle' && record.id.endsWith('-casual-twice')))
      slug = '';
    else if (slug !== '') told.push(record);
    else if (record.kind === 'player' && record.name) {
      players.add(record.id);
      names.set(record.id, record.name);
    } else if (record.kind === 'battle') {
      counted.casual++;
      countBattle(record);
    }
    if ((record.kind === 'remove' && record.of === 'player') || (record.kind === 'player' && record.erased)) {
      counted.erased++;
    }
  }
  endEvent();
  function countEvent(event: WholeTournament) {
    counted.events++;
    if (event.published === false) counted.unpublished++;
    if (event.placementsRecorded === false) counted.legacy++;
    statuses.set(event.status ?? '', (statuses.get(event.status ?? '') ?? 0) + 1);
    for (const battle of event.battles) countBattle(battle);
    countUpsets(event);
    counted.rematches += rematches(event);
    for (const { player } of event.participants) {
      if (player) attendance.set(player, (attendance.get(player) ?? 0) + 1);
    }
    if (event.status === 'planned') return;
    sizes.push(event.participants.length);
    for (const entry of event.participants) countParticipant(entry);
    if (event.status === 'finished') countDrops(event);
    const shown = event.participants.map((entry) => entry.name ?? names.get(entry.player ?? ''));
    if (new Set(shown).size < shown.length) counted.sameName++;
  }
});

test('there are exactly as many battles as asked for, some of them casual', () => {
  assert.equal(counted.battles, total);
  within('casual', counted.casual / total, 0.1, 0.05);
});

test("winners' victory points: 33, 40 and 49 at 5, 50 and 95 %", () => {
  within('5 %', quantile(winners, 0.05), 33, 1);
  within('50 %', quantile(winners, 0.5), 40, 1);
  within('95 %', quantile(winners, 0.95), 49, 1);
});

test("losers' victory points: 13, 27 and 35 at 5, 50 and 95 %", () => {
  within('5 %', quantile(losers, 0.05), 13, 2);
  within('50 %', quantile(losers, 0.5), 27, 1);
  within('95 %', quantile(losers, 0.95), 35, 1);
});

test('ties are rare; 60 % of them are won, the others stay draws; some concede', () => {
  within('ties', counted.ties / counted.finished, 0.025, 0.006);
  within('ties won', counted.tiesWon / counted.ties, 0.6, 0.03);
  within('draws', counted.draws / counted.finished, 0.01, 0.003);
  within('concessions', counted.conceded / counted.withRounds, 0.045, 0.015);
});

test('a total is the sum of its rounds, also after a concession', () => {
  assert.equal(counted.otherTotals, 0);
});

test('the underdog wins 27 % of first rounds, and more often later, when equals meet', () => {
  within('first rounds', counted.firstUpsets / counted.firstRated, 0.27, 0.01);
  within('all rounds', counted.upsets / counted.rated, 0.3, 0.02);
});

test('drops 1 to 6: 15, 30, 25, 15, 10, 5 %', () => {
  const all = [...drops.values()].reduce((sum, count) => sum + count, 0);
  for (const [index, share] of [0.15, 0.3, 0.25, 0.15, 0.1, 0.05].entries()) {
    within(`${index + 1} drops`, (drops.get(index + 1) ?? 0) / all, share, 0.01);
  }
});

test('event sizes: median 18, log-normal, 6 to 900', () => {
  within('median', quantile(sizes, 0.5), 18, 1.5);
  within('5 %', quantile(sizes, 0.05), 6, 1);
  within('95 %', quantile(sizes, 0.95), 72, 10);
  assert.ok(Math.min(...sizes) >= 6 && Math.max(...sizes) <= 900);
  assert.ok(Math.max(...sizes) > 200, `the largest has ${Math.max(...sizes)}`);
});

test('65 % of the players attend once, in a Zipf tail', () => {
  const counts = [...attendance.values()];
  const share = (times: number) => counts.filter((count) => count === times).length / counts.length;
  within('once', share(1), 0.65, 0.015);
  within('twice against four times', share(2) / share(4), 4, 0.6);
  assert.ok(Math.max(...counts) > 40, `the busiest comes ${Math.max(...counts)} times`);
});

test('guests 6 %, no-shows 2.5 %, without list 10 %, erased 1 %, unpublished 3 %', () => {
  within('guests', counted.guests / counted.participants, 0.06, 0.004);
  within('no-shows', counted.noShows / counted.participants, 0.025, 0.003);
  within('without list', counted.withoutList / counted.participants, 0.1, 0.005);
  within('erased', counted.erased / players.size, 0.01, 0.002);
  within('unpublished', counted.unpublished / counted.events, 0.03, 0.008);
});

test('8 % of those with at most one win drop after day one', () => {
  within('dropped', counted.dropped / counted.mayDrop, 0.08, 0.01);
});

test('no two players meet twice within a Swiss stage', () => {
  assert.equal(counted.rematches, 0);
});

test('events of every status, legacy events, and two people with the same name in an event', () => {
  for (const status of ['planned', 'ongoing', 'finished'])
    assert.ok((statuses.get(status) ?? 0) >= 8, status);
  within('legacy', counted.legacy / counted.events, 0.05, 0.03);
  within('same name', counted.sameName / counted.events, 0.05, 0.03);
});

function countBattle(battle: BattleEntry | CasualBattleRecord): void {
  counted.battles++;
  const [first, second] = battle.sides;
  if (battle.finished !== true || !first || !second) return;
  counted.finished++;
  for (const side of battle.sides) if (side.drops) drops.set(side.drops, (drops.get(side.drops) ?? 0) + 1);
  if (first.rounds) {
    counted.withRounds++;
    // A round without a first turn was not played.
    if (battle.sides.every(({ rounds = [] }) => rounds[4]?.priority !== true)) counted.conceded++;
    const told = battle.sides.filter((side) => side.victoryPoints !== undefined);
    for (const { victoryPoints: points, rounds = [] } of told) {
      if (rounds.reduce((sum, round) => sum + (round.victoryPoints ?? 0), 0) !== points)
        counted.otherTotals++;
    }
  }
  const scores = [victoryPoints(first), victoryPoints(second)] as const;
  const tie = scores[0] === scores[1];
  if (tie) counted.ties++;
  if (!battle.winner) counted.draws++;
  else {
    if (tie) counted.tiesWon++;
    winners.push(Math.max(...scores));
    losers.push(Math.min(...scores));
  }
}

// The feed does not name the underdog, but the id of a player gives the skill.
function countUpsets({ participants, battles, startDate }: WholeTournament): void {
  if (!startDate) return;
  const fighters = new Map(
    participants.flatMap(({ id, player, list }) => {
      const [, number, index] = player?.split('-') ?? [];
      if (number === undefined || index === undefined || !list) return [];
      const community = { seed, number: Number.parseInt(number, 36), tag: '', clubs: 1, players: 1 };
      const faction = factions.findIndex(({ name }) => name === list.faction);
      const strength = factionStrength(seed, faction, halfYearOf(dayOf(startDate)));
      return [[id, { skill: person(community, Number.parseInt(index, 36)).skill, strength }]];
    }),
  );
  for (const { sides, winner, round, stage } of battles) {
    const [first, second] = sides.map((side) => fighters.get(side.participant));
    if (!first || !second || !winner) continue;
    const upset = (winner === sides[0]?.participant) !== advantage(first, second) > 0;
    counted.rated++;
    if (upset) counted.upsets++;
    if (stage !== 'swiss' || round > 1) continue;
    counted.firstRated++;
    if (upset) counted.firstUpsets++;
  }
}

function countParticipant(entry: ParticipantEntry): void {
  counted.participants++;
  if (!entry.player) counted.guests++;
  if (entry.noShow) counted.noShows++;
  if (!entry.list) counted.withoutList++;
}

/** For events over more than one day: how many could have dropped, and how many did. */
function countDrops({ startDate, endDate, battles, byes, participants }: WholeTournament): void {
  if (!startDate || startDate === endDate) return;
  const dayOne = Math.max(
    0,
    ...battles.filter((b) => b.stage === 'swiss' && b.date === startDate).map((b) => b.round),
  );
  for (const { id, dropped, noShow } of participants) {
    if (noShow) continue;
    const won = [
      ...battles.filter((b) => b.winner === id),
      ...byes.filter((b) => b.participant === id && b.win),
    ];
    if (won.filter((b) => b.stage === 'swiss' && b.round <= dayOne).length > 1) continue;
    counted.mayDrop++;
    if (dropped) counted.dropped++;
  }
}

function rematches({ battles }: WholeTournament): number {
  const met = new Set<string>();
  let again = 0;
  for (const { stage, sides } of battles) {
    if (stage !== 'swiss' && stage !== 'placement-swiss') continue;
    const pair = `${stage} ${sides
      .map((side) => side.participant)
      .toSorted()
      .join(' ')}`;
    if (met.has(pair)) again++;
    met.add(pair);
  }
  return again;
}

function quantile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * values.length)] ?? Number.NaN;
}

function within(what: string, found: number, expected: number, tolerance: number): void {
  assert.ok(
    Math.abs(found - expected) <= tolerance,
    `${what}: ${found}, expected ${expected} ± ${tolerance}`,
  );
}
