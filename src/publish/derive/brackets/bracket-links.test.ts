import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match, stage } from '../../../../harness/support/facts.ts';
import type { MatchFacts, StageFacts } from '../../../record/facts/facts.ts';
import { nextMatches } from './bracket-links.ts';

/** A whole bracket, with the match that the winner of each match went on to. */
interface Bracket {
  stage: StageFacts;
  matches: MatchFacts[];
  next: Map<string, string>;
}

const nameOf = ({ round, position }: Pick<MatchFacts, 'round' | 'position'>): string =>
  `${round}.${position}`;

/**
 * Makes a bracket with byes for the best. If `isNumberedThrough`, byes have no position, so the matches count
 * 1, 2, 3.
 */
function knockout(players: number, isNumberedThrough = false): Bracket {
  let order = [1];
  while (order.length < players) order = order.flatMap((seed) => [seed, order.length * 2 + 1 - seed]);
  let field = order.map((seed) => ({ seed, from: '' }));
  const made: Bracket = { stage: stage('knockout', []), matches: [], next: new Map() };
  let round = 1;
  for (; field.length > 1; round += 1) {
    let number = 0;
    field = Array.from({ length: field.length / 2 }, (_, i) => {
      const [first, second] = [field[2 * i], field[2 * i + 1]];
      assert.ok(first && second);
      if (second.seed > players) return first;
      if (first.seed > players) return second;
      number += 1;
      const position = isNumberedThrough ? number : i + 1;
      const here = nameOf({ round, position });
      for (const { from } of [first, second]) if (from !== '') made.next.set(from, here);
      // Sometimes the lower seed wins.
      const winner = (first.seed + second.seed + round) % 3 === 0 ? second : first;
      made.matches.push(
        match('knockout', round, position, [`p${first.seed}`, `p${second.seed}`], `p${winner.seed}`),
      );
      return { seed: winner.seed, from: here };
    });
  }
  return { ...made, stage: stage('knockout', [], { rounds: round - 1 }) };
}

/** Makes a bracket in which everyone plays every round. The first winner of a part meets its last one. */
function placement(players: number): Bracket {
  const made: Bracket = { stage: stage('placement-5', []), matches: [], next: new Map() };
  let parts = [Array.from({ length: players }, (_, i) => ({ name: `p${i}`, from: '' }))];
  let round = 1;
  for (; (parts[0]?.length ?? 0) > 1; round += 1) {
    let position = 0;
    parts = parts.flatMap((part) => {
      const won: typeof part = [];
      const lost: typeof part = [];
      for (let i = 0; i < part.length / 2; i += 1) {
        const [first, second] = [part[i], part[part.length - 1 - i]];
        assert.ok(first && second);
        position += 1;
        const here = nameOf({ round, position });
        for (const { from } of [first, second]) if (from !== '') made.next.set(from, here);
        const [winner, loser] = position % 3 === 0 ? [second, first] : [first, second];
        made.matches.push(match('placement-5', round, position, [first.name, second.name], winner.name));
        won.push({ name: winner.name, from: here });
        lost.push({ name: loser.name, from: '' });
      }
      return [won, lost];
    });
  }
  return { ...made, stage: stage('placement-5', [], { rounds: round - 1 }) };
}

/**
 * Returns the matches as they were when this many rounds were decided. Players of later rounds are unknown,
 * except those with a bye if `areByesKnown`.
 */
function after(rounds: number, { matches }: Bracket, areByesKnown = false): MatchFacts[] {
  const first = new Set(matches.flatMap(({ round, players }) => (round === 1 ? players : [])));
  return matches.map((each) => {
    if (each.round <= rounds) return each;
    const isKnown = (player: string): boolean =>
      each.round === rounds + 1 || (areByesKnown && each.round === 2 && !first.has(player));
    return { ...each, players: each.players.filter(isKnown), winner: null };
  });
}

/** Fails on a wrong link. Returns the matches that have a next match but no link. */
function missing(bracket: Bracket, matches: MatchFacts[]): string[] {
  const links = nextMatches(bracket.stage, matches);
  const without: string[] = [];
  for (const each of matches) {
    const [name, next] = [nameOf(each), links.get(each)];
    if (next) assert.equal(nameOf(next), bracket.next.get(name), `after ${name}`);
    else if (bracket.next.has(name)) without.push(name);
  }
  return without;
}

const sizes = Array.from({ length: 63 }, (_, i) => i + 2);

test('2 to 64 players, byes keep their positions: every link is known from the draw on', () => {
  for (const size of sizes) {
    const bracket = knockout(size);
    for (let rounds = 0; rounds <= bracket.stage.rounds; rounds += 1) {
      assert.deepEqual(missing(bracket, after(rounds, bracket)), [], `${size} players, ${rounds} rounds`);
    }
    const unknown = bracket.matches.map((each) => ({ ...each, players: [], winner: null }));
    assert.deepEqual(missing(bracket, unknown), [], `${size} players, nobody known`);
  }
});

test('2 to 64 players, byes have no positions: every link is known once the byes are', () => {
  for (const size of sizes) {
    const bracket = knockout(size, true);
    for (let rounds = 0; rounds <= bracket.stage.rounds; rounds += 1) {
      const known = after(rounds, bracket, true);
      assert.deepEqual(missing(bracket, known), [], `${size} players, ${rounds} rounds`);
    }
    // Before the first result, no link is better than a wrong one.
    missing(bracket, after(0, bracket));
  }
  const six = knockout(6, true);
  assert.deepEqual(missing(six, after(0, six)), ['1.1', '1.2']);
});

test('one result after the other, in any order, makes no link wrong', () => {
  for (const bracket of [knockout(8), knockout(6), knockout(6, true), knockout(13, true), placement(16)]) {
    for (const skipped of [1, 2, 3]) {
      const some = bracket.matches.map((each, index) =>
        index % 4 < skipped ? each : { ...each, players: [], winner: null },
      );
      missing(bracket, some);
    }
  }
});

test('in a placement bracket the winners are followed, whoever meets whom', () => {
  for (const size of [2, 4, 8, 16]) {
    const bracket = placement(size);
    for (let rounds = 0; rounds <= bracket.stage.rounds; rounds += 1)
      missing(bracket, after(rounds, bracket));
    assert.deepEqual(missing(bracket, bracket.matches), []);
  }
  const four = placement(4);
  assert.deepEqual(missing(four, after(0, four)), []);
});

test('a match for third place in the last round gets no winner', () => {
  const semifinals = [match('knockout', 1, 1, ['a', 'b']), match('knockout', 1, 2, ['c', 'd'], 'c')];
  const last = [match('knockout', 2, 1, ['c']), match('knockout', 2, 2, ['d'])];
  const links = nextMatches(stage('knockout', [], { rounds: 2 }), [...semifinals, ...last]);
  assert.deepEqual(
    semifinals.map((each) => links.get(each)?.position),
    [1, 1],
  );
  assert.equal(links.size, 2);
});

test('a match that is not told yet is no link, and a correction in between makes none twice', () => {
  const played = match('knockout', 1, 1, ['a', 'b'], 'a');
  assert.equal(nextMatches(stage('knockout', [], { rounds: 3 }), [played]).size, 0);
  const both = [match('knockout', 2, 1, ['a', 'x']), match('knockout', 2, 2, ['a', 'y'])];
  assert.equal(nextMatches(stage('knockout', [], { rounds: 3 }), [played, ...both]).get(played), undefined);
});
