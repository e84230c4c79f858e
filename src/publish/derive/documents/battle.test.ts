import assert from 'node:assert/strict';
import { test } from 'node:test';
import { battle, participant, result, side, stage, tournament } from '../../../../harness/support/facts.ts';
import type { BattlePlayerDetail } from '../../../contract/battle.ts';
import type { BattleFacts, ParticipantFacts, SideFacts } from '../../../record/facts/facts.ts';
import { battleContext, battleResources, casual, clubsOf, playersOf } from './battle.ts';

const full = (facts: BattleFacts, context = casual) => battleResources(facts, context).full;

/** Returns the first player of a battle whose first side has these facts. */
function first(
  facts: Partial<SideFacts>,
  of: Partial<BattleFacts> = {},
  context = casual,
): BattlePlayerDetail {
  const [player] = full(battle({ sides: [side('a', facts), side('b')], ...of }), context).players;
  assert.ok(player);
  return player;
}

const pack = { name: 'Pack', objectives: false, battleTactics: false, grandStrategies: false };
const round = {
  round: 1,
  victoryPoints: 0,
  objectivePoints: 0,
  objectives: [],
  battleTactic: '',
  battleTacticScored: false,
  priority: false,
  metrics: {},
};
const list = {
  faction: 'Moth Parliament',
  subFaction: 'Dusk Session',
  points: 1990,
  battleTacticCards: [],
  text: 'x',
};

test('outcome, battle points, winner and victory size are null until the battle is finished', () => {
  const played = result(['a', 3, 20], ['b', 1, 10], { victorySize: 'major' });
  const shown = full(played);
  assert.deepEqual([shown.winner, shown.victorySize], ['A', 'major']);
  assert.deepEqual(
    shown.players.map(({ outcome, battlePoints }) => [outcome, battlePoints]),
    [
      ['win', 3],
      ['loss', 1],
    ],
  );
  const running = full({ ...played, finished: false });
  assert.deepEqual([running.winner, running.victorySize], [null, null]);
  assert.deepEqual(
    running.players.map(({ outcome, battlePoints, victoryPoints }) => [outcome, battlePoints, victoryPoints]),
    [
      [null, null, 20],
      [null, null, 10],
    ],
  );
  assert.deepEqual(
    full(result(['a', 1, 5], ['b', 1, 5])).players.map(({ outcome }) => outcome),
    ['draw', 'draw'],
  );
});

test('an erased winner is "Deleted player" in both places', () => {
  const shown = full(battle({ winner: 0, sides: [side('a', { name: null, erased: true }), side('b')] }));
  assert.deepEqual(
    [shown.winner, shown.players[0]?.player, shown.players[0]?.playerId],
    ['Deleted player', 'Deleted player', null],
  );
});

const packKeys = ['objectivePoints', 'battleTacticsScored', 'grandStrategy', 'grandStrategyScored'];
const keysOf = (battlePack: BattleFacts['battlePack']) =>
  packKeys.filter(
    (key) =>
      key in
      first(
        { objectivePoints: 9, battleTacticsScored: 9, grandStrategy: 'x', grandStrategyScored: true },
        { battlePack },
      ),
  );

test('each of the four keys is there exactly when the pack scores it', () => {
  assert.deepEqual(keysOf(null), []);
  assert.deepEqual(keysOf(pack), []);
  assert.deepEqual(keysOf({ ...pack, objectives: true }), packKeys.slice(0, 1));
  assert.deepEqual(keysOf({ ...pack, battleTactics: true }), packKeys.slice(1, 2));
  assert.deepEqual(keysOf({ ...pack, grandStrategies: true }), packKeys.slice(2));
});

const everything = { ...pack, objectives: true, battleTactics: true, grandStrategies: true };

test('nothing recorded yet: 0, 0, null, false', () => {
  const shown = first({}, { battlePack: everything });
  assert.deepEqual(
    [shown.objectivePoints, shown.battleTacticsScored, shown.grandStrategy, shown.grandStrategyScored],
    [0, 0, null, false],
  );
});

test('totals that are not recorded come from the rounds', () => {
  const rounds = [
    { ...round, victoryPoints: 4.1, objectivePoints: 2.1, battleTacticScored: true },
    { ...round, round: 2, victoryPoints: 0.2, objectivePoints: 0.2 },
  ];
  const shown = first({ rounds }, { battlePack: everything });
  assert.deepEqual([shown.victoryPoints, shown.objectivePoints, shown.battleTacticsScored], [4.3, 2.3, 1]);
  const recorded = first(
    { rounds, victoryPoints: 0, objectivePoints: 0, battleTacticsScored: 0 },
    { battlePack: everything },
  );
  assert.deepEqual(
    [recorded.victoryPoints, recorded.objectivePoints, recorded.battleTacticsScored],
    [0, 0, 0],
  );
});

test('metrics: recorded totals, otherwise sums of numbers and counts of yes, in the order of the tournament', () => {
  const context = battleContext(
    tournament({
      metrics: ['Zeal', 'Painted', 'Unseen', 'Generals'].map((name) => ({ name, type: 'number' as const })),
    }),
  );
  const rounds = [
    { ...round, metrics: { Generals: 0.1, Painted: true, Zeal: 5 } },
    { ...round, round: 2, metrics: { Generals: 0.2, Painted: false } },
  ];
  assert.equal(
    JSON.stringify(first({ rounds, metrics: { Zeal: 1 } }, {}, context).metrics),
    '{"Zeal":1,"Painted":1,"Generals":0.3}',
  );
  assert.deepEqual(first({}, {}, context).metrics, {});
  assert.equal(JSON.stringify(first({ metrics: { b: 1, a: 2 } }).metrics), '{"a":2,"b":1}');
});

