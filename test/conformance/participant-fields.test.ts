import assert from 'node:assert/strict';
import { armyList } from './feed/grand-muster.ts';
import { fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the fields of participants and army lists.

const world = await startWorld();
const participants = new Map<string, Row>();
for (const slug of ['grand-muster', 'group-cup', 'winter-cut', 'old-guard']) {
  for (const row of await world.all(`/tournaments/${slug}/participants`)) {
    participants.set(`${slug} ${String(row['player'])}`, row);
  }
}
const [chidi] = (await world.item('/battles/gm-final'))['players'] as Row[];

fieldRules('Participant', participants, {
  player: { 'winter-cut Ida Holm': 'Ida Holm', 'grand-muster Deleted player': 'Deleted player' },
  playerId: {
    'grand-muster Łucja Baran': 'lucja',
    'grand-muster gwen Harte': null,
    'grand-muster Deleted player': null,
  },
  club: { 'grand-muster bjørn Aas': 'north-gate', 'group-cup bjørn Aas': null },
  group: {
    'group-cup Ana Quiroga': 'Group A',
    'group-cup Zoë Marsh': 'Group B',
    'old-guard Émile Dubois': 'South',
    'grand-muster Ana Quiroga': null,
  },
  dropped: {
    'grand-muster Tomás Reis': true,
    'grand-muster Pia Roth': true,
    'grand-muster gwen Harte': false,
  },
  finalPlacement: {
    'grand-muster Chidi Eze': 1,
    'grand-muster Ana Quiroga': 2,
    'grand-muster Łucja Baran': 3,
    'grand-muster Zoë Marsh': 5,
    'grand-muster Deleted player': 10,
    'grand-muster Tomás Reis': 13,
    'winter-cut Ana Quiroga': null,
    'old-guard Émile Dubois': null,
    'old-guard Ana Quiroga': null,
  },
  list: { 'grand-muster Ana Quiroga': armyList, 'grand-muster bjørn Aas': null },
});
rule('Participant', "`group` equals the `group` of the player's board row", async () => {
  for (const slug of ['group-cup', 'old-guard']) {
    for (const { player, group } of (await world.standings(slug, 'swiss')).data) {
      assert.equal(participants.get(`${slug} ${String(player)}`)?.['group'], group);
    }
  }
});

const lists = new Map([
  ['of a participant', participants.get('grand-muster Ana Quiroga')?.['list'] as Row],
  ['of a battle', chidi?.['list'] as Row],
]);
fieldRules('ArmyList', lists, {
  faction: { 'of a participant': 'Lanternsworn', 'of a battle': 'Quarry Giants' },
  subFaction: { 'of a participant': 'Long Vigil', 'of a battle': '' },
  points: { 'of a participant': 1980, 'of a battle': 1500 },
  battleTacticCards: { 'of a participant': ['Swift Crossing', 'Steady Ranks'], 'of a battle': [] },
  text: {
    'of a participant': 'Beacon Keeper\n10 Wick Guard\n\nTotal: 1980/2000',
    'of a battle': 'Tollbridge Gang',
  },
});
