import assert from 'node:assert/strict';
import fc from 'fast-check';
import { convert, type ConvertOptions } from '../../src/convert/convert.ts';
import type { RecordedPlayer } from '../../src/convert/roster-numbers.ts';
import type { SheetFile } from '../../src/convert/sheet.ts';
import { createPool } from '../../src/database/pool.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { importText } from '../support/feed.ts';
import { type Proof, withDatabase } from './proof.ts';

// Converts sheets with mistakes of every sort, from a wrong cell to damaged bytes. `convert` never crashes,
// and the import accepts every feed that it writes: the database contains the clubs and players that the
// sheets refer to.

export const convertFuzz: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-fuzz', size: 4 });
    const client = await pool.connect();
    const wanted = size === 'stated' ? 20_000 : 300;
    const counts = { converted: 0, refused: 0, records: 0, sentences: new Set<string>() };
    try {
      const clubs = knownClubs.map(([slug, name]) =>
        JSON.stringify({ kind: 'club', slug, name: name || slug }),
      );
      assert.deepEqual((await importText(client, clubs.join('\n'))).refusals, []);
      await fc.assert(
        fc.asyncProperty(brokenSheets, async ({ sheets, options }) => {
          const { feed, refusals, skipped } = convert(sheets, options);
          assert.equal(feed === undefined, refusals.length > 0);
          assert.ok(skipped.length === 0 || (options.skipUnreadableResults && feed !== undefined));
          for (const line of [...refusals, ...skipped]) {
            assert.match(line, /^[^\n]+: .*expected [^\n]+$/, line);
            counts.sentences.add(line.replaceAll(/"(?:[^"\\]|\\.)*"?|\d+/g, '…'));
          }
          if (feed === undefined) {
            counts.refused += 1;
            return;
          }
          counts.converted += 1;
          const { refusals: refused, records } = await importText(client, playersOf(feed) + feed);
          counts.records += records;
          assert.deepEqual(refused, []);
          if (counts.converted % 200 === 0) assert.deepEqual((await publishBacklog(pool)).failed, []);
        }),
        { numRuns: wanted, endOnFailure: true },
      );
      assert.deepEqual((await publishBacklog(pool)).failed, []);
    } finally {
      client.release();
      await pool.end();
    }
    const { converted, refused, sentences } = counts;
    assert.ok(converted > wanted / 10 && refused > wanted / 10, `${converted} converted, ${refused} refused`);
    return [
      `${wanted} sheets: no crash, ${converted} converted, all imported.`,
      `${wanted} sheets with mistakes: ${converted} converted, ${refused} refused with ${sentences.size} different sentences. No crash, and the import took every feed; all of them were published.`,
    ];
  });

const knownClubs: [string, string][] = [
  ['tidewatch', 'Tidewatch Gamers'],
  ['north-gate', ''],
];

/** Returns the players that the feed refers to, whom an operator would have recorded. */
function playersOf(feed: string): string {
  const { participants = [] } = JSON.parse(feed.trim().split('\n').at(-1) ?? '') as TournamentRecord;
  return participants
    .flatMap(({ player }) =>
      player ? `${JSON.stringify({ kind: 'player', id: player, name: 'A player' })}\n` : [],
    )
    .join('');
}

