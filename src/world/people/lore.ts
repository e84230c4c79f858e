// The invented rules of the demo world: factions with their formations, scenarios, packs, tactics, grand
// strategies.
import type { BattlePackRecord } from '../../record/feed/records.ts';
import { at, type Random } from '../chance/random.ts';

export interface Faction {
  readonly name: string;
  readonly formations: readonly string[];
  readonly units: readonly string[];
}

const faction = (name: string, formations: string, units: string): Faction => ({
  name,
  formations: formations.split(', '),
  units: units.split(', '),
});

export const factions: readonly Faction[] = [
  faction(
    'Emberwake Legion',
    'Cinder Vanguard, Ashen Bulwark, Kindled Oath, Pyre Levy',
    'Flamewright, Ash Guard, Coal Runners, Furnace Ram',
  ),
  faction(
    'Tidebound Court',
    'Undertow Host, Coral Wardens, Brine Procession',
    'Tide Magister, Eel Lancers, Reef Wall, Drowned Bell',
  ),
  faction(
    'Hollow Orchard',
    'Rootbound Circle, Windfall Pack, Sapless March',
    'Graft Mother, Bark Sentinels, Windfall Hounds, Old Stump',
  ),
  faction(
    'Gearwright Concord',
    'Piston Column, Brass Parley, Skylift Flotilla, Rivet Line',
    'Chief Gearwright, Rivet Crew, Skylift, Steam Hammer',
  ),
  faction(
    'Saltglass Nomads',
    'Mirage Riders, Dune Lances, Caravan Watch',
    'Glass Prophet, Dune Lancers, Salt Walkers, Caravan Beast',
  ),
  faction(
    'Marrow Choir',
    'Ossuary Rank, Dirge Walk, Pale Hunt',
    'Choir Master, Bone Rank, Pale Riders, Ossuary Wagon',
  ),
  faction(
    'Thornback Clans',
    'Boar Moot, Bramble Ring, Stonethrow Mob, Mudwallow Rush',
    'Boar Chief, Thorn Lads, Mud Wallowers, Big Tusker',
  ),
  faction(
    'Lanternsworn',
    'Beacon Watch, Long Vigil, Wick Guard',
    'Lamp Bearer, Wick Guards, Vigil Riders, Walking Beacon',
  ),
  faction(
    'Rimehold Kin',
    'Shieldfast, Avalanche Wing, Hearth Levy',
    'Rime Thane, Shield Kin, Hearth Axes, Ice Mammoth',
  ),
  faction(
    'Moth Parliament',
    'Dusk Session, Silk Tribunal, Candle Swarm',
    'Speaker of Dusk, Silk Blades, Candle Moths, Pale Chrysalis',
  ),
  faction(
    'Quarry Giants',
    'Rubble Walk, Boulder Kin, Tollbridge Gang',
    'Quarry King, Stone Throwers, Rubble Brutes, Toll Giant',
  ),
  faction(
    'Starless Pact',
    'Eclipse Cabal, Hush Cohort, Umbral Tithe, Last Bell',
    'Eclipse Seer, Hush Blades, Tithe Takers, Void Bell',
  ),
];

// Some factions are more popular than others, regardless of their strength.
const popularity = [15, 9, 8, 11, 7, 10, 12, 8, 9, 6, 5, 7];

export function anyFaction(random: Random): number {
  return random.weighted(popularity);
}

/** How strong the rules of each faction are, so that their win rates differ. */
export const strengths = [0.2, -0.4, 0.5, -0.1, 0.7, 0.1, -0.6, 0.3, -0.2, -0.5, 0.4, 0];

export const scenarios = (
  'Broken Causeway, Three Wells, The Toll Road, Burning Granary, Shifting Fords, Lost Standard, Crossed Lanterns, ' +
  'The Long Ditch, Salted Earth, Twin Gates, Last Ferry, Hilltop Parley'
).split(', ');

export const grandStrategies = (
  'Keep the Heartland, Break Their Banner, No Ground Given, Feed the Crows, Own the Heights, Bring Everyone Home, ' +
  'Silence the Casters, Empty Their Camp'
).split(', ');

export const tactics = (
  'Swift Crossing, Cut the Supply, Double Envelopment, Named Quarry, Plant the Flag, Smoke and Ruin, ' +
  'Feigned Retreat, Steady Ranks, Take the Bridge, Counterblow, Hidden Approach, Final Push'
).split(', ');

export const objectives = ['Centre', 'Left Flank', 'Right Flank', 'Home', 'Far Edge', 'Ruin'];

/** The way in which the platform turns a result into battle points. */
export type PointSystem = '3/1/0' | '20-0' | '6/5/2/1/0';

export interface Pack {
  readonly name: string;
  readonly objectives: boolean;
  readonly battleTactics: boolean;
  readonly grandStrategies: boolean;
  /** Returns true if a win with these victory points is a major one. Undefined if the pack has no sizes. */
  readonly major: ((winner: number, loser: number) => boolean) | undefined;
  readonly scorings: readonly PointSystem[];
}

export const packs: readonly Pack[] = [
  {
    name: "Warden's Almanac 2025",
    objectives: true,
    battleTactics: true,
    grandStrategies: true,
    major: (winner, loser) => winner - loser >= 10,
    scorings: ['6/5/2/1/0', '3/1/0', '20-0'],
  },
  {
    name: 'Skirmish Ledger',
    objectives: true,
    battleTactics: false,
    grandStrategies: false,
    major: (winner, loser) => winner >= 2 * loser,
    scorings: ['3/1/0'],
  },
  {
    name: 'Open Field Compact',
    objectives: false,
    battleTactics: false,
    grandStrategies: false,
    major: undefined,
    scorings: ['20-0'],
  },
];

/** Returns a pack for an event: usually the almanac, sometimes one of the others. */
export function anyPack(random: Random): Pack {
  return at(packs, random.weighted([75, 15, 10]));
}

export function packRecord(pack: Pack): BattlePackRecord {
  return {
    kind: 'battlePack',
    name: pack.name,
    ...(pack.objectives ? { objectives: true } : {}),
    ...(pack.battleTactics ? { battleTactics: true } : {}),
    ...(pack.grandStrategies ? { grandStrategies: true } : {}),
  };
}
