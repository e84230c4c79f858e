import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { BoardRow } from '../../src/contract/standings.ts';
import { recomputeBoards } from './recompute-boards.ts';

// Tests the caller of the proof boards-over-http with hand-written answers, correct and manipulated ones.

type Person = 'Ada' | 'Ben' | 'Cleo' | 'Dov' | 'Zoe' | 'Maren' | 'Deleted player';
type Score = [
  who: Person,
  outcome: 'win' | 'draw' | 'loss' | null,
  battlePoints: number,
  victoryPoints: number,
];
type Answers = ReturnType<typeof answers>;

const cases: [what: string, tamper: (given: Answers) => unknown][] = [
  [
    'a row removed and the ranks closed up',
    ({ swiss }) => {
      for (const each of swiss.splice(3))
        if (each.player !== 'Cleo') swiss.push({ ...each, rank: each.rank && each.rank - 1 });
    },
  ],
  ['the row of a no-show removed', ({ swiss }) => swiss.pop()],
  ['the row of an erased player removed', ({ swiss }) => swiss.splice(5, 1)],
  ['a row doubled', ({ swiss }) => swiss.splice(1, 0, row(swiss, 1))],
  ['the row of a no-show doubled', ({ swiss }) => swiss.push(row(swiss, -1))],
  ['the row of a guest doubled', ({ swiss }) => swiss.splice(2, 0, row(swiss, 2))],
  ['a row of somebody who does not take part', ({ swiss }) => (row(swiss, -1).playerId = 'p_nobody')],
  ['a number changed', ({ swiss }) => (row(swiss, 0).victoryPointsDiff += 0.5)],
  ['a number of a guest changed', ({ swiss }) => (row(swiss, 2).draws += 1)],
  ['a number of an erased player changed', ({ swiss }) => (row(swiss, 5).losses += 1)],
  [
    'victory points moved from one erased player to another',
    ({ swiss }) => {
      row(swiss, 4).victoryPoints -= 1;
      row(swiss, 5).victoryPoints += 1;
    },
  ],
  [
    'numbers moved from a guest to an erased player',
    ({ swiss }) => {
      row(swiss, 2).wins -= 1;
      row(swiss, 5).wins += 1;
    },
  ],
  ['all ranks × 10 + 7', ({ swiss }) => swiss.forEach((each) => (each.rank &&= each.rank * 10 + 7))],
  [
    'all ranks of a group + 1',
    ({ groups }) => groups.slice(2).forEach((each) => (each.rank = (each.rank ?? 0) + 1)),
  ],
  [
    'all ranks of the final standings + 1',
    ({ merged }) => merged.forEach((each) => (each.rank &&= each.rank + 1)),
  ],
  ['two ranks exchanged', ({ swiss }) => ([row(swiss, 0).rank, row(swiss, 1).rank] = [2, 1])],
  ['a rank given twice among equals', ({ swiss }) => (row(swiss, 3).rank = 3)],
  ['a rank taken away', ({ swiss }) => (row(swiss, 5).rank = null)],
  ['a rank for a board that has not begun', ({ unplayed }) => (row(unplayed, 0).rank = 1)],
  ['rows in another order than their ranks', ({ swiss }) => swiss.splice(0, 2, row(swiss, 1), row(swiss, 0))],
  ['a row in the wrong group', ({ groups }) => (row(groups, 1).group = 'Group B')],
  ['a group torn apart', ({ groups }) => groups.push(...groups.splice(1, 1))],
  ['a group on a board without groups', ({ swiss }) => (row(swiss, 0).group = 'Group A')],
  ['somebody who played in the placement Swiss without a row', ({ placement }) => placement.pop()],
  ['a row of the placement Swiss doubled', ({ placement }) => placement.push(row(placement, 1))],
  ['a number of the final standings changed', ({ merged }) => (row(merged, 2).wins -= 1)],
];

