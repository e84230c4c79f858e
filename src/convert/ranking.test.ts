import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../record/feed/records.ts';
import { convert } from './convert.ts';

/**
 * Returns the ranking and the placements that the sheets contain. `games` are the rows of the games sheet.
 */
function places(
  status: string,
  players: string,
  ...games: string[]
): { ranking?: string | null | undefined; placements: string; notes: string[] } {
  const sheets = {
    event: `slug,cup\nname,Cup\nstatus,${status}\npublished,no\nsize,2000\nscoring,3/1/0\nrounds,4\n`,
    players,
    games: ['round,player 1,player 2,result', ...games, ''].join('\n'),
  };
  const files = Object.entries(sheets).map(([name, text]) => ({
    name: `${name}.csv`,
    bytes: Buffer.from(text),
  }));
  const { feed, refusals, notes } = convert(files);
  assert.deepEqual(refusals, []);
  const { stages, participants } = JSON.parse(feed?.trim().split('\n').at(-1) ?? '') as TournamentRecord;
  const ranking = stages?.[0]?.ranking;
  const ranks = ranking?.ranks.map(({ participant, rank }) => `${participant} ${rank}`).join();
  return {
    ranking: ranking && `${ranking.afterRound}: ${ranks}`,
    placements: (participants ?? []).map(({ finalPlacement = '-' }) => finalPlacement).join(' '),
    notes,
  };
}

const four = 'no,name,Rang\n1,Ana,2\n2,Bo,1\n3,Cy,2\n4,Di,\n';
const one = ['1,1,2,1', '1,3,4,1'];
const ranking = (...given: Parameters<typeof places>) => places(...given).ranking;

test('while the event is played, the places are the ranking after the last complete round', () => {
  assert.deepEqual(places('ongoing', four, ...one), {
    ranking: '1: p1 2,p2 1,p3 2',
    placements: '- - - -',
    notes: [],
  });
  assert.equal(ranking('ongoing', four, '1,1,2,1', '1,3,4,'), null, 'a game has no result');
  assert.equal(ranking('ongoing', four, '1,1,2,1'), null, 'two have no game');
  assert.equal(ranking('ongoing', four, ...one, '2,1,3,1', '2,2,4,'), '1: p1 2,p2 1,p3 2');
  assert.equal(ranking('ongoing', four, ...one, '2,1,3,1', '2,2,4,2'), '2: p1 2,p2 1,p3 2');
  assert.equal(ranking('planned', four), null);
  assert.equal(ranking('ongoing', 'no,name,place\n1,Ana,\n2,Bo,\n', '1,1,2,1'), null, 'no places yet');
});

test('a round is complete without those who left, and without a bye that nobody typed', () => {
  const five = 'no,name,dropped,place\n1,Ana,,1\n2,Bo,,2\n3,Cy,,\n4,Di,yes,\n5,Ed,no-show,\n';
  assert.equal(ranking('ongoing', five, '1,1,2,1'), '1: p1 1,p2 2');
  assert.equal(ranking('ongoing', five, '1,1,2,1', '1,3,,'), '1: p1 1,p2 2');
});

test('places over all groups become ranks in each', () => {
  const head = 'no,name,group,place\n';
  const games = ['1,1,2,1', '1,3,4,1'];
  const together = `${head}1,Ana,A,2\n2,Bo,A,3\n3,Cy,B,1\n4,Di,B,4\n`;
  assert.equal(ranking('ongoing', together, ...games), '1: p1 1,p2 2,p3 1,p4 2');
  const each = `${head}1,Ana,A,1\n2,Bo,A,3\n3,Cy,B,2\n4,Di,B,1\n`;
  assert.equal(ranking('ongoing', each, ...games), '1: p1 1,p2 3,p3 2,p4 1');
});

test('what cannot be a ranking yet is left out with a note, and the results arrive', () => {
  const typed = 'no,name,place\n1,Ana,3\n2,Bo,2\n3,Cy,\n4,Di,\n';
  assert.deepEqual(places('ongoing', typed, ...one), {
    ranking: null,
    placements: '- - - -',
    notes: ['players.csv:3: place: the places were left out, because the best of them is 2'],
  });
  assert.deepEqual(places('ongoing', four, ...one, 'final,1,2,'), {
    ranking: null,
    placements: '- - - -',
    notes: [
      'players.csv:2: Rang: the places were left out, because 1, who is in the knockout, shares place 2 with 3',
    ],
  });
  assert.equal(ranking('ongoing', four, ...one, 'final,1,3,'), '1: p1 2,p2 1,p3 2');
});

test('once the event is finished, the places are the placements, and those of its only board', () => {
  const played = [...one, '2,1,3,1', '2,2,4,2'];
  assert.deepEqual(places('finished', four, ...played), {
    ranking: '2: p1 2,p2 1,p3 2',
    placements: '2 1 2 -',
    notes: [],
  });
  // The ranking of the Swiss rounds stays as it was recorded before the final.
  assert.deepEqual(places('finished', four, ...played, 'final,1,2,2'), {
    ranking: undefined,
    placements: '2 1 2 -',
    notes: [],
  });
});
