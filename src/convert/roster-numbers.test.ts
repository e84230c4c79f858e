import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../record/feed/records.ts';
import { convert, type Converted, type ConvertOptions } from './convert.ts';
import type { RecordedPlayer } from './roster-numbers.ts';

const event = 'slug,cup\nname,Cup\nstatus,ongoing\npublished,no\nsize,2000\nscoring,3/1/0\n';
const note =
  'players.csv: the players have no numbers, so they are known by name: somebody who is renamed becomes a new player with a new address, and two people who share a name need a column "no" with numbers';

function converted(
  players: string,
  recorded: RecordedPlayer[] | undefined,
  games = 'round,player 1,player 2,result\n',
  options: ConvertOptions = {},
): Converted {
  const files = Object.entries({ event, players, games });
  const sheets = files.map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) }));
  return convert(sheets, { ...options, ...(recorded && { recorded }) });
}

const tournament = ({ feed = '{}', refusals }: Converted): TournamentRecord => {
  assert.deepEqual(refusals, []);
  return JSON.parse(feed) as TournamentRecord;
};
const numbers = (...given: Parameters<typeof converted>): string =>
  (tournament(converted(...given)).participants ?? [])
    .map(({ id, name, player }) => `${id} ${name ?? player}`)
    .join(', ');

const guest = (no: number, name: string | null, id: string | null = null): RecordedPlayer => ({
  no,
  name,
  id,
});

test('a new event numbers its players in order, with a note', () => {
  const players = 'name,club\nAna,Gate\nBo,Gate\n"Vas, Dora",Gate\n';
  assert.equal(numbers(players, []), 'p1 Ana, p2 Bo, p3 Vas, Dora');
  assert.deepEqual(
    converted('Name\nAna\n', []).notes.filter((each) => !each.includes('the club')),
    [note],
  );
});

test('in the recorded event everybody keeps the number of the name, and newcomers get the next ones', () => {
  const recorded = [guest(1, 'Ana'), guest(2, 'Dora Vas'), guest(7, 'Bo'), guest(9, 'Cy', 'cy-1')];
  assert.equal(
    numbers('name,player id\nZoe,\nBO,\n"Vas, Dora",\nCyrus,cy-1\nMax,\n', recorded),
    'p2 Vas, Dora, p7 BO, p9 cy-1, p10 Zoe, p11 Max',
  );
});

test('the number of a registered player goes to nobody else with the name', () => {
  const recorded = [guest(1, 'Ana', 'ana-1'), guest(2, 'Bo')];
  assert.equal(numbers('name,player id\nAna,ana-2\nBo,bo-1\n', recorded), 'p2 bo-1, p3 ana-2');
  assert.equal(numbers('name,player id\nAnna,ana-1\nAna,\n', recorded), 'p1 ana-1, p3 Ana');
  assert.equal(numbers('name,player id\nAna,\n', recorded), 'p1 Ana');
});

test('a roster may have only names: with commas, with digits', () => {
  assert.equal(numbers('Name\nVas, Dora\nVas, Elena\n', []), 'p1 Vas, Dora, p2 Vas, Elena');
  assert.equal(numbers('Name;\nAna;\nBo;;\n', []), 'p1 Ana, p2 Bo');
  assert.equal(numbers('Name\nTom99\nAna\n8 players\nPaid:8\n', []), 'p1 Tom99, p2 Ana');
});

test('without the recorded event a roster without numbers is refused, but not in a preview', () => {
  const { refusals, unnumbered } = converted('Name\nAna\nBo\n', undefined);
  assert.match(
    refusals.join(),
    /^players.csv:2: no: expected a column with a number for each player, found none/,
  );
  assert.equal(unnumbered, 'cup');
  const alone = converted('Name\nAna\nBo\n', undefined, undefined, { isAlone: true });
  assert.deepEqual([alone.refusals, alone.notes, alone.unnumbered], [[], [], undefined]);
  assert.equal(converted('no,name\n1,Ana\n', undefined).unnumbered, undefined);
});

test('two people who share a name need numbers, also when one of them is only recorded', () => {
  assert.deepEqual(converted('Spieler,Verein\nAna,x\nBo,x\nana,x\n', []).refusals, [
    'players.csv:4: Spieler: expected a column "no" with the numbers of the players, because another one in players.csv:2 is called "ana", too',
  ]);
  assert.deepEqual(converted('name\nAna\n', [guest(1, 'Ana'), guest(2, 'Ana')]).refusals, [
    'players.csv:2: name: expected a column "no" with the numbers of the players, because another one in the recorded event is called "Ana", too',
  ]);
});

test('beside an erased player nobody gets a new number: it might be the same person', () => {
  const recorded = [guest(1, 'Ana'), guest(2, null), guest(3, 'Bo')];
  assert.deepEqual(converted('name\nAna\nElena\nBo\n', recorded).refusals, [
    'players.csv:3: name: expected a column "no" with the numbers of the players, because number 2 was erased, and "Elena" may be this person',
  ]);
  assert.equal(numbers('name\nBo\nAna\n', recorded), 'p1 Ana, p3 Bo');
  // A registered player who was erased is recognised by id.
  const registered = [guest(1, 'Ana'), guest(2, null, 'elena-1')];
  assert.equal(numbers('name,player id\nElena,elena-1\nNew,\n', registered), 'p2 elena-1, p3 New');
});

test('the games name such players, and a number is no name', () => {
  const players = 'Name,Faction\nAna,Kin\nBo,\nTotal,2\nPaid on the day: 12,\nFreilos,\nCy,\n';
  const games = 'round,player 1,player 2,result\n1,Bo,Ana,W\n1,Cy,Freilos,\n';
  const all = converted(players, [], games);
  assert.equal(tournament(all).battles?.[0]?.winner, 'p2');
  assert.equal(tournament(all).participants?.length, 3);
  assert.deepEqual(all.notes, [
    'players.csv:4: left out a row that has no name of a player',
    'players.csv:5: left out a row that has no name of a player',
    'players.csv:6: "Freilos" is a bye and no player',
    note,
  ]);
  assert.deepEqual(converted(players, [], `${games}2,1,Bo,\n2,Ana,Ana,\n1,Zoe,,\n1,Bo,,\n`).refusals, [
    'games.csv:4: player 1: expected a name of the players sheet, found "1"',
    'games.csv:5: player 2: expected another player than in player 1, found "Ana" twice',
    'games.csv:6: player 1: expected a name of the players sheet, found "Zoe"',
    'games.csv:7: player 1: expected each player once in a round, found "Bo" again (first in games.csv:2)',
  ]);
});

test('--players needs the numbers in the sheet', () => {
  const { refusals } = converted('name\nAna\n', [], undefined, { players: new Map([[1, 'ana-q']]) });
  assert.match(refusals.join(), /^players.csv:2: no: expected a column with a number/);
});
