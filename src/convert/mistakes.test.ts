import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { convert, type Converted } from './convert.ts';

// Mistakes from real sheets, made in the sheets of docs/sheets. Each is either converted correctly or refused
// with one sentence.

const sheet = (name: string): string =>
  readFileSync(new URL(`../../docs/sheets/${name}.csv`, import.meta.url), 'utf8');
const right = { event: sheet('event'), players: sheet('players'), games: sheet('games') };

function converted(changed: Partial<typeof right>): Converted {
  const files = Object.entries({ ...right, ...changed });
  const named = files.map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) }));
  return convert(named, { clubs: { known: [], newClubs: true } });
}

function refused(changed: Partial<typeof right>): string[] {
  const { feed, refusals } = converted(changed);
  assert.equal(feed, undefined);
  return refusals;
}

/** Replaces a text that must be present. */
function swap(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to);
  assert.notEqual(changed, text, `${from} is not in the sheet`);
  return changed;
}

const same = (changed: Partial<typeof right>): string[] => {
  const { feed, refusals, notes } = converted(changed);
  assert.deepEqual(refusals, []);
  assert.equal(feed, converted({}).feed);
  return notes;
};

test('two people of one name: the games must say the number', () => {
  const twins = swap(right.players, 'Marie Dubois', 'Dieter Große');
  assert.equal(converted({ players: twins }).refusals.length, 0, 'by number they are two people');
  const games = swap(right.games, '1,5,13,3,', '1,5,Dieter Große,3,');
  assert.deepEqual(refused({ players: twins, games }), [
    'games.csv:6: player 1: expected the number 4 (in players.csv:8) or 13 (in players.csv:18), because they have the same name, found "Dieter Große"',
  ]);
});

test('without a column of opponents no game is a bye', () => {
  const games = swap(right.games, 'player 2', 'adversary');
  const [sentence = ''] = refused({ games });
  assert.match(sentence, /^games\.csv:1: player 2: expected a column player 2, found none$/);
});

test('a name with a comma is the same name', () => {
  const twins = swap(right.players, 'Marie Dubois', '"Große, Dieter"');
  for (const name of ['Dieter Große', '"Große, Dieter"']) {
    const [sentence, ...others] = refused({
      players: twins,
      games: swap(right.games, '1,5,13,3,', `1,5,${name},3,`),
    });
    assert.match(
      sentence ?? '',
      /expected the number 4 \(in players.csv:8\) or 13 \(in players.csv:18\), because/,
    );
    assert.deepEqual(others, []);
  }
});

test('two people of one name in one game: the winner is said by number', () => {
  const players = swap(right.players, 'Marie Dubois', 'Chloé Lefèvre');
  const typed = (header: string, winner: string) => {
    const games = right.games.replace('player 2,result', `player 2,${header}`);
    return refused({ players, games: swap(games, '13,3,2 minor,29,33', `13,3,${winner},29,33`) });
  };
  assert.deepEqual(typed('result', 'Chloé Lefèvre'), [
    'games.csv:6: result: expected 1 or 2, because both players have this name, found "Chloé Lefèvre"',
  ]);
  assert.match(
    typed('winner', 'Chloé Lefèvre').join('\n'),
    /^games.csv:6: winner: expected the number 13 \(in players.csv:18\) or 3 \(in players.csv:7\), because/m,
  );
});

test('a missing round: a row without one, and a round without games', () => {
  assert.deepEqual(refused({ games: swap(right.games, '\n3,1,', '\n,1,') }), [
    'games.csv:18: round: expected the round in each row (merged cells keep only their first value), found nothing',
  ]);
  const [first] = refused({ games: right.games.replaceAll(/^4,.*\n/gm, '') });
  assert.equal(
    first,
    'games.csv: 8 rows: round: expected games of round 4, too (it has none), found "5", first in line 26',
  );
});

