import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { battlesShown, playersOf } from './battles-shown.ts';
import { byName, fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the fields of clubs and battles.

const world = await startWorld();
const { listed, inFull } = await battlesShown(world);
const golden = new URL('../publish/golden/clubs/expected.json', import.meta.url);
const clubs = JSON.parse(readFileSync(golden, 'utf8')) as (Row & { slug: string })[];
const served = await Promise.all(clubs.map(({ slug }) => world.item(`/clubs/${slug}`)));

// The feed has the facts of the golden clubs, so each member must have the value that is written down there.
fieldRules(
  'Club',
  byName(served, ({ slug }) => String(slug)),
  Object.fromEntries(
    Object.keys(clubs[0] ?? {}).map((field) => [
      field,
      Object.fromEntries(clubs.map((club) => [club.slug, club[field]])),
    ]),
  ),
);

fieldRules('Battle', listed, {
  id: { 'gm-final': 'gm-final', 'pack-1': 'pack-1' },
  date: { 'gm-r1-1': '2026-03-14', 'gm-final': '2026-03-15', 'gm-r2-6': null, 'friendly-undated': null },
  tournament: { 'gm-r1-1': 'grand-muster', 'gc-1': 'group-cup', 'friendly-won': null },
  stage: {
    'gm-r1-1': 'swiss',
    'gm-bronze': 'placement-3',
    'gm-rest-1': 'placement-swiss',
    'friendly-won': null,
  },
  round: {
    'gm-r1-1': 1,
    'gm-r2-1': 2,
    'gm-quarter-1': 1,
    'gm-final': 3,
    'gm-bronze': 1,
    'friendly-won': null,
  },
  scenario: { 'gm-r1-1': 'Broken Causeway', 'friendly-won': 'The Toll Road', 'gm-r1-2': null },
  battlePack: {
    'gm-r1-1': "Warden's Almanac 2025",
    'gm-final': "Warden's Almanac 2022",
    'gc-1': 'Skirmish Ledger',
    'wc-1': null,
    'friendly-running': null,
  },
  battleSize: { 'gm-r1-1': 2000, 'gm-final': 1500, 'gc-1': 1500, 'friendly-won': 1000 },
  winner: {
    'gm-r1-1': 'Ana Quiroga',
    'gm-rest-2': 'Deleted player',
    'friendly-undated': 'Pascal',
    'gm-r1-4': null,
    'gm-quarter-3': null,
    'gc-4': null,
  },
  victorySize: {
    'gm-r1-1': 'major',
    'gm-r1-3': 'minor',
    'gm-r1-4': null,
    'gc-4': null,
    'friendly-won': null,
  },
  url: { 'gc-4': 'https://wartable.example/battles/gc-4' },
});
rule('Battle', '`players` has one entry per side, in lists and by id', () => {
  for (const battle of [...listed.values(), ...inFull.values()]) assert.equal(playersOf(battle).length, 2);
  const names = (id: string) => playersOf(listed.get(id)).map(({ player }) => player);
  assert.deepEqual(names('gm-r1-1'), ['Ana Quiroga', 'gwen Harte']);
  assert.deepEqual(names('friendly-undated'), ['Ana Quiroga', 'Pascal']);
});
