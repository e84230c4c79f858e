import { readFileSync } from 'node:fs';
import type { ClubFacts } from '../../../src/record/facts/facts.ts';
import type { FeedRecord } from '../../../src/record/feed/records.ts';
import { casualBattles } from './casual-battles.ts';
import { grandMuster } from './grand-muster.ts';
import { ahead, fullHouse, groupCup, leagueNights, oldGuard, winterCut } from './other-tournaments.ts';

// A small world that contains everything mentioned in the specification, in the form of an operator's feed.
// The tests spell out the expected results, so whoever changes a number here must work them out again there.

/** The golden clubs. The feed says nothing about the second one except its name, so defaults are recorded. */
const [known, unknown] = JSON.parse(
  readFileSync(new URL('../../publish/golden/clubs/facts.json', import.meta.url), 'utf8'),
) as [ClubFacts, ClubFacts];
const clubs: FeedRecord[] = [
  { kind: 'club', ...known },
  { kind: 'club', slug: unknown.slug, name: unknown.name },
];

const packs: FeedRecord[] = [
  { kind: 'battlePack', name: "Warden's Almanac 2025", objectives: true, battleTactics: true },
  {
    kind: 'battlePack',
    name: "Warden's Almanac 2022",
    objectives: true,
    battleTactics: true,
    grandStrategies: true,
  },
  { kind: 'battlePack', name: 'Skirmish Ledger', objectives: true },
  { kind: 'battlePack', name: 'Drill Manual', battleTactics: true },
  { kind: 'battlePack', name: 'Oath Book', grandStrategies: true },
  { kind: 'battlePack', name: 'Open Field Compact' },
];

const names: Record<string, string> = {
  ana: 'Ana Quiroga',
  bjorn: 'bjørn Aas',
  chidi: 'Chidi Eze',
  emile: 'Émile Dubois',
  erik: 'Erik Voss',
  gone: 'Gustav Gone',
  lucja: 'Łucja Baran',
  luka: 'Luka Horvat',
  mara: 'Mara Silva',
  nils: 'Nils Øst',
  pia: 'Pia Roth',
  tomas: 'Tomás Reis',
  zoe: 'Zoë Marsh',
  quiet: 'Quinn Quiet',
  'to-1': 'Odile Kerbrat',
  'to-2': 'Ágnes Tóth',
  'to-3': 'Duarte Pinho',
};
const players = Object.entries(names).map(([id, name]): FeedRecord => ({ kind: 'player', id, name }));

export const feed: FeedRecord[] = [
  ...clubs,
  ...packs,
  ...players,
  grandMuster,
  groupCup,
  winterCut,
  oldGuard,
  ...ahead,
  ...leagueNights,
  fullHouse,
  ...casualBattles,
  { kind: 'player', id: 'gone', erased: true },
];