test('right answers show no difference', async () => {
  const found = await recomputed(answers());
  assert.deepEqual(found.differences, []);
  assert.equal(found.boards, 5);
  assert.equal(found.rows, 7 + 2 + 7 + 4 + 2);
  assert.equal(found.numbers, found.rows * 6);
  assert.equal(found.ranks, 6 + 2 + 6 + 4);
});

for (const [what, tamper] of cases) {
  test(`found: ${what}`, async () => {
    const tampered = answers();
    tamper(tampered);
    assert.notDeepEqual((await recomputed(tampered)).differences, []);
  });
}

test('equals may stand in either order, and in any where another order than the default applies', async () => {
  const exchanged = answers();
  const [third, fourth] = exchanged.swiss.splice(2, 2) as [BoardRow, BoardRow];
  exchanged.swiss.splice(2, 0, { ...fourth, rank: 3 }, { ...third, rank: 4 });
  assert.deepEqual((await recomputed(exchanged)).differences, []);

  const byWins = answers();
  const [first, second] = byWins.swiss.splice(0, 2) as [BoardRow, BoardRow];
  byWins.swiss.unshift({ ...second, rank: 1 }, { ...first, rank: 2 });
  assert.notDeepEqual((await recomputed(byWins)).differences, []);
  assert.deepEqual((await recomputed(byWins, true)).differences, []);
});

/** Two erased players: one drew and lost, one lost twice. Cleo and Maren have the same battle points in the Swiss. */
function answers() {
  return {
    participants: [
      ['Ada', 1],
      ['Ben', 2],
      ['Cleo', 3],
      ['Deleted player', 5],
      ['Deleted player', 6],
      ['Maren', 4],
      ['Zoe', null],
    ] as [Person, number | null][],
    battles: [
      game('swiss', 1, ['Ada', 'win', 3, 40], ['Maren', 'loss', 0, 28]),
      game('swiss', 1, ['Ben', 'draw', 1, 30], ['Deleted player', 'draw', 1, 30]),
      game('swiss', 1, ['Deleted player', 'loss', 0, 20], ['Cleo', 'win', 3, 35]),
      game('swiss', 2, ['Ada', 'win', 3, 50], ['Cleo', 'loss', 0, 31]),
      game('swiss', 2, ['Deleted player', 'loss', 0, 22], ['Maren', 'win', 3, 33]),
      game('swiss', 2, ['Ben', 'win', 3, 44], ['Deleted player', 'loss', 0, 19]),
      game('placement-swiss', 1, ['Cleo', 'win', 3, 30], ['Maren', 'loss', 0, 10]),
    ],
    swiss: [
      boardRow(1, 'Ada', [6, 2, 0, 0, 90, 31]),
      boardRow(2, 'Ben', [4, 1, 1, 0, 74, 25]),
      boardRow(3, 'Maren', [3, 1, 0, 1, 61, -1]),
      boardRow(4, 'Cleo', [3, 1, 0, 1, 66, -4]),
      boardRow(5, null, [1, 0, 1, 1, 52, -11]),
      boardRow(6, null, [0, 0, 0, 2, 39, -40]),
      boardRow(null, 'Zoe', [0, 0, 0, 0, 0, 0]),
    ],
    placement: [boardRow(1, 'Cleo', [3, 1, 0, 0, 30, 20]), boardRow(2, 'Maren', [0, 0, 0, 1, 10, -20])],
    merged: [
      boardRow(1, 'Ada', [6, 2, 0, 0, 90, 31]),
      boardRow(2, 'Ben', [4, 1, 1, 0, 74, 25]),
      boardRow(3, 'Cleo', [6, 2, 0, 1, 96, 16]),
      boardRow(4, 'Maren', [3, 1, 0, 2, 71, -21]),
      boardRow(5, null, [1, 0, 1, 1, 52, -11]),
      boardRow(6, null, [0, 0, 0, 2, 39, -40]),
      boardRow(null, 'Zoe', [0, 0, 0, 0, 0, 0]),
    ],
    groupBattles: [
      game('swiss', 1, ['Ada', 'win', 3, 20], ['Ben', 'loss', 0, 10]),
      game('swiss', 1, ['Cleo', 'draw', 1, 15.5], ['Dov', 'draw', 1, 15.5]),
      game('swiss', 2, ['Ada', null, 0, 5], ['Ben', null, 0, 6]),
    ],
    groups: [
      { ...boardRow(1, 'Ada', [3, 1, 0, 0, 20, 10]), group: 'Group A' },
      { ...boardRow(2, 'Ben', [0, 0, 0, 1, 10, -10]), group: 'Group A' },
      { ...boardRow(1, 'Dov', [1, 0, 1, 0, 15.5, 0]), group: 'Group B' },
      { ...boardRow(2, 'Cleo', [1, 0, 1, 0, 15.5, 0]), group: 'Group B' },
    ],
    unplayed: [boardRow(null, 'Ada', [0, 0, 0, 0, 0, 0]), boardRow(null, 'Ben', [0, 0, 0, 0, 0, 0])],
  };
}

