import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../harness/support/parse-document.ts';
import fc from 'fast-check';
import type { Battle } from '../../src/contract/battle.ts';
import type { BoardRow, Standings } from '../../src/contract/standings.ts';
import { tournamentDocuments, type TournamentDocuments } from '../../src/publish/derive/documents.ts';
import type { BattleFacts, StageFacts, TournamentFacts } from '../../src/record/facts/facts.ts';
import { knownTieBreaks } from '../../src/record/feed/tournament-records.ts';
import { battle, match, participant, side, stage, tournament } from '../../harness/support/facts.ts';

// Tests rules of the domain that must hold for any data, on small tournaments of every kind.

test('ranks are 1..n without gaps on every board, within each group, no-shows aside', () => {
  check((facts, made) => {
    for (const { id, data } of boardsOf(made)) {
      if (id === 'standings' && facts.participants.some((each) => each.finalPlacement !== null)) continue;
      if (facts.rankings.some((each) => each.stage === id || id === 'standings')) continue;
      const absent = new Set(
        facts.participants.filter(({ noShow }) => noShow).map(({ playerId }) => playerId),
      );
      for (const rows of Map.groupBy(data, ({ group }) => group).values()) {
        const present = rows.filter(({ playerId }) => !absent.has(playerId));
        const ranks = present.map(({ rank }) => rank);
        if (ranks.some((rank) => rank !== null))
          assert.deepEqual(
            ranks,
            present.map((_, index) => index + 1),
          );
        for (const { rank } of rows.slice(present.length)) assert.equal(rank, null);
      }
    }
  });
});

test('a recorded ranking is shown as recorded, group by group, and changes no sum', () => {
  let looked = 0;
  check((facts, made) => {
    const without = boardsOf(tournamentDocuments({ ...facts, rankings: [] }));
    for (const { id, data } of boardsOf(made)) {
      const kept = facts.rankings.filter((each) => each.stage === id);
      const newest = kept.toSorted((a, b) => b.afterRound - a.afterRound)[0];
      if (!newest) continue;
      looked += 1;
      const rankOf = ({ playerId }: BoardRow) => newest.ranks[playerId?.replace('player-', '') ?? ''] ?? null;
      assert.deepEqual(
        data.map(({ rank }) => rank),
        data.map(rankOf),
      );
      for (const rows of Map.groupBy(data, ({ group }) => group).values()) {
        const ranks = rows.map(({ rank }) => rank ?? Infinity);
        assert.deepEqual(
          ranks,
          ranks.toSorted((a, b) => a - b),
        );
      }
      const sums = (rows: BoardRow[] = []) =>
        new Map(rows.map((row) => [row.playerId, JSON.stringify({ ...row, rank: null })]));
      assert.deepEqual(sums(data), sums(without.find((each) => each.id === id)?.data));
    }
  });
  assert.ok(looked > 50, `${looked} boards`);
});

test('a place of the final standings is the number of those above, or shared, or nobody has it', () => {
  check((facts, made) => {
    if (facts.participants.some((each) => each.finalPlacement !== null)) return;
    const rows = boardsOf(made).find(({ id }) => id === 'standings')?.data ?? [];
    const ranked = rows.filter(({ rank }) => rank !== null);
    assert.deepEqual(rows.slice(0, ranked.length), ranked);
    for (const [index, { rank }] of ranked.entries())
      assert.ok(rank === index + 1 || rank === ranked[index - 1]?.rank, JSON.stringify(rows));
  });
});

test('wins are losses and winning byes together, and victory points given are taken', () => {
  check((facts, made) => {
    // Only these boards contain everybody.
    for (const id of ['swiss', 'standings']) {
      const rows = boardsOf(made).find((each) => each.id === id)?.data;
      if (!rows) continue;
      const of = <Given extends { stage: string }>(given: Given[]) =>
        given.filter((each) => id === 'standings' || each.stage === id);
      const sum = (values: number[]) => values.reduce((total, value) => total + Math.round(value * 100), 0);
      const byes = of(facts.byes);
      assert.equal(
        sum(rows.map(({ wins }) => wins)),
        sum(rows.map(({ losses }) => losses)) + sum(byes.map(({ win }) => Number(win))),
      );
      assert.equal(
        sum(rows.map(({ victoryPointsDiff }) => victoryPointsDiff)),
        sum([...byes, ...of(facts.adjustments)].map(({ victoryPointsDiff }) => victoryPointsDiff)),
      );
    }
  });
});

test('a board is what the battles shown add up to, with byes and adjustments', () => {
  check((facts, made) => {
    const battles = made.battles.map(({ listing }) => parseDocument(listing) as Battle);
    for (const { id, data } of boardsOf(made)) {
      const carried = facts.stages.find((each) => each.id === id)?.carriesOver;
      const counts = (of: string | null) => id === 'standings' || of === id || (carried ?? '') === of;
      for (const row of data)
        assert.deepEqual(numbers(row), recomputed(facts, battles, counts, row.playerId));
    }
  });
});

