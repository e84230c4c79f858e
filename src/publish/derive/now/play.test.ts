import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  battle,
  match,
  participant,
  result,
  side,
  stage,
  tournament,
} from '../../../../test/support/facts.ts';
import { rowFactions } from '../factions/faction.ts';
import { stageNow } from './current-round.ts';
import { playOf } from './play.ts';
import { playerTournaments } from '../documents/player-tournaments.ts';

const a = participant('a');
const erased = participant('b', { name: null, erased: true });
const guest = participant('c', { playerId: null });
const people = new Map([a, erased, guest].map((each) => [each.id, each]));
const { tieBreaks } = tournament();
const bye = (round: number, id: string, of = 'swiss') => ({
  stage: of,
  round,
  participant: id,
  win: true,
  battlePoints: 0,
  victoryPoints: 0,
  victoryPointsDiff: 0,
});

test('a board says which rounds have begun, and who has a bye', () => {
  const swiss = stage('swiss', ['a', 'b', 'c'], { rounds: 5 });
  const facts = tournament({
    status: 'finished',
    stages: [swiss],
    byes: [bye(2, 'b'), bye(1, 'a'), bye(1, 'c'), bye(9, 'a', 'other')],
  });
  const of = (begun: Partial<typeof facts>) => JSON.parse(playOf({ ...facts, ...begun }, swiss, people));
  assert.deepEqual(of({}), {
    begun: 2,
    byes: [
      { round: 1, player: 'A', playerId: 'player-a' },
      { round: 1, player: 'C', playerId: null },
      { round: 2, player: 'Deleted player', playerId: null },
    ],
    tieBreaks,
  });
  const battles = [battle({ round: 3, finished: false, sides: [side('a'), side('b')] })];
  assert.equal(of({ battles }).begun, 3);
  assert.deepEqual(of({ byes: [] }), { begun: 0, byes: [], tieBreaks });
  assert.deepEqual(JSON.parse(playOf(facts, undefined, people)), {
    begun: 0,
    byes: [],
    isRecorded: false,
    tieBreaks,
    factions: [],
  });
});

test('a bracket has its matches in the order of the answer, with ids and links, and seeds where there are some', () => {
  const knockout = stage('knockout', ['a', 'b', 'c'], { rounds: 2 });
  const matches = [
    match('knockout', 2, 1, ['a']),
    match('knockout', 1, 2, ['c', 'a'], 'a'),
    match('knockout', 1, 1, ['b', 'c']),
  ];
  const facts = tournament({ status: 'finished', stages: [knockout], matches });
  assert.deepEqual(JSON.parse(playOf(facts, knockout, people)), {
    begun: 1,
    byes: [],
    matches: [
      { round: 1, position: 1, next: [2, 1], playerIds: [null, null] },
      { round: 1, position: 2, next: [2, 1], playerIds: [null, 'player-a'] },
      { round: 2, position: 1, next: null, playerIds: [] },
    ],
  });
  const seeded = { ...knockout, members: [{ participant: 'c', seed: 3 }] };
  const { matches: drawn } = JSON.parse(playOf(facts, seeded, people)) as { matches: { seeds: unknown }[] };
  assert.deepEqual(
    drawn.map(({ seeds }) => seeds),
    [[null, 3], [3, null], []],
  );
});

test('a board that is played says which rows have dropped', () => {
  const swiss = stage('swiss', ['a', 'c']);
  const ranked = [a, { ...guest, dropped: true }].map((each) => ({ participant: each, rank: null }));
  assert.deepEqual(
    JSON.parse(
      playOf(
        tournament({ stages: [swiss] }),
        swiss,
        people,
        stageNow(tournament({ stages: [swiss] }), swiss),
        ranked,
      ),
    ),
    {
      begun: 0,
      byes: [],
      now: [],
      total: { results: 0, expected: 0 },
      results: 0,
      missing: [],
      dropped: [1],
      tieBreaks,
      factions: [],
    },
  );
});

test('the stage that the standings begin with has the factions of the event, without mirrors', () => {
  const brought = { a: 'Moths', b: 'Moths', c: 'Giants', d: null };
  const participants = Object.entries(brought).map(([id, faction]) => participant(id, { faction }));
  const swiss = stage('swiss', ['a', 'b', 'c', 'd']);
  const battles = [
    result(['a', 3, 20], ['c', 0, 10]),
    result(['b', 0, 10], ['c', 3, 20]),
    result(['a', 1, 10], ['c', 1, 10]),
    result(['a', 3, 20], ['b', 0, 10]),
    result(['a', 3, 20], ['d', 0, 10]),
    battle({ finished: false, sides: [side('b'), side('c')] }),
  ];
  const facts = tournament({ stages: [swiss], participants, battles });
  const { factions } = JSON.parse(playOf(facts, swiss, new Map(), undefined, [], rowFactions(facts))) as {
    factions: object[];
  };
  assert.deepEqual(
    factions.map((each) => Object.values(each).join(' ')),
    ['Moths 2 1 1 1', 'Giants 1 1 1 1'],
  );
});

test("a player's tournament has the place and faction of the participant; guests and erased players have none", () => {
  const list = { faction: 'Listed', subFaction: '', points: 1, battleTacticCards: [], text: '' };
  const facts = tournament({
    participants: [
      a,
      erased,
      guest,
      participant('d', { faction: 'Given', club: 'north-gate' }),
      participant('e', { list }),
    ],
    tournamentOrganizers: [
      { playerId: 'player-a', name: 'A', erased: false },
      { playerId: 'player-x', name: 'X', erased: false },
      { playerId: 'player-y', name: null, erased: true },
    ],
  });
  const played = battle({ sides: [side('a', { faction: 'Played' }), side('d', { faction: 'Played' })] });
  const factions = rowFactions({ ...facts, battles: [played] });
  // The list of an erased person may have no faction.
  const unnamed = participant('a', { list: { ...list, faction: '' } });
  const [first] = rowFactions({ ...facts, participants: [unnamed], battles: [played] });
  assert.deepEqual(first, ['a', 'Played']);
  const of = (only?: Set<string>) =>
    playerTournaments(facts, factions, new Map([['d', 3]]), only).map((row) => Object.values(row).join(' '));
  assert.deepEqual(of(), [
    'player-a true true  Played  0 0 0',
    'player-d true false 3 Given north-gate 0 0 0',
    'player-e true false  Listed  0 0 0',
    'player-x false true    0 0 0',
  ]);
  assert.deepEqual(of(new Set(['player-d', 'player-b'])), ['player-d true false 3 Given north-gate 0 0 0']);
});

test("a player's tournament counts the finished battles of all its stages, archived ones too, and no bye", () => {
  const [swiss, knockout] = [stage('swiss', ['a', 'b', 'c']), stage('knockout', ['a', 'b'])];
  const facts = tournament({
    stages: [swiss, knockout],
    participants: [participant('a'), participant('b'), participant('c')],
    byes: [bye(2, 'c')],
    battles: [
      result(['a', 3, 20], ['b', 0, 10]),
      { ...result(['a', 3, 20], ['c', 0, 10]), archived: true },
      result(['b', 1, 10], ['c', 1, 10]),
      { ...result(['b', 3, 20], ['a', 0, 10]), stage: 'knockout' },
      battle({ finished: false, sides: [side('a'), side('b')] }),
    ],
  });
  assert.deepEqual(
    playerTournaments(facts, new Map(), new Map()).map(
      ({ player, won, drawn, lost }) => `${player} ${won} ${drawn} ${lost}`,
    ),
    ['player-a 2 0 1', 'player-b 1 1 1', 'player-c 0 1 1'],
  );
});