/** Serves the answers and recomputes them. */
async function recomputed(given: Answers, order = false) {
  const stage = (id: string) => ({ id, type: 'board' });
  const stages = { open: ['swiss', 'placement-swiss', 'standings'], groups: ['swiss'], planned: ['swiss'] };
  const slugs = Object.entries(stages);
  const lists: Record<string, unknown[]> = {
    '/api/v1/tournaments': slugs.map(([slug, ids]) => ({ slug, stages: ids.map(stage) })),
    '/api/v1/tournaments/open/participants': given.participants.map(([who, place]) =>
      participant(who, place),
    ),
    '/api/v1/tournaments/open/battles': given.battles,
    '/api/v1/tournaments/open/standings?stage=swiss': given.swiss,
    '/api/v1/tournaments/open/standings?stage=placement-swiss': given.placement,
    '/api/v1/tournaments/open/standings?stage=standings': given.merged,
    '/api/v1/tournaments/groups/participants': (['Ada', 'Ben', 'Cleo', 'Dov'] as const).map((who) => ({
      ...participant(who, null),
      group: who < 'C' ? 'Group A' : 'Group B',
    })),
    '/api/v1/tournaments/groups/battles': given.groupBattles,
    '/api/v1/tournaments/groups/standings?stage=swiss': given.groups,
    '/api/v1/tournaments/planned/participants': [participant('Ada', null), participant('Ben', null)],
    '/api/v1/tournaments/planned/battles': [],
    '/api/v1/tournaments/planned/standings?stage=swiss': given.unplayed,
  };
  const server = createServer((request, response) => {
    const data = lists[(request.url ?? '').replace('?limit=100', '')];
    response.writeHead(data === undefined ? 404 : 200).end(JSON.stringify({ data, next: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hidden = new Map(slugs.map(([slug]) => [slug, { stages: new Set<string>(), order }]));
  try {
    return await recomputeBoards(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'a key',
      hidden,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function participant(player: Person, finalPlacement: number | null) {
  return { player, playerId: idOf(player), group: null, dropped: player === 'Zoe', finalPlacement };
}

function game(stage: string, round: number, ...scores: [Score, Score]) {
  const players = scores.map(([player, outcome, battlePoints, victoryPoints]) => ({
    player,
    playerId: idOf(player),
    outcome,
    battlePoints: outcome === null ? null : battlePoints,
    victoryPoints,
  }));
  return { stage, round, players };
}

function boardRow(
  rank: number | null,
  player: Person | null,
  numbers: [number, number, number, number, number, number],
): BoardRow {
  const [battlePoints, wins, draws, losses, victoryPoints, victoryPointsDiff] = numbers;
  const sums = { battlePoints, wins, draws, losses, victoryPoints, victoryPointsDiff };
  return { rank, player, playerId: idOf(player), faction: null, ...sums };
}

/** Maren is a guest. */
function idOf(player: Person | null): string | null {
  return player === null || player === 'Maren' || player === 'Deleted player' ? null : `p_${player}`;
}

function row(rows: BoardRow[], index: number): BoardRow {
  const found = rows.at(index);
  assert.ok(found);
  return found;
}
