// The participants of an event: registered players and guests, with their clubs, armies and lists.
import type { ArmyListEntry, ParticipantEntry } from '../../record/feed/tournament-records.ts';
import { inventArmyList } from '../people/army-list.ts';
import type { Fighter } from './battle.ts';
import { inventClub, circuitOf, inventPlayer } from '../people/community.ts';
import { anyFaction, factions, strengths } from '../people/lore.ts';
import { personName } from '../people/people.ts';
import { at, type Random } from '../chance/random.ts';
import { eventStream, type EventSetup } from './setup.ts';

export interface EventParticipant extends Fighter {
  readonly id: string;
  readonly entry: ParticipantEntry;
  readonly faction: string;
  /** Always present, even if the list was not submitted. */
  readonly list: ArmyListEntry;
  noShow: boolean;
  dropped: boolean;
}

/** Creates the participants. `seats` are the indexes of the registered players. All others are guests. */
export function enter(setup: EventSetup, seats: readonly number[]): EventParticipant[] {
  const random = eventStream(setup, 'entrants');
  const seatNumbers: (number | undefined)[] = [...seats];
  while (seatNumbers.length < setup.size) seatNumbers.push(undefined);
  random.shuffle(seatNumbers);
  return seatNumbers.map((seat, index) => inventParticipant(setup, random, seat, index));
}

function inventParticipant(
  setup: EventSetup,
  random: Random,
  seat: number | undefined,
  index: number,
): EventParticipant {
  const { community, habits } = setup;
  const who = seat === undefined ? undefined : inventPlayer(community, seat);
  const home = who && random.chance(0.7) ? who : { faction: anyFaction(random), formation: random.below(12) };
  const army = at(factions, home.faction);
  const formation = at(army.formations, home.formation % army.formations.length);
  const list = inventArmyList(random, army, formation, setup.battleSize);
  const submitted = !random.chance(0.1);
  const clubIndex = who ? who.inventClub : random.chance(0.2) ? random.below(community.clubs) : undefined;
  const noShow = random.chance(0.025);
  return {
    id: `e${index + 1}`,
    entry: {
      id: `e${index + 1}`,
      ...(who ? { player: who.id } : { name: personName(random, circuitOf(community).languages) }),
      ...(clubIndex === undefined ? {} : { club: inventClub(community, clubIndex).record.slug }),
      ...(habits.participantFactions ? { faction: army.name } : {}),
      ...(submitted ? { list } : {}),
      ...(habits.lots ? { lot: random.below(2_147_483_648) } : {}),
    },
    skill: who ? who.skill : random.normal(),
    strength: at(strengths, home.faction),
    faction: army.name,
    list,
    noShow,
    dropped: false,
  };
}

export function isActive(participant: EventParticipant): boolean {
  return !participant.noShow && !participant.dropped;
}
