import assert from 'node:assert/strict';
import { battlesShown, playersOf } from './battles-shown.ts';
import { fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the fields of clubs and battles.

const world = await startWorld();
const { listed, inFull } = await battlesShown(world);
const clubs = new Map<string, Row>();
for (const slug of ['lantern-street', 'north-gate']) clubs.set(slug, await world.item(`/clubs/${slug}`));

fieldRules('Club', clubs, [
  ['slug', 'string', 'short name used in the club web address', { 'north-gate': 'north-gate' }],
  ['name', 'string', 'club name', { 'north-gate': 'North Gate', 'lantern-street': 'Lantern Street' }],
  [
    'description',
    'string',
    'plain text description written by the club',
    { 'lantern-street': 'Tables every Thursday.\nDice & tea, under 5 < 6 lamps.', 'north-gate': '' },
  ],
  ['city', 'string | null', 'town or city', { 'lantern-street': 'Aveiro', 'north-gate': null }],
  ['country', 'string | null', 'country name', { 'lantern-street': 'Portugal', 'north-gate': null }],
  ['members', 'number', 'number of members', { 'lantern-street': 41, 'north-gate': 0 }],
  [
    'website',
    'link | null',
    "the club's own website, when it has one",
    { 'lantern-street': 'https://lantern-street.example', 'north-gate': null },
  ],
  ['url', 'link', 'link to the club page', { 'north-gate': 'https://wartable.example/clubs/north-gate' }],
]);

fieldRules('Battle', listed, [
  ['id', 'string', 'battle id', { 'gm-final': 'gm-final', 'pack-1': 'pack-1' }],
  [
    'date',
    'date | null',
    'day played',
    { 'gm-r1-1': '2026-03-14', 'gm-final': '2026-03-15', 'gm-r2-6': null, 'friendly-undated': null },
  ],
  [
    'tournament',
    'string | null',
    'tournament slug; null for a casual battle',
    { 'gm-r1-1': 'grand-muster', 'gc-1': 'group-cup', 'friendly-won': null },
  ],
  [
    'stage',
    'string | null',
    'id of the tournament stage; null for a casual battle',
    { 'gm-r1-1': 'swiss', 'gm-bronze': 'placement-3', 'gm-rest-1': 'placement-swiss', 'friendly-won': null },
  ],
  [
    'round',
    'number | null',
    'round number, counting from 1 within the stage; null for a casual battle',
    { 'gm-r1-1': 1, 'gm-r2-1': 2, 'gm-quarter-1': 1, 'gm-final': 3, 'gm-bronze': 1, 'friendly-won': null },
  ],
  [
    'scenario',
    'string | null',
    'scenario played',
    { 'gm-r1-1': 'Broken Causeway', 'friendly-won': 'The Toll Road', 'gm-r1-2': null },
  ],
  [
    'battlePack',
    'string | null',
    'battle pack name',
    {
      'gm-r1-1': "Warden's Almanac 2025",
      'gm-final': "Warden's Almanac 2022",
      'gc-1': 'Skirmish Ledger',
      'wc-1': null,
      'friendly-running': null,
    },
  ],
  [
    'battleSize',
    'number',
    'points limit per army',
    { 'gm-r1-1': 2000, 'gm-final': 1500, 'gc-1': 1500, 'friendly-won': 1000 },
  ],
  [
    'winner',
    'string | null',
    "winning player's name; null on a draw and on a battle with no result yet",
    {
      'gm-r1-1': 'Ana Quiroga',
      'gm-rest-2': 'Deleted player',
      'friendly-undated': 'Pascal',
      'gm-r1-4': null,
      'gm-quarter-3': null,
      'gc-4': null,
    },
  ],
  [
    'victorySize',
    '"major" | "minor" | null',
    'how big the win was',
    { 'gm-r1-1': 'major', 'gm-r1-3': 'minor', 'gm-r1-4': null, 'gc-4': null, 'friendly-won': null },
  ],
  ['players', 'array', 'exactly two entries, one per side', {}],
  ['url', 'link', 'link to the battle page', { 'gc-4': 'https://wartable.example/battles/gc-4' }],
]);
rule('Battle', '`players` has one entry per side, in lists and by id', () => {
  for (const battle of [...listed.values(), ...inFull.values()]) assert.equal(playersOf(battle).length, 2);
  const names = (id: string) => playersOf(listed.get(id)).map(({ player }) => player);
  assert.deepEqual(names('gm-r1-1'), ['Ana Quiroga', 'gwen Harte']);
  assert.deepEqual(names('friendly-undated'), ['Ana Quiroga', 'Pascal']);
});