test('everybody is in exactly one place of the final standings', () => {
  check((facts, made) => {
    const final = boardsOf(made).find(({ id }) => id === 'standings');
    if (facts.status !== 'finished') return assert.equal(final, undefined);
    assert.deepEqual(
      new Set(final?.data.map(({ playerId }) => playerId)),
      new Set(facts.participants.map(({ playerId }) => playerId)),
    );
    assert.equal(final?.data.length, facts.participants.length);
  });
});

test('the order in which facts are read changes no byte', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 1_000_000 }), (facts, seed) => {
      const shuffled = {
        ...facts,
        participants: shuffle(facts.participants, seed),
        battles: shuffle(facts.battles, seed),
        rankings: shuffle(facts.rankings, seed),
        byes: shuffle(facts.byes, seed),
        adjustments: shuffle(facts.adjustments, seed),
        matches: shuffle(facts.matches, seed),
        stages: facts.stages.map((each) => ({ ...each, members: shuffle(each.members, seed) })),
      };
      assert.deepEqual(inOneOrder(tournamentDocuments(shuffled)), inOneOrder(tournamentDocuments(facts)));
    }),
    { numRuns: 200 },
  );
});

test('two runs give the same bytes, and the facts are left as they were', () => {
  check((facts, made) => {
    const before = JSON.stringify(facts);
    assert.deepEqual(tournamentDocuments(facts), made);
    assert.equal(JSON.stringify(facts), before);
  });
});

test('a running battle changes no board', () => {
  check((facts, made) => {
    const running = {
      ...battle({ sides: [side('p0', { victoryPoints: 9, faction: 'New' }), side('p1')] }),
      finished: false,
    };
    const more = tournamentDocuments({ ...facts, battles: [...facts.battles, running] });
    const boards = ({ standings }: TournamentDocuments) => standings.map(({ document }) => document);
    assert.deepEqual(boards(more), boards(made));
  });
});

function check(holds: (facts: TournamentFacts, made: TournamentDocuments) => void): void {
  fc.assert(
    fc.property(events, (facts) => holds(facts, tournamentDocuments(facts))),
    { numRuns: 200 },
  );
}

const points = fc.integer({ min: -300, max: 4000 }).map((hundredths) => hundredths / 100);
const given = { battlePoints: points, victoryPoints: points, victoryPointsDiff: points };

/**
 * Events in which everybody is in `swiss`. A knockout takes the first four, and placement-swiss the others.
 */
const events: fc.Arbitrary<TournamentFacts> = fc
  .record({
    size: fc.integer({ min: 2, max: 9 }),
    grouped: fc.boolean(),
    carries: fc.boolean(),
    recorded: fc.boolean(),
    parts: fc.subarray(['knockout', 'placement-3', 'placement-swiss']),
    tieBreaks: fc.shuffledSubarray([...knownTieBreaks, 'painting']),
    status: fc.constantFrom('planned' as const, 'ongoing' as const, 'finished' as const),
  })
  .chain(({ size, grouped, carries, recorded, parts, tieBreaks, status }) => {
    const ids = Array.from({ length: size }, (_, index) => `p${index}`);
    const stages = ['swiss', ...parts].map((id): StageFacts => {
      if (id === 'swiss') return stage(id, ids, { rounds: 3, grouped });
      if (id === 'placement-swiss') return stage(id, ids.slice(4), { carriesOver: carries ? 'swiss' : null });
      return stage(id, ids.slice(0, 4), { rounds: id === 'knockout' ? 2 : 1 });
    });
    const pair = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 2, maxLength: 2 });
    const stageId = fc.constantFrom(...stages.map(({ id }) => id));
    const played = fc.record({
      pair,
      stage: stageId,
      round: fc.integer({ min: 1, max: 3 }),
      finished: fc.boolean(),
      winner: fc.constantFrom(0 as const, 1 as const, null),
      scores: fc.tuple(points, points, fc.option(points), points),
      date: fc.constantFrom(null, '2026-01-01', '2026-01-02'),
      archived: fc.boolean(),
    });
    const participants = fc.tuple(
      ...ids.map((id, index) =>
        fc
          .record({
            dropped: fc.boolean(),
            noShow: fc.boolean(),
            lot: fc.integer({ min: 0, max: 2 }),
            name: fc.constantFrom('Ana', 'Ána', 'Żak'),
          })
          .map((facts) =>
            participant(id, {
              ...facts,
              group: index % 2 === 0 ? 'Even' : 'Odd',
              finalPlacement: recorded ? size - index : null,
            }),
          ),
      ),
    );
    const brackets = stages.filter(({ type }) => type === 'bracket').map(({ id }) => id);
    const matches = fc.uniqueArray(
      fc.record({
        pair,
        stage: fc.constantFrom(...brackets, 'none'),
        round: fc.integer({ min: 1, max: 2 }),
        position: fc.integer({ min: 1, max: 2 }),
        known: fc.integer({ min: 0, max: 2 }),
        won: fc.constantFrom(0, 1, null),
      }),
      { selector: ({ stage: of, round, position }) => `${of} ${round} ${position}`, maxLength: 5 },
    );
    const byes = fc.uniqueArray(
      fc.record({
        stage: stageId,
        round: fc.integer({ min: 1, max: 3 }),
        participant: fc.constantFrom(...ids),
        win: fc.boolean(),
        ...given,
      }),
      { selector: ({ stage: of, round, participant: id }) => `${of} ${round} ${id}`, maxLength: 3 },
    );
    const adjustments = fc.array(
      fc.record({
        stage: stageId,
        participant: fc.constantFrom(...ids),
        reason: fc.constant(null),
        ...given,
      }),
      { maxLength: 2 },
    );
    const boards = stages.filter(({ type }) => type === 'board').map(({ id }) => id);
    const rankings = fc.uniqueArray(
      fc.record({
        stage: fc.constantFrom(...boards),
        afterRound: fc.nat(3),
        ranks: fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: 1, max: 4 })),
        results: fc.constant(''),
      }),
      { selector: ({ stage: of, afterRound }) => `${of} ${afterRound}`, maxLength: 3 },
    );
    return fc
      .record({
        rankings,
        participants,
        battles: fc.array(played, { maxLength: 14 }),
        matches,
        byes,
        adjustments,
      })
      .map((facts) =>
        tournament({
          status,
          tieBreaks,
          groups: ['Odd', 'Even'],
          stages,
          participants: facts.participants,
          rankings: facts.rankings,
          byes: facts.byes,
          adjustments: facts.adjustments,
          battles: facts.battles.map((each, index): BattleFacts => {
            const [first = '', second = ''] = each.pair;
            return battle({
              id: `b${index}`,
              stage: each.stage,
              round: each.round,
              finished: each.finished,
              winner: each.finished ? each.winner : null,
              date: each.date,
              archived: each.archived,
              sides: [
                side(first, {
                  battlePoints: each.scores[0],
                  victoryPoints: each.scores[2],
                  faction: `F${index}`,
                }),
                side(second, { battlePoints: each.scores[1], victoryPoints: each.scores[3] }),
              ],
            });
          }),
          matches: facts.matches
            .filter((each) => each.stage !== 'none')
            .map((each) => {
              const players = each.pair.slice(0, each.known);
              const winner = each.won === null ? null : (players[each.won] ?? null);
              return match(each.stage, each.round, each.position, players, winner);
            }),
        }),
      );
  });

