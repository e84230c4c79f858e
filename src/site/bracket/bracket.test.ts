import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageBasesOf } from '../../read/page-address.ts';
import { drawnKnockout } from '../../../test/serve/site/drawn-brackets.ts';
import type { BracketMatch } from '../../contract/standings.ts';
import type { ShownBattle } from '../tournament/statements.ts';
import { en } from '../words/en.ts';
import { battlesById, drawnBracket } from './bracket.ts';
import { bracketOf, type Play } from './tree.ts';

const site = {
  siteUrl: 'https://wartable.example/results',
  siteName: 'Site',
  pageBases: pageBasesOf('https://wartable.example/results'),
  apiUrl: 'https://api.wartable.example',
  contactUrl: undefined,
  termsUrl: undefined,
  dataUrl: undefined,
  hasPages: true,
  hasEmbed: true,
  hasGuests: true,
  assets: { style: '', script: '', icon: '', touchIcon: '', preview: '' },
  siteLanguage: 'en' as const,
  words: en,
  ownPath: '',
  translations: [],
};

/** Each match as one line of text, in the order of the page. */
function drawn(data: BracketMatch[], play: Play, rounds: number, battles: ShownBattle[] = []): string[] {
  const { text } = drawnBracket({
    site,
    bracket: bracketOf(data, play, rounds),
    battles: battlesById(site, battles),
  });
  return [...text.matchAll(/<li[^>]*>(<(?:a|div) class="match.*?)<\/li>/gs)].map(([, box = '']) =>
    box
      .replaceAll(/<span class="side/g, ' | <span class="side')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/ +/g, ' ')
      .trim(),
  );
}

function battle(id: string, sides: [string, string | null, number, 'win' | 'loss' | 'draw'][]): ShownBattle {
  const players = sides.map(([player, playerId, victoryPoints, outcome]) => ({
    player,
    playerId,
    victoryPoints,
    outcome,
    faction: 'Lanternsworn',
    subFaction: null,
    battlePoints: null,
    drops: null,
    role: null,
    metrics: {},
  }));
  return {
    stage: 'knockout',
    table: null,
    entries: [null, null],
    battle: { id, tournament: 'cup', winner: null, round: null, scenario: null, players },
  };
}

const one = (fields: Partial<BracketMatch>): BracketMatch => ({
  round: 'Final',
  table: 3,
  players: ['Ann', 'Bea'],
  winner: null,
  battle: null,
  ...fields,
});
const playOf = (...playerIds: (string | null)[]): Play => ({
  matches: [{ round: 1, position: 1, next: null, playerIds }],
});

test('undecided matches say whose winners will play, and name those who are known', () => {
  const { data, play, rounds } = drawnKnockout(['A', 'B', 'C', 'D', 'E', 'F'], 1);
  assert.deepEqual(drawn(data, play, rounds), [
    'Table 2 | D won | E lost Match 1 · Winner plays match 3',
    'Table 4 | C | F Match 2 · Winner plays match 4',
    'Table 1 | A | D Match 3 · Winner plays match 5',
    'Table 2 | To be decided | Winner of match 2 Match 4 · Winner plays match 5',
    'Table 1 | Winner of match 3 | Winner of match 4 Match 5',
  ]);
});

test('the winner of the upper match stands first, whatever the order in the standings', () => {
  const { data, play, rounds } = drawnKnockout(['A', 'B', 'C', 'D'], 2);
  const final = data[2];
  assert.deepEqual(final?.players, ['A', 'B']);
  final.players = ['B', 'A'];
  assert.equal(drawn(data, play, rounds)[2], 'Table 1 | A | B Match 3');
});

test('scores follow the players, not the order of the battle', () => {
  const played = battle('b1', [
    ['Bea', 'b', 12, 'loss'],
    ['Ann', 'a', 20.5, 'win'],
  ]);
  const data = [one({ winner: 'Ann', battle: 'b1' })];
  assert.deepEqual(drawn(data, playOf('a', 'b'), 1, [played]), [
    'Table 3 | Ann won 20.5 | Bea lost 12.0 Match 1',
  ]);
  const { text } = drawnBracket({
    site,
    bracket: bracketOf(data, playOf('a', 'b'), 1),
    battles: battlesById(site, [played]),
  });
  assert.match(text, /<a class="match" href="\/results\/battles\/b1">/);
});

test('two players of the same name: the battle tells who won, and without it the page claims nothing', () => {
  const played = battle('b1', [
    ['Ann', 'x', 9, 'win'],
    ['Ann', 'y', 30, 'loss'],
  ]);
  const data = [one({ players: ['Ann', 'Ann'], winner: 'Ann', battle: 'b1' })];
  assert.deepEqual(drawn(data, playOf('y', 'x'), 1, [played]), ['Table 3 | Ann lost 30 | Ann won 9 Match 1']);
  assert.deepEqual(drawn(data, playOf('y', 'x'), 1), ['Table 3 | Ann | Ann Match 1']);
});

test('a winner without a battle is a walkover only where another match has a battle', () => {
  const walkover = one({ winner: 'Bea' });
  assert.deepEqual(drawn([walkover], playOf('a', 'b'), 1), ['Table 3 | Ann lost | Bea won Match 1']);
  const played = one({ players: ['C', 'D'], winner: 'C', battle: 'b1' });
  assert.deepEqual(drawn([walkover, played], playOf('a', 'b'), 1), [
    'Table 3 | Ann lost | Bea won w/o Match 1',
    'Table 3 | C won | D lost Match 2',
  ]);
});

test('a winner without an opponent had a bye', () => {
  assert.deepEqual(drawn([one({ players: [], winner: 'Ann' })], playOf(), 1), ['Match 1 | Ann won | Bye']);
});

test('names are text', () => {
  const { text } = drawnBracket({
    site,
    bracket: bracketOf([one({ players: ['<b>', '"&'] })], playOf(null, null), 1),
    battles: new Map(),
  });
  assert.match(text, /<bdi>&lt;b&gt;<\/bdi>/);
  assert.match(text, /<bdi>&quot;&amp;<\/bdi>/);
});
