// The people and clubs of one circuit. Each is a function of its index, so none of them is stored: code that
// needs player 1,234 generates that player again.
import type { ClubRecord } from '../../record/feed/records.ts';
import { anyFaction } from './lore.ts';
import { personName } from './people.ts';
import { at, stream } from '../chance/random.ts';
import { type Circuit, circuits, clubName, type Town } from './cities.ts';

export interface Community {
  readonly seed: number;
  /** The number of the community in the world: 0, 1, 2 … */
  readonly number: number;
  /** The beginning of every id and the end of every slug, so that two worlds fit into one database. */
  readonly tag: string;
  readonly clubs: number;
  readonly players: number;
}

export interface WorldPlayer {
  readonly id: string;
  readonly name: string;
  readonly skill: number;
  /** The player's favourite faction, and the favourite formation of that faction. */
  readonly faction: number;
  readonly formation: number;
  readonly inventClub: number | undefined;
  readonly erased: boolean;
}

export function circuitOf({ seed, number }: Community): Circuit {
  return at(circuits, (stream(seed, 'circuit').below(circuits.length) + number) % circuits.length);
}

export function inventPlayer(community: Community, index: number): WorldPlayer {
  const random = stream(community.seed, 'person', community.number, index);
  return {
    id: `${community.tag}-${index.toString(36)}`,
    name: personName(random, circuitOf(community).languages),
    skill: random.normal(),
    faction: anyFaction(random),
    formation: random.below(12),
    inventClub: random.chance(0.7) ? random.below(community.clubs) : undefined,
    erased: random.chance(0.01),
  };
}

export interface WorldClub {
  readonly record: ClubRecord & { name: string };
  readonly town: Town;
}

export function inventClub(community: Community, index: number): WorldClub {
  const random = stream(community.seed, 'club', community.number, index);
  const town = random.pick(circuitOf(community).towns);
  const { name, slug } = clubName(random, town);
  return {
    town,
    record: {
      kind: 'club',
      slug: `${slug}-${community.tag}-${index.toString(36)}`,
      name,
      ...(random.chance(0.8) ? { description: 'We play every Tuesday.\nBeginners welcome.' } : {}),
      ...(random.chance(0.95) ? { city: town.name, country: town.country } : {}),
      ...(random.chance(0.5) ? { website: `https://${slug}-${index.toString(36)}.example` } : {}),
      ...(random.chance(0.95) ? { members: random.between(8, 60) } : {}),
    },
  };
}