function boardsOf(made: TournamentDocuments): { id: string; data: BoardRow[] }[] {
  return made.standings
    .map(({ document }) => JSON.parse(document) as Standings)
    .flatMap(({ stage: { id, type }, data }) => (type === 'board' ? [{ id, data: data as BoardRow[] }] : []));
}

type Numbers = [
  battlePoints: number,
  wins: number,
  draws: number,
  losses: number,
  scored: number,
  diff: number,
];

const numbers = (row: BoardRow): Numbers => [
  row.battlePoints,
  row.wins,
  row.draws,
  row.losses,
  row.victoryPoints,
  row.victoryPointsDiff,
];

function recomputed(
  facts: TournamentFacts,
  battles: Battle[],
  counts: (stageId: string | null) => boolean,
  playerId: string | null,
): Numbers {
  const sums: Numbers = [0, 0, 0, 0, 0, 0];
  const add = (...more: Numbers) =>
    more.forEach((value, index) => (sums[index] = (sums[index] ?? 0) + value));
  for (const { stage: of, players } of battles) {
    const mine = players.find((each) => each.playerId === playerId);
    const other = players.find((each) => each.playerId !== playerId);
    if (!mine || !other || mine.outcome === null || !counts(of)) continue;
    const scored = mine.victoryPoints ?? 0;
    const won = (outcome: string) => Number(mine.outcome === outcome);
    add(
      mine.battlePoints ?? 0,
      won('win'),
      won('draw'),
      won('loss'),
      scored,
      scored - (other.victoryPoints ?? 0),
    );
  }
  const participantId = facts.participants.find((each) => each.playerId === playerId)?.id;
  for (const each of [...facts.byes, ...facts.adjustments]) {
    if (each.participant !== participantId || !counts(each.stage)) continue;
    add(
      each.battlePoints,
      'win' in each && each.win ? 1 : 0,
      0,
      0,
      each.victoryPoints,
      each.victoryPointsDiff,
    );
  }
  // Adds up the values first and then rounds to hundredths, which differs from the way of the code. "+ 0"
  // because JSON has no -0.
  return sums.map((value) => Math.round(value * 100) / 100 + 0) as Numbers;
}

const inOneOrder = (made: TournamentDocuments): TournamentDocuments => ({
  ...made,
  battles: made.battles.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  players: made.players.toSorted((a, b) => (a.player < b.player ? -1 : 1)),
});

/** Shuffles in an order that depends only on the seed. */
function shuffle<Element>(elements: readonly Element[], seed: number): Element[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return elements
    .map((element) => ({ element, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ element }) => element);
}