const eventRows = [
  ['slug', 'cup'],
  ['name', 'Club Cup'],
  ['status', 'ongoing'],
  ['published', 'yes'],
  ['start', '2026-11-14'],
  ['end', '2026-11-15'],
  ['city', 'Lübeck'],
  ['size', '2000'],
  ['pack', 'Open Field Compact'],
  ['rounds', '2'],
  ['top', '4'],
  ['scoring', '3/1/0'],
  ['tie-breaks', 'wins, victoryPoints'],
  ['organiser', 'Tidewatch Gamers'],
];
const playerRows = [
  ['no', 'name', 'player id', 'club', 'group', 'faction', 'subfaction', 'points', 'list', 'dropped', 'place'],
  ['1', 'Ana Quiroga', 'ana-q', 'Tidewatch Gamers', '', 'Kin', 'Wing', '2000', 'one\ntwo', '', '1'],
  ['2', 'Bjørn Aas', '', 'north-gate', '', 'Kin', '', '', '', '', ''],
  ['3', 'Chidi Eze', '', 'Elsewhere', '', '', 'Wing', '', '', 'yes', ''],
  ['4', 'Dora Vas', '', '', '', 'Choir', '', '1980', '', 'no-show', ''],
  ['5', 'Ana Quiroga', '', '', '', '', '', '', '', '', ''],
];
const gameRows = [
  [
    'stage',
    'round',
    'table',
    'player 1',
    'player 2',
    'result',
    'vp 1',
    'vp 2',
    'bp 1',
    'bp 2',
    'scenario',
    'date',
  ],
  ['', '1', '1', '1', '2', '1 major', '20', '9', '17.5', '2.5', 'Three Wells', '14.11.2026'],
  ['', '1', '2', '3', 'Dora Vas', '', '12', '12', '10', '10', '', '14.11.2026'],
  ['', '1', '', '5', '', '', '', '', '', '', '', ''],
  ['', '2', '1', 'Bjørn Aas', '5', 'draw', '', '', '', '', '', '14.11.2026'],
  ['', '2', '2', '1', '3', '', '', '', '', '', '', ''],
  ['knockout', 'semi-final', '1', '1', '4', '1', '', '', '', '', '', ''],
  ['', 'semi-final', '2', '2', '3', '', '20', '10', '', '', '', ''],
  ['', 'final', '1', '1', '2', '', '', '', '', '', '', ''],
  ['', 'place 3', '2', '4', '3', '2 minor', '', '', '', '', '', ''],
];

/** Sheets without numbers and rounds, and with letters in a column for each side. */
const rosterRows = [
  ['Spieler', 'Fraktion', 'E-Mail'],
  ['Ana Quiroga', 'Kin', 'a@club.example'],
  ['Bjørn Aas', '', ''],
  ['Dora Vas', 'Choir', ''],
  ['Eze, Chidi', '', ''],
];
const letterRows = [
  ['Tisch', 'Spieler 1', 'Ergebnis Spieler 1', 'Punkte 1', 'Spieler 2', 'Ergebnis Spieler 2', 'Punkte 2'],
  ['1', 'Ana Quiroga', 'S', '20', 'Bjørn Aas', 'N', '9'],
  ['2', 'Chidi Eze', 'U', '7', 'Dora Vas', 'U', '7'],
];

const odd = fc.oneof(
  fc.constantFrom(
    ...'1,2,3,4,5,6,0,-1,007,1.5,12-8,2.000,1e3,½,−3,99999999,final,Halbfinale,place 3,places 5-8,round of 16,Top 4'.split(
      ',',
    ),
    ...'Ana Quiroga,Eze Chidi,Freilos,draw,2 minor,major,yes,nein,no-show,planned,finished,#REF!,#N/A,14.11.2026'.split(
      ',',
    ),
    ...'05/11/2026,2026-02-30,x,Total,tidewatch,placement-swiss,places 3-4,knockout,__proto__,constructor,name,no,Bye,12.500,Score 1,Score 2,scoring,battlePoints,1/0/0,(x)'.split(
      ',',
    ),
    ...'W,L,D,V,S,N,P,Result,Ergebnis,Player 1 Result,Player 2 Result,Résultat joueur 1,Spieler,Nr.,E-Mail'.split(
      ',',
    ),
    '',
    ' ',
    '\u00a0',
    '\u200b',
    '"',
    "='1'",
    'a'.repeat(300),
    'ü'.repeat(10_001),
    '\ud83c\udfb2',
    'x\ny',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer({ min: -3, max: 40 }).map(String),
);

type Change = (rows: string[][]) => string[][];
const at = fc.nat({ max: 40 });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ row: at, column: at, text: odd }).map(
      ({ row, column, text }): Change =>
        (rows) =>
          rows.map((cells, index) =>
            index === row % rows.length ? cells.with(column % cells.length, text) : cells,
          ),
    ),
  },
  fc.record({ row: at }).map(
    ({ row }): Change =>
      (rows) =>
        rows.toSpliced(row % rows.length, 1),
  ),
  fc.record({ row: at, to: at }).map(
    ({ row, to }): Change =>
      (rows) =>
        rows.toSpliced(to % rows.length, 0, rows[row % rows.length] ?? []),
  ),
  fc.array(odd, { minLength: 1, maxLength: 14 }).map((cells): Change => (rows) => [...rows, cells]),
  fc.record({ row: at, cells: fc.array(odd, { minLength: 1, maxLength: 3 }) }).map(
    ({ row, cells }): Change =>
      (rows) =>
        rows.toSpliced(row % rows.length, 0, cells),
  ),
  // Two headers are swapped, or the values below them.
  fc.record({ from: at, to: at, isHeader: fc.boolean() }).map(
    ({ from, to, isHeader }): Change =>
      (rows) =>
        rows.map((cells, index) => {
          if ((index === 0) !== isHeader) return cells;
          const [one, other] = [from % cells.length, to % cells.length];
          return cells.with(one, cells[other] ?? '').with(other, cells[one] ?? '');
        }),
  ),
);