test('without a column of rounds the name of the file must have it', () => {
  const games = right.games.replaceAll(/^[^,]*,/gm, '');
  assert.deepEqual(refused({ games }), [
    'games.csv:1: round: expected a column round, or a file for each round with the round in its name, like round_1.csv or final.csv, found none',
  ]);
  const sheets = { event: right.event, players: right.players, 'Runde 7': games };
  const files = Object.entries(sheets).map(([name, text]) => ({
    name: `${name}.csv`,
    bytes: Buffer.from(text),
  }));
  assert.equal(
    convert(files).refusals[0],
    'Runde 7.csv: 44 rows: the name of the file: expected a round up to 5, the rounds of the event sheet, or a name like final, found "runde 7", first in line 2',
  );
});

test('a copy of the event sheet is named by its file, and players as the games sheet names them', () => {
  const names =
    'round,player 1,player 2,vp 1,vp 2\n1,Ana Quiroga,Bo Lind,1,2\n1,Bo Lind,1,,\n2,Ana Quiroga,Ana Quiroga,,\n';
  const files = {
    event: 'name,Cup\nstatus,ongoing\nsize,2000\nscoring,3/1/0\n',
    'copy of event': 'name,Cup\nstatus,ongoing\n',
    players: 'no,name\n1,Ana Quiroga\n2,Bo Lind\n',
    games: names,
  };
  const { refusals } = convert(
    Object.entries(files).map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) })),
    { isAlone: true },
  );
  assert.deepEqual(refusals, [
    'copy of event.csv:1: name: expected each fact once, found it again (first in event.csv:1)',
    'copy of event.csv:2: status: expected each fact once, found it again (first in event.csv:2)',
    'games.csv:3: player 1: expected each pair once in a round, found "Bo Lind" and 1 again (first in games.csv:2)',
    'games.csv:4: player 2: expected another player than in player 1, found "Ana Quiroga" twice',
  ]);
});

test('a player twice in a round, a pair twice in a round, a player against themselves', () => {
  assert.deepEqual(refused({ games: swap(right.games, '1,2,5,12,', '1,2,7,12,') }), [
    'games.csv:3: player 1: expected each player once in a round, found 7 again (first in games.csv:2)',
  ]);
  assert.deepEqual(refused({ games: swap(right.games, '1,2,5,12,', '1,2,10,7,') }), [
    'games.csv:3: player 1: expected each pair once in a round, found 10 and 7 again (first in games.csv:2)',
  ]);
  assert.deepEqual(refused({ games: swap(right.games, '1,2,5,12,', '1,2,5,5,') }), [
    'games.csv:3: player 2: expected another player than in player 1, found 5 twice',
  ]);
});

test('a swapped column: names where the numbers belong', () => {
  const refusals = refused({ players: right.players.replaceAll(/^(\d+),([^,]*),/gm, '$2,$1,') });
  assert.equal(
    refusals.find((line) => line.startsWith('players.csv')),
    'players.csv: 16 rows: no: expected a whole number between 1 and 999999, found "Ana Quiroga", "Bjørn Aas", "Chloé Lefèvre" and others, first in line 2',
  );
  assert.deepEqual(
    refusals.filter((line) => !line.startsWith('players.csv: 16 rows: no: ')),
    [],
    'the games are not refused because the players are',
  );
  const games = swap(right.games, 'player 1,player 2,result,vp 1', 'vp 1,player 2,result,player 1');
  assert.equal(
    refused({ games })[0],
    'games.csv: 35 rows: player 1: expected a number of the players sheet, found "21", "24", "26" and others, first in line 3',
  );
});

test('a total line at the bottom, and a note under the table', () => {
  const notes = same({
    players: `${right.players}\nTotal,16,,,,9965,\nPaid on the day: 12 people,,,,,,\n`,
    games: `${right.games},,,,,,,,,,\nSumme,44,,,,1034,,,,,\nTable 3 was replayed,,,,,,,,,,\n`,
  });
  assert.deepEqual(notes, [
    'players.csv:23: left out a row that has no number and name of a player',
    'players.csv:24: left out a row that has no number and name of a player',
    'games.csv:47: left out a row without players',
    'games.csv:48: left out a row without players',
  ]);
});