test("the list is the battle's, otherwise the participant's; a side without a faction has its list's", () => {
  const context = battleContext(tournament({ participants: [participant('a', { list })] }));
  const own = { ...list, faction: 'Marrow Choir', subFaction: '' };
  const picked = ({ faction, subFaction, list: shown }: BattlePlayerDetail) => [
    faction,
    subFaction,
    shown?.faction,
  ];
  assert.deepEqual(picked(first({}, {}, context)), ['Moth Parliament', 'Dusk Session', 'Moth Parliament']);
  assert.deepEqual(picked(first({ list: own }, {}, context)), ['Marrow Choir', '', 'Marrow Choir']);
  assert.deepEqual(picked(first({ faction: 'Own', subFaction: 'Its' })), ['Own', 'Its', undefined]);
  assert.equal(first({}).list, null);
});

test("a side has its own faction, else its list's, else the participant's or that of the participant's list", () => {
  const shown = (facts: Partial<SideFacts>, of: Partial<ParticipantFacts>): (string | null)[] => {
    const context = battleContext(tournament({ participants: [participant('a', of)] }));
    const { faction, subFaction } = first(facts, {}, context);
    return [faction, subFaction];
  };
  const own = { ...list, faction: 'In this battle', subFaction: 'Its formation' };
  assert.deepEqual(shown({ faction: 'Own', list: own }, { faction: 'Given' }), ['Own', 'Its formation']);
  assert.deepEqual(shown({ list: own }, { faction: 'Given', list }), ['In this battle', 'Its formation']);
  // A participant without a list names no formation.
  assert.deepEqual(shown({}, { faction: 'Given' }), ['Given', null]);
  assert.deepEqual(shown({ subFaction: 'Its' }, { faction: 'Given' }), ['Given', 'Its']);
  assert.deepEqual(shown({}, { list }), ['Moth Parliament', 'Dusk Session']);
  assert.deepEqual(shown({}, {}), [null, null]);
  assert.deepEqual(shown({ participant: null }, { faction: 'Given' }), [null, null]);
});

test("with a list, the player's sub-faction is the list's, also where the side sends another one", () => {
  const context = battleContext(tournament({ participants: [participant('a', { list })] }));
  assert.equal(first({ subFaction: 'Other' }, {}, context).subFaction, 'Dusk Session');
  assert.equal(first({ subFaction: 'Other', list: { ...list, subFaction: '' } }, {}, context).subFaction, '');
});

test('a sub-faction alone is no list: it is shown, and null when it is empty', () => {
  const shown = (facts: Partial<SideFacts>) => {
    const { subFaction, list: whole } = first(facts);
    return [subFaction, whole];
  };
  const alone = (subFaction: string) => ({ list: { faction: 'Marrow Choir', subFaction } });
  assert.deepEqual(shown(alone('Pale Hunt')), ['Pale Hunt', null]);
  assert.deepEqual(shown(alone('')), [null, null]);
  assert.deepEqual(shown({ ...alone('Pale Hunt'), subFaction: 'Other' }), ['Pale Hunt', null]);
  assert.deepEqual(shown({ ...alone(''), subFaction: 'Dirge Walk' }), ['Dirge Walk', null]);
  assert.deepEqual(shown({ subFaction: '' }), [null, null]);
});

test('the listing carries neither list nor rounds, and is the same otherwise', () => {
  const { listing, full: whole } = battleResources(
    battle({ sides: [side('a', { list, rounds: [round] }), side('b')] }),
    casual,
  );
  assert.deepEqual(listing, {
    ...whole,
    players: whole.players.map(({ list: _list, rounds: _rounds, ...player }) => player),
  });
});

test('rounds come by number', () => {
  assert.deepEqual(
    first({ rounds: [{ ...round, round: 2 }, round] }).rounds.map((each) => each.round),
    [1, 2],
  );
});

test('the lists of its players show it, but not for guests or erased players, nor when archived', () => {
  const sides: BattleFacts['sides'] = [side('a'), side('b')];
  assert.deepEqual(playersOf(battle({ sides })), ['player-a', 'player-b']);
  assert.deepEqual(playersOf(battle({ sides: [side('a', { erased: true, name: null }), side(null)] })), []);
  assert.deepEqual(playersOf(battle({ sides, archived: true })), []);
});

test('clubs: the organizing club and the clubs of both sides; for a casual battle, the club of its record', () => {
  const context = battleContext(tournament({ organizer: 'c-club', stages: [stage('swiss', [])] }));
  const sides: BattleFacts['sides'] = [side('a', { club: 'd-club' }), side('b', { club: 'c-club' })];
  assert.deepEqual(clubsOf(battle({ sides }), context), ['c-club', 'd-club']);
  assert.deepEqual(
    clubsOf(
      battle({ tournament: null, sides: [side(null), side(null, { club: 'b-club' })], club: 'a-club' }),
      casual,
    ),
    ['a-club'],
  );
  assert.deepEqual(clubsOf(battle({ tournament: null, sides: [side(null), side(null)] }), casual), []);
});
