import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BracketPlay, drawnKnockout } from '../../../../test/site/drawn-brackets.ts';
import type { BracketMatch } from '../../../contract/standings.ts';
import { matchesIn as matchesOf, type PlacedMatch, treeOf, type Tree } from './bracket-tree.ts';

interface Placed extends PlacedMatch {
  position: number;
}

/** Arranges the matches as the view of a bracket links them. */
function bracketOf(
  data: readonly BracketMatch[],
  { matches = [] }: BracketPlay,
  rounds: number,
): Tree<Placed> {
  let round = 0;
  const placed = data.map((each, index): Placed => {
    if (each.round !== data[index - 1]?.round) round += 1;
    const at = { round: matches[index]?.round ?? round, position: matches[index]?.position ?? 0 };
    return { ...at, title: { name: each.round }, feeders: [], losersOf: [], number: 0 };
  });
  for (const [index, match] of placed.entries()) {
    const [inRound, position] = matches[index]?.next ?? [];
    placed.find((each) => each.round === inRound && each.position === position)?.feeders.push(match);
  }
  return treeOf(placed, rounds);
}

const people = (count: number) => Array.from({ length: count }, (_, index) => `Player ${index + 1}`);

/** Returns the numbers of the matches as text, column by column. A dot stands for an empty position. */
function columns({ trees }: Tree<Placed>): string[][] {
  return trees.map((rounds) =>
    rounds.map(({ matches }) => matches.map((match) => match?.number ?? '.').join(' ')),
  );
}

test('from 2 to 64 players, each round has twice the places of the next, and feeders stand beside their match', () => {
  for (let size = 2; size <= 64; size += 1) {
    const { data, play, rounds } = drawnKnockout(people(size), size);
    const bracket = bracketOf(data, play, rounds);
    assert.equal(bracket.trees.length, 1, `${size} players`);
    assert.equal(matchesOf(bracket).length, size - 1);
    assert.deepEqual(bracket.apart, []);
    const [tree = []] = bracket.trees;
    for (const [index, { matches }] of tree.entries()) {
      assert.equal(matches.length, 2 ** (rounds - 1 - index), `${size} players`);
      for (const [place, match] of matches.entries()) {
        const before = tree[index - 1]?.matches.slice(2 * place, 2 * place + 2).filter(Boolean) ?? [];
        assert.deepEqual(before, match?.feeders ?? []);
      }
    }
  }
});

test('five players: the one match of the first round stands below the place of the bye', () => {
  const { data, play, rounds } = drawnKnockout(people(5));
  assert.deepEqual(columns(bracketOf(data, play, rounds)), [['. 1 . .', '2 3', '4']]);
});

test('a match for third place in the last round stands apart, and names the losers of the semi-finals', () => {
  const { data, play, rounds } = drawnKnockout(people(4));
  data.push({ round: 'Third place', table: 2, players: [], winner: null, battle: null });
  play.matches?.push({ round: 2, position: 2, next: null, playerIds: [] });
  const bracket = bracketOf(data, play, rounds);
  assert.deepEqual(columns(bracket), [['1 2', '3']]);
  assert.deepEqual(
    bracket.apart.map(({ title, matches }) => [
      title?.name,
      matches.map((match) => match?.losersOf.map((each) => each.number)),
    ]),
    [['Third place', [[1, 2]]]],
  );
});

test('a bracket drawn up to its second of four rounds keeps all its matches in one tree', () => {
  const { data, play } = drawnKnockout(people(8));
  const two = { matches: (play.matches ?? []).filter(({ round }) => round < 3) };
  assert.deepEqual(columns(bracketOf(data.slice(0, 6), two, 4)), [['1 2 3 4', '5 6']]);
});

test('in a placement bracket, each last match with winners before it has a tree of its own', () => {
  const at = (round: number, position: number, next: [number, number] | null) => ({
    round,
    position,
    next,
    playerIds: [],
  });
  const play: BracketPlay = {
    matches: [
      ...[1, 2, 3, 4].map((position) => at(1, position, [2, position < 3 ? 1 : 2])),
      at(2, 1, [3, 1]),
      at(2, 2, [3, 1]),
      at(2, 3, [3, 3]),
      at(2, 4, [3, 3]),
      ...[1, 2, 3, 4].map((position) => at(3, position, null)),
    ],
  };
  const names = [
    '9–16',
    '9–16',
    '9–16',
    '9–16',
    '9–12',
    '9–12',
    '13–16',
    '13–16',
    '9th',
    '11th',
    '13th',
    '15th',
  ];
  const data = names.map((round) => ({ round, table: 1, players: [], winner: null, battle: null }));
  const bracket = bracketOf(data, play, 3);
  assert.deepEqual(columns(bracket), [
    ['1 2 3 4', '5 6', '7'],
    ['8 9', '10'],
  ]);
  assert.deepEqual(
    bracket.trees.map((rounds) => rounds.map(({ title }) => title?.name)),
    [
      ['9–16', '9–12', '9th'],
      ['13–16', '13th'],
    ],
  );
  assert.deepEqual(
    bracket.apart.map(({ title }) => title?.name),
    ['11th', '15th'],
  );
});

test('without connections, or with impossible ones, all matches stand apart and no line is drawn', () => {
  const { data, play, rounds } = drawnKnockout(people(8));
  const matches = play.matches ?? [];
  const wrong: Record<string, BracketPlay> = {
    'not connected': { matches: matches.map((match) => ({ ...match, next: null })) },
    'three winners for two seats': {
      matches: matches.map((match) => (match.round === 1 ? { ...match, next: [2, 1] } : match)),
    },
    'over a round': {
      matches: matches.map((match) => (match.position === 4 ? { ...match, next: [3, 1] } : match)),
    },
    'one match with no way on': {
      matches: matches.map((match) => (match.position === 4 ? { ...match, next: null } : match)),
    },
  };
  for (const [name, each] of Object.entries(wrong)) {
    const bracket = bracketOf(data, each, rounds);
    assert.deepEqual(bracket.trees, [], name);
    assert.deepEqual(
      bracket.apart.map((round) => round.matches.length),
      [4, 2, 1],
      name,
    );
    assert.deepEqual(
      matchesOf(bracket).map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7],
      name,
    );
  }
});

test('a chain of 40 matches needs no page of 2^40 places', () => {
  const rounds = Array.from({ length: 40 }, (_, index) => index + 1);
  const data = rounds.map((round) => ({
    round: `Round ${round}`,
    table: 1,
    players: [],
    winner: null,
    battle: null,
  }));
  const matches = rounds.map((round) => ({
    round,
    position: 1,
    next: round < 40 ? ([round + 1, 1] as [number, number]) : null,
    playerIds: [],
  }));
  assert.deepEqual(bracketOf(data, { matches }, 40).trees, []);
});