test('merged cells: only the first row has the round', () => {
  const merged = right.games.replaceAll(/^([1-5]),([2-8],)/gm, ',$2');
  assert.deepEqual(refused({ games: merged }), [
    'games.csv: 35 rows: round: expected the round in each row (merged cells keep only their first value), found nothing, first in line 3',
  ]);
});

test('#REF! and its kind are errors of a formula', () => {
  for (const error of ['#REF!', '#N/A', '#BEZUG!', '#WERT!', '#NAME?', '#DIV/0!', '#NV']) {
    assert.deepEqual(
      refused({ games: swap(right.games, '1,1,7,10,2 minor,11,', `1,1,7,10,2 minor,${error},`) }),
      [`games.csv:2: vp 1: expected a value, found the error ${error} of a formula`],
    );
  }
});

test('a score in one cell', () => {
  for (const score of ['12-8', '12:8', '08. Dez', '20 - 0']) {
    assert.deepEqual(refused({ games: swap(right.games, '2 minor,11,20,', `${score},,,`) }), [
      `games.csv:2: result: expected 1, 2, draw or the name of the winner (points go into vp 1 and vp 2, or bp 1 and bp 2), found "${score}"`,
    ]);
  }
});

test('an empty sheet, a sheet of headers only, and a file that is no sheet', () => {
  assert.deepEqual(refused({ games: '' }), ['games.csv: expected a sheet with headers, found an empty file']);
  assert.deepEqual(refused({ games: ',,,\r\n,,,\r\n' }), [
    'games.csv: expected a sheet with headers, found an empty file',
  ]);
  assert.deepEqual(refused({ players: 'no,name\n', games: 'round,player 1,player 2\n' }), [
    'players sheet: expected at least one player, found none',
  ]);
  assert.equal(
    refused({ players: 'no,name\n17,\n', games: 'round,player 1,player 2\n' })[0],
    'players sheet: expected at least one player, found none',
  );
  for (const heads of ['Club,Remark', 'Player,Enemy'])
    assert.match(refused({ players: `${heads}\na,b\n` }).join(), /players.csv:1: expected the headers of/);
  assert.deepEqual(refused({ games: 'Hello,world\n' }), [
    'games.csv:1: expected the headers of an event, players or games sheet (`wartable convert --template` writes them), found "Hello", "world"',
  ]);
  assert.deepEqual(refused({ games: 'PK\u0003\u0004…' }), [
    'games.csv: expected a CSV file, found a workbook: save each of its sheets as CSV',
  ]);
  assert.deepEqual(refused({ games: swap(right.games, 'Broken', '"Broken') }), [
    'games.csv:2: expected the end of a quoted cell, found the end of the file (look for a single quotation mark)',
  ]);
});

test('a sheet without numbers says how to fill the column', () => {
  const refusals = refused({ players: right.players.replace('no,', ',').replaceAll(/^\d+,/gm, ',') });
  assert.deepEqual(refusals, [
    'players.csv:2: no: expected a column with a number for each player, found none (number the players 1, 2, 3 … once, and never change the number of a player; or set DATABASE_URL, so that the recorded event keeps the numbers)',
  ]);
});

test('empty rows between rounds, numbered rows without a player and tables without a pairing are no mistakes', () => {
  const notes = same({
    players: `${right.players}17,,,,,,\n18,,,,,,\n`,
    games: `${right.games.replaceAll(/^([2-5],1,)/gm, ',,,,,,,,,,\n\n$1')}final,3,,,,,,,,,\n`,
  });
  assert.equal(notes.length, 3);
});

test('a final with the number of a next round is refused with the way to write it', () => {
  assert.deepEqual(refused({ games: swap(right.games, '\nfinal,', '\n6,') }), [
    'games.csv:44: round: expected a round up to 5, the rounds of the event sheet, or a name like final, found "6"',
  ]);
});

test('a question mark in a name is noted, because Excel may have saved it for a letter', () => {
  const players = swap(right.players, 'Marie Dubois', '?ukasz Nowak');
  const { notes } = converted({ players });
  assert.deepEqual(notes, [
    'players.csv:18: "?ukasz Nowak": if the question mark was a letter, type it again and save as "CSV UTF-8"',
  ]);
});
