import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { battle, participant, result, side, stage, tournament } from '../../../../harness/support/facts.ts';
import type { TournamentFacts } from '../../../record/facts/facts.ts';
import { rowFactions } from './faction.ts';
import { type FactionCounts, FactionSums } from '../../../published/faction-sums.ts';
import { tournamentFactions } from './tournament-factions.ts';

const army: Record<string, string> = { a: 'Ash', b: 'Brine', c: 'Ash', d: 'Coral' };
const people = ['a', 'b', 'c', 'd'].map((id) => participant(id, { faction: army[id] ?? null }));

function factionsOf(facts: Partial<TournamentFacts>, ranks: (number | null)[] = []) {
  const event = tournament({ status: 'finished', startDate: '2026-03-14', participants: people, ...facts });
  const ranked = event.participants.map((each, index) => ({ participant: each, rank: ranks[index] ?? null }));
  return tournamentFactions(event, rowFactions(event), ranked);
}

const countsOf = (...given: Parameters<typeof factionsOf>) =>
  JSON.parse(factionsOf(...given)?.counts ?? 'null') as FactionCounts;

test('only a finished tournament with a date counts', () => {
  assert.equal(factionsOf({ status: 'ongoing' }), null);
  assert.equal(factionsOf({ startDate: null }), null);
  assert.ok(factionsOf({}));
});

test('a game counts once for each side, without mirrors, unfinished games and unknown factions', () => {
  const { factions, games } = countsOf({
    battles: [
      result(['a', 0, 20], ['b', 0, 10]),
      result(['b', 0, 20], ['c', 0, 10]),
      result(['c', 0, 10], ['b', 0, 10]),
      result(['a', 0, 20], ['c', 0, 10]),
      result(['a', 0, 20], ['b', 0, 10], { finished: false }),
      battle({ winner: 1, sides: [side('a'), side('x')] }),
    ],
    participants: [...people, participant('x')],
  });
  assert.deepEqual(factions, [
    ['Ash', 2, 0, 0],
    ['Brine', 1, 0, 0],
    ['Coral', 1, 0, 0],
  ]);
  assert.deepEqual(games, [[0, 1, 1, 1, 1]]);
});

test('a side may have a faction of its own', () => {
  const { games, factions } = countsOf({
    battles: [battle({ winner: 1, sides: [side('a', { faction: 'Dune' }), side('b')] })],
  });
  assert.deepEqual(games, [[1, 3, 1, 0, 0]]);
  assert.deepEqual(factions[3], ['Dune', 0, 0, 0]);
});

test('unbeaten is who won all of at least three games; a no-show is no entry', () => {
  const won = (who: string, ...others: string[]) =>
    others.map((other) => result([who, 0, 20], [other, 0, 10]));
  const battles = [...won('a', 'b', 'c', 'd'), ...won('d', 'b', 'c')];
  const byes = [
    {
      stage: 'swiss',
      round: 1,
      participant: 'd',
      win: true,
      battlePoints: 3,
      victoryPoints: 0,
      victoryPointsDiff: 0,
    },
  ];
  assert.deepEqual(countsOf({ battles, byes }).factions, [
    ['Ash', 2, 1, 0],
    ['Brine', 1, 0, 0],
    ['Coral', 1, 0, 0],
  ]);
  const drawn = [...battles, result(['a', 0, 10], ['d', 0, 10])];
  assert.equal(countsOf({ battles: drawn }).factions[0]?.[2], 0);
  const final = {
    stage: 'knockout',
    round: 1,
    position: 1,
    name: null,
    table: 1,
    players: ['a', 'b'],
    winner: 'b',
    battle: null,
  };
  assert.equal(countsOf({ battles, matches: [final] }).factions[0]?.[2], 0, 'a match without its battle');
  const absent = people.map((each) => ({ ...each, noShow: each.id === 'a' }));
  assert.deepEqual(countsOf({ battles, participants: absent }).factions[0], ['Ash', 1, 0, 0]);
});

test('the first place is an event win, unless placements were never recorded', () => {
  assert.deepEqual(countsOf({}, [1, 2, 3, 4]).factions[0], ['Ash', 2, 0, 1]);
  assert.deepEqual(factionsOf({}, [1, 2, 3, 4])?.top, '["Ash","Brine","Ash"]');
  const legacy = factionsOf({ placementsRecorded: false }, [1, 2, 3, 4]);
  assert.deepEqual(JSON.parse(legacy?.counts ?? '').factions[0], ['Ash', 2, 0, 0]);
  assert.equal(legacy?.top, '[]');
  assert.equal(factionsOf({}, [1, 4])?.top, '["Ash"]');
  assert.equal(factionsOf({ participants: [participant('x'), ...people] }, [1, 2])?.top, '[null,"Ash"]');
});

test('length is the sum of all stages, the pack is that of the tournament', () => {
  const rounds = (...each: number[]) => each.map((count, i) => stage(`s${i}`, [], { rounds: count }));
  assert.equal(factionsOf({ stages: rounds(3, 1) })?.isLong, false);
  assert.equal(factionsOf({ stages: rounds(3, 2) })?.isLong, true);
  const battlePack = { name: 'Ledger', objectives: true, battleTactics: false, grandStrategies: false };
  assert.deepEqual([factionsOf({})?.pack, factionsOf({ battlePack })?.pack], ['', 'Ledger']);
});

test('sums of sums are the sums of everything, in any order', () => {
  const names = fc.constantFrom('Ash', 'Brine', '__proto__', 'constructor', '', 'Ω');
  const small = fc.nat(5);
  const counted = fc.array(fc.tuple(names, names, small, small, small), { maxLength: 8 }).map((games) => {
    const sums = new FactionSums();
    for (const [first, second, wins, draws, losses] of games) {
      sums.of(first).entries += wins;
      if (first !== second) sums.addGames(first, second, { wins, draws, losses });
    }
    return sums.toJSON();
  });
  const sumOf = (all: FactionCounts[]) => {
    const sums = new FactionSums();
    for (const each of all) sums.add(each);
    return sums;
  };
  fc.assert(
    fc.property(fc.array(counted, { maxLength: 5 }), fc.nat(5), (all, cut) => {
      const whole = JSON.stringify(sumOf(all));
      assert.equal(JSON.stringify(sumOf(all.toReversed())), whole);
      const parts = [sumOf(all.slice(0, cut)).toJSON(), sumOf(all.slice(cut)).toJSON()];
      assert.equal(JSON.stringify(sumOf(parts)), whole);
      for (const sum of sumOf(all).all) {
        const against = [...sum.against.values()];
        assert.equal(
          sum.wins,
          against.reduce((total, { wins }) => total + wins, 0),
        );
      }
    }),
  );
});
