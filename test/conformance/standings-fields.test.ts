import assert from 'node:assert/strict';
import { playersOf } from './battles-shown.ts';
import { byName, fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the fields of board rows and bracket matches.

const world = await startWorld();
const shown = new Map<string, Row[]>();
for (const slug of ['grand-muster', 'group-cup', 'winter-cut', 'old-guard', 'spring-plan']) {
  const { stages } = (await world.item(`/tournaments/${slug}`)) as { stages: Row[] };
  for (const { id, type } of stages) {
    shown.set(`${String(type)} ${slug} ${String(id)}`, (await world.standings(slug, String(id))).data);
  }
}
const rowsOf = (type: string, nameOf: (row: Row, index: number) => string) =>
  new Map(
    [...shown].flatMap(([name, rows]) => {
      if (!name.startsWith(`${type} `)) return [];
      const place = name.slice(type.length + 1);
      return [...byName(rows, (row, index) => `${place} ${nameOf(row, index)}`)];
    }),
  );

const nobody = 'grand-muster swiss null';
const boardRows = rowsOf('board', ({ player }) => String(player));
fieldRules('Board row', boardRows, {
  rank: {
    'grand-muster swiss Ana Quiroga': 1,
    'grand-muster swiss bjørn Aas': 7,
    'grand-muster swiss Erik Voss': 8,
    'grand-muster swiss Pia Roth': null,
    'grand-muster standings Ana Quiroga': 2,
    'group-cup swiss Mara Silva': 1,
    'spring-plan swiss Ana Quiroga': null,
  },
  group: {
    'group-cup swiss bjørn Aas': 'Group B',
    'old-guard swiss Ana Quiroga': 'North',
    'old-guard standings Ana Quiroga': undefined,
    'grand-muster swiss Ana Quiroga': undefined,
  },
  player: {
    'group-cup swiss bjørn Aas': 'bjørn Aas',
    'winter-cut swiss Ida Holm': 'Ida Holm',
    [nobody]: null,
  },
  playerId: { 'group-cup swiss bjørn Aas': 'bjorn', 'winter-cut swiss Ida Holm': null, [nobody]: null },
  faction: {
    'grand-muster swiss Ana Quiroga': 'Lanternsworn',
    'grand-muster swiss bjørn Aas': 'Rimehold Kin',
    'grand-muster swiss gwen Harte': 'Marrow Choir',
    'grand-muster swiss Nils Øst': null,
    'spring-plan swiss Zoë Marsh': 'Lanternsworn',
  },
  battlePoints: {
    'grand-muster swiss Ana Quiroga': 3 + 3,
    'grand-muster swiss Émile Dubois': 1.5 + 3,
    'grand-muster swiss Zoë Marsh': 3 + 1,
    'grand-muster swiss Erik Voss': 1.5 + 2 - 0.5,
    'grand-muster placement-swiss Luka Horvat': 3,
    'grand-muster standings Luka Horvat': 2 + 0 + 3,
    'group-cup swiss Ana Quiroga': 1,
  },
  wins: {
    'grand-muster swiss Ana Quiroga': 2,
    'grand-muster swiss Zoë Marsh': 1,
    'grand-muster standings Ana Quiroga': 4,
    'grand-muster standings Chidi Eze': 4,
    'grand-muster swiss gwen Harte': 0,
  },
  draws: {
    'grand-muster swiss Émile Dubois': 1,
    'grand-muster swiss Łucja Baran': 0,
    'grand-muster standings Łucja Baran': 1,
    'group-cup swiss bjørn Aas': 1,
  },
  losses: {
    'grand-muster swiss gwen Harte': 2,
    'grand-muster standings gwen Harte': 3,
    'grand-muster standings Ana Quiroga': 1,
    'group-cup swiss Chidi Eze': 0,
  },
  victoryPoints: {
    'grand-muster swiss Ana Quiroga': 62 + 66,
    'grand-muster swiss Zoë Marsh': 50 + 47,
    'grand-muster standings Ana Quiroga': 62 + 66 + 50 + 55 + 51,
    'grand-muster placement-swiss gwen Harte': 20,
    'group-cup swiss Ana Quiroga': 18,
    'group-cup swiss Luka Horvat': 0,
  },
  victoryPointsDiff: {
    'grand-muster swiss Ana Quiroga': 62 - 40 + (66 - 41),
    'grand-muster swiss gwen Harte': 40 - 62 + (21 - 55),
    'grand-muster swiss Zoë Marsh': 10 + (47 - 52),
    'grand-muster standings Łucja Baran': 60 - 35 + (52 - 47) + (40 - 40) + (47 - 48) + (60 - 20),
    'group-cup swiss Zoë Marsh': 10 - 30 + (15 - 15),
  },
});

const matches = rowsOf('bracket', (_, index) => String(index + 1));
fieldRules('Bracket match', matches, {
  round: {
    'grand-muster knockout 1': 'Last Eight',
    'grand-muster knockout 5': 'Semi-final',
    'grand-muster knockout 7': 'Final',
    'grand-muster placement-3 1': 'Third-place match',
    'grand-muster placement-5-8 1': '5th–8th semi-final',
    'grand-muster placement-5-8 3': '5th-place match',
    'grand-muster placement-5-8 4': '7th-place match',
  },
  table: { 'grand-muster knockout 4': 4, 'grand-muster knockout 6': 2 },
  players: {
    'grand-muster knockout 1': ['Erik Voss', 'Ana Quiroga'],
    'winter-cut knockout 2': ['bjørn Aas', 'Chidi Eze'],
    'winter-cut knockout 3': [],
  },
  winner: {
    'grand-muster knockout 1': 'Ana Quiroga',
    'grand-muster knockout 3': 'Łucja Baran',
    'grand-muster knockout 4': 'Chidi Eze',
    'winter-cut knockout 2': null,
    'winter-cut knockout 3': null,
  },
  battle: {
    'grand-muster knockout 3': 'gm-quarter-3',
    'grand-muster knockout 4': null,
    'winter-cut knockout 3': null,
  },
});
rule('Bracket match', '`battle` is usable with the battle-by-id endpoint', async () => {
  for (const { battle, players } of matches.values()) {
    if (typeof battle !== 'string') continue;
    const sides = playersOf(await world.item(`/battles/${battle}`));
    const names = sides.map(({ player }) => String(player));
    assert.deepEqual(names.toSorted(), (players as string[]).toSorted());
  }
});
