import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { BoardStandings } from '../../src/contract/standings.ts';
import { convert } from '../../src/convert/convert.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishText } from '../../harness/support/publish-feed.ts';

// Sheets that each differ from our template in one way, after which they are named, and one that has all of
// these differences, in German. The layouts are ours, in the style of what other programs and organisers
// write; they are not real exports. A separate program wrote the sheets and added up the results below,
// without using `convert`.

const { pool } = await createTestDatabase();
const folder = path.join(import.meta.dirname, 'layouts');

interface Layout {
  champion: string;
  /** The rows by name: wins, draws and losses, victory points and their difference, battle points. */
  rows: string[];
  notes?: string[];
}

const knownByName =
  'the players have no numbers, so they are known by name: somebody who is renamed becomes a new player with a new address, and two people who share a name need a column "no" with numbers';

const layouts: Record<string, Layout> = {
  letters: {
    champion: 'Maud Ferrier',
    rows: [
      'Ilse Brandt: 2 0 1, 0 0, 6',
      'Joss Tarrant: 1 0 2, 0 0, 3',
      'Maud Ferrier: 3 0 0, 0 0, 9',
      'Owen Lyle: 0 1 2, 0 0, 1',
      'Petra Novak: 2 0 1, 0 0, 6',
      'Rhea Costa: 2 0 1, 0 0, 6',
      'Silas Moor: 0 1 2, 0 0, 1',
      'Tova Lund: 1 0 2, 0 0, 3',
    ],
  },
  'letters-for-each-side': {
    champion: 'Hugo Marchetti',
    rows: [
      'Amir Sabet: 1 1 1, 0 0, 4',
      'Cleo Hart: 1 2 0, 0 0, 5',
      'Ewan Blythe: 0 2 1, 0 0, 2',
      'Hugo Marchetti: 2 1 0, 0 0, 7',
      'Lena Vogt: 1 2 0, 0 0, 5',
      'Nina Osei: 1 0 2, 0 0, 3',
      'Pau Ribera: 2 0 1, 0 0, 6',
      'Ruta Balode: 0 0 3, 0 0, 0',
    ],
  },
  'file-for-each-round': {
    champion: 'Vera Simm',
    rows: [
      'Caleb Stroud: 1 1 1, 68 6, 4',
      'Inga Dahl: 1 1 1, 79 11, 4',
      'Leon Achard: 2 0 1, 68 3, 6',
      'Mina Toth: 1 0 2, 55 -10, 3',
      'Rafa Quint: 1 2 0, 66 12, 5',
      'Tim Oakes: 0 1 2, 46 -21, 1',
      'Vera Simm: 2 1 0, 68 30, 7',
      'Zoe Marlow: 1 0 2, 41 -31, 3',
    ],
  },
  'no-numbers': {
    champion: 'Freya Nolan',
    rows: [
      'Freya Nolan: 3 0 0, 64 17, 9',
      'Gus Whitlock: 2 0 1, 60 7, 6',
      'Hana Ito: 1 1 1, 40 -1, 4',
      'Ivo Petrov: 1 1 1, 59 13, 4',
      'Jade Mercer: 1 0 2, 63 -8, 3',
      'Kofi Mensah: 1 2 0, 77 29, 5',
      'Lars Eklund: 0 2 1, 53 -1, 2',
      'Mara Voss: 0 0 3, 33 -56, 0',
    ],
    notes: ['players.csv: ' + knownByName],
  },
  'points-beside-results': {
    champion: 'Cato Finch',
    rows: [
      'Abel Rourke: 1 1 1, 77 0, 4',
      'Bess Tolland: 1 1 1, 83 44, 4',
      'Cato Finch: 3 0 0, 88 62, 9',
      'Dina Rahal: 1 1 1, 61 -5, 4',
      'Emil Sorge: 1 0 2, 59 -31, 3',
      'Faye Linden: 0 1 2, 51 -31, 1',
      'Gwen Pryor: 2 1 0, 45 -10, 7',
      'Hal Beck: 0 1 2, 45 -29, 1',
    ],
    notes: [
      'games.csv:1: "Player 1 Points" and "Player 2 Points" were read as the victory points vp 1 and vp 2: call them bp 1 and bp 2 if they are battle points',
      // The player who was ahead conceded.
      'games.csv:2: Result: the winner has fewer victory points (34 and 4)',
    ],
  },
  'all-in-german': {
    champion: 'Jörg Weißmann',
    rows: [
      'Anke Düring: 2 0 1, 80.5 9.5, 6',
      'Björn Thiele: 1 1 1, 70.5 -0.5, 4',
      'Jörg Weißmann: 3 0 0, 77.5 36.5, 9',
      'Käthe Oldenburg: 1 1 1, 22 -28, 4',
      'Meike Straßer: 1 1 1, 47 -1.5, 4',
      'Sönke Petersen: 1 0 2, 49 -21.5, 3',
      'Ulf Kröger: 1 1 1, 79 5.5, 4',
    ],
    notes: [
      ...['1', '2', '3'].map(
        (round) =>
          `Runde ${round}.csv:1: "Punkte Spieler 1" and "Punkte Spieler 2" were read as the victory points vp 1 and vp 2: call them bp 1 and bp 2 if they are battle points`,
      ),
      'Spieler.csv: ' + knownByName,
    ],
  },
};

for (const [layout, { champion, rows, notes = [] }] of Object.entries(layouts)) {
  test(`${layout}: right champion, right sums, no lost row`, async () => {
    const files = globSync('*.csv', { cwd: path.join(folder, layout) }).toSorted();
    const sheets = files.map((name) => ({ name, bytes: readFileSync(path.join(folder, layout, name)) }));
    const converted = convert(sheets, { recorded: [] });
    assert.deepEqual(converted.refusals, []);
    assert.deepEqual(converted.notes, notes);
    const board = await boardOf(layout, converted.feed ?? '');
    assert.equal(board[0]?.player, champion);
    assert.deepEqual(
      board
        .map(
          ({ player, wins, draws, losses, victoryPoints, victoryPointsDiff, battlePoints }) =>
            `${player}: ${wins} ${draws} ${losses}, ${victoryPoints} ${victoryPointsDiff}, ${battlePoints}`,
        )
        .toSorted(),
      rows,
    );
  });
}

async function boardOf(slug: string, feed: string): Promise<BoardStandings['data']> {
  await publishText(pool, feed);
  const { rows } = await pool.query<{ document: string }>(
    `select document from published.standings where tournament = $1 and stage = 'standings'`,
    [slug],
  );
  return (JSON.parse(rows[0]?.document ?? '{"data":[]}') as BoardStandings).data;
}
