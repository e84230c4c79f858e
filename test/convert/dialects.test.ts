import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SheetFile } from '../../src/convert/sheet.ts';
import {
  dialects,
  feedOf,
  newClubs,
  sheetsIn,
  tournamentOf,
  withRows,
} from '../../harness/convert/fixtures.ts';

const feed = feedOf(sheetsIn('docs/sheets'));

test('there are eight dialects: separators, encodings, line ends, dates and numbers differ', () => {
  assert.equal(dialects.length, 8);
});

for (const folder of dialects) {
  test(`${folder} gives the same bytes of feed`, () => assert.equal(feedOf(sheetsIn(folder)), feed));
}

test('the feed says what the sheets say', () => {
  const { participants = [], battles = [], matches = [], byes, stages = [], ...event } = tournamentOf(feed);
  assert.deepEqual([participants.length, battles.length, byes], [16, 44, []]);
  assert.deepEqual(participants[5], {
    id: 'p6',
    name: 'Frank Adeyemi',
    club: 'wurfelbund-nordtor',
    faction: 'Thornback Clans',
    list: {
      faction: 'Thornback Clans',
      subFaction: 'Boar Moot',
      points: 1990,
      battleTacticCards: [],
      text: 'Boar Chief; on foot (140)\n"Old Tusk" (300)',
    },
  });
  assert.deepEqual(battles[0], {
    id: 'autumn-cup-2026_swiss_1_7_10',
    stage: 'swiss',
    round: 1,
    table: 1,
    date: '2026-11-14',
    scenario: 'Broken Causeway',
    finished: true,
    winner: 'p10',
    victorySize: 'minor',
    sides: [
      { participant: 'p7', battlePoints: 5.5, victoryPoints: 11 },
      { participant: 'p10', battlePoints: 14.5, victoryPoints: 20 },
    ],
  });
  assert.deepEqual(
    stages.map(({ id, rounds }) => [id, rounds]),
    [
      ['swiss', 5],
      ['knockout', 2],
      ['placement-3', 1],
    ],
  );
  assert.equal(matches.length, 4);
  assert.deepEqual(
    [event.slug, event.published, event.startDate, event.battleSize, event.organizer],
    ['autumn-cup-2026', true, '2026-11-14', 2000, 'wurfelbund-nordtor'],
  );
});

test('ids contain no names', () => {
  const { participants = [], battles = [] } = tournamentOf(feed);
  for (const { id } of participants) assert.match(id, /^p\d+$/);
  for (const { id } of battles)
    assert.match(id, /^autumn-cup-2026_(swiss_\d|knockout_of\d|placement-3_1)_\d+_\d+$/);
});

for (const folder of dialects) {
  const sheets = sheetsIn(folder);
  const named = idsByName(feed);

  test(`${folder}: the order of rows changes no byte`, () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        assert.equal(
          feedOf(sheets.map((sheet) => (sheet.name === 'event.csv' ? sheet : shuffled(sheet, seed)))),
          feed,
        );
      }),
      { numRuns: 20 },
    );
  });

  test(`${folder}: rows that come, go or change change no id of another`, () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer(), (out, other, seed) => {
        const changed = sheets.map((sheet) => {
          if (sheet.name === 'players.csv') return shuffled(withRows(sheet, withTwoMore), seed);
          if (sheet.name !== 'games.csv') return sheet;
          const edited = withRows(sheet, (rows, headers) =>
            withGame(
              headers,
              rows
                .map((row, index) => (index === other % rows.length ? corrected(row) : row))
                .toSpliced(out % rows.length, 1),
            ),
          );
          return shuffled(edited, seed);
        });
        const now = idsByName(feedOf(changed, newClubs));
        // One game was removed, and two players and their game were added.
        assert.equal(now.size, named.size + 2);
        const lost = [...named].filter(([key, id]) => now.get(key) !== id);
        assert.equal(lost.length, 1, JSON.stringify(lost));
      }),
      { numRuns: 20 },
    );
  });
}

/** Returns the ids of people by name, and those of battles by a description. */
function idsByName(text: string): Map<string, string> {
  const { participants = [], battles = [], stages = [] } = tournamentOf(text);
  const names = new Map(participants.map(({ id, name }) => [id, name ?? '']));
  const lastRound = new Map(stages.map(({ id, rounds }) => [id, rounds]));
  return new Map([
    ...participants.map(({ id, name }): [string, string] => [name ?? '', id]),
    ...battles.map(({ id, stage, round, sides }): [string, string] => {
      const pair = sides.map(({ participant }) => names.get(participant) ?? '').toSorted();
      const at = stage === 'swiss' ? round : (lastRound.get(stage) ?? 0) - round;
      return [[stage, at, ...pair].join('|'), id];
    }),
  ]);
}

function shuffled(sheet: SheetFile, seed: number): SheetFile {
  return withRows(sheet, (rows) => {
    let state = seed >>> 0 || 1;
    const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
    return rows
      .map((row) => ({ row, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ row }) => row);
  });
}

function withTwoMore(rows: string[][], headers: string[]): string[][] {
  const isSplit = headers.length > 7;
  const player = (no: string, first: string): string[] => [
    no,
    ...(isSplit ? [first, 'New'] : [`${first} New`]),
  ];
  return [player('17', 'Quentin'), ...rows, player('18', 'Rosa')];
}

/**
 * Adds a game of the two new players. The first header with a 1 or a 2, in each language, belongs to a
 * player.
 */
function withGame(headers: string[], rows: string[][]): string[][] {
  const at = (pattern: RegExp): number => headers.findIndex((header) => pattern.test(header));
  const row = headers.map(() => '');
  row[at(/^(round|runde|ronde|ronda|turno)$/i)] = '1';
  row[at(/^(player|spieler|joueur|jugador|giocatore) 1$/i)] = '17';
  row[at(/^(player|spieler|joueur|jugador|giocatore) 2$/i)] = '18';
  return [...rows, row];
}

/** Changes the scenario in a row. */
const corrected = (row: string[]): string[] =>
  row.map((cell) => cell.replace(/Causeway|Wells|Road|Granary|Fords|Gates|Parley/, 'Corrected'));