const encodings = [
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(`\ufeff${text}`),
  (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text: string) => Buffer.from(text, 'latin1'),
];

/** Generates a sheet. `names` are possible names of the file; usually the first is used. */
const sheet = (rows: string[][], ...names: [string, ...string[]]): fc.Arbitrary<SheetFile> =>
  fc
    .record({
      name: fc.oneof(
        { weight: 9, arbitrary: fc.constant(names[0]) },
        { weight: 1, arbitrary: fc.constantFrom(...names) },
      ),
      changes: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Change[]>([]) },
        { weight: 3, arbitrary: fc.array(change, { maxLength: 2 }) },
      ),
      separator: fc.constantFrom(',', ';', '\t'),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      encode: fc.constantFrom(...encodings),
      quoted: fc.oneof(
        { weight: 9, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      damage: fc.oneof(
        { weight: 25, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.record({ place: fc.nat(), byte: fc.nat({ max: 255 }) }), { maxLength: 4 }),
        },
      ),
    })
    .map(({ name, changes, separator, lineEnd, encode, quoted, damage }) => {
      const cell = (text: string): string => (quoted ? `"${text.replaceAll('"', '""')}"` : text);
      const changed = changes.reduce<string[][]>((now, each) => (now.length > 0 ? each(now) : now), rows);
      const text = changed.map((cells) => cells.map(cell).join(separator) + lineEnd).join('');
      const bytes = encode(text);
      for (const { place, byte } of damage) if (bytes.length > 0) bytes[place % bytes.length] = byte;
      return { name, bytes };
    });

const options: fc.Arbitrary<ConvertOptions> = fc.record({
  event: fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          status: odd,
          top: odd,
          rounds: odd,
          start: odd,
          slug: fc.constantFrom('cup', 'cup', 'cup', 'other-cup'),
        },
        { requiredKeys: [] },
      ),
    },
  ),
  skipUnreadableResults: fc.boolean(),
  encoding: fc.constantFrom(
    ...Array.from({ length: 27 }, () => undefined),
    'windows-1250',
    'utf-8',
    'shift_jis',
  ),
  dates: fc.constantFrom(undefined, undefined, undefined, 'dmy', 'dmy', 'mdy'),
  players: fc.constantFrom(
    new Map<number, string>(),
    new Map([[2, 'bjorn']]),
    new Map([
      [1, 'bjorn'],
      [2, 'bjorn'],
    ]),
  ),
  recorded: fc.constantFrom<RecordedPlayer[]>(
    [],
    [],
    [
      { no: 3, name: 'Ana Quiroga', id: null },
      { no: 1, name: 'Vas, Dora', id: null },
      { no: 7, name: 'Somebody Else', id: null },
    ],
    [{ no: 2, name: null, id: null }],
  ),
  clubs: fc.record({ known: fc.constantFrom([], knownClubs), newClubs: fc.boolean() }),
});

const brokenSheets = fc.record({
  sheets: fc
    .record({
      all: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.tuple(
            sheet(eventRows, 'event.csv'),
            sheet(playerRows, 'players.csv'),
            sheet(gameRows, 'games.csv'),
          ),
        },
        {
          weight: 1,
          arbitrary: fc.tuple(
            sheet(eventRows, 'event.csv'),
            sheet(rosterRows, 'players.csv'),
            sheet(letterRows, 'Runde 1.csv', 'games.csv', 'final.csv'),
          ),
        },
      ),
      forgotten: fc.nat({ max: 40 }),
    })
    .map(({ all, forgotten }) => all.filter((_, index) => index !== forgotten)),
  options,
});
