// An event while it is played: its participants and the records so far.
import type {
  AdjustmentEntry,
  BattleEntry,
  ByeEntry,
  MatchEntry,
} from '../../record/feed/tournament-records.ts';
import { fight } from './battle.ts';
import { battleEntry } from './battle-entry.ts';
import type { EventParticipant } from './participants.ts';
import { scenarios } from '../people/lore.ts';
import { eventStream, type EventSetup, sessionDay } from './setup.ts';

export interface EventSoFar {
  readonly setup: EventSetup;
  readonly participants: readonly EventParticipant[];
  readonly battles: BattleEntry[];
  readonly byes: ByeEntry[];
  readonly adjustments: AdjustmentEntry[];
  readonly matches: MatchEntry[];
  /** The pairs who have met, in both orders. */
  readonly met: Set<string>;
}

export interface Slot {
  readonly stage: string;
  readonly round: number;
  readonly table: number;
  /** The number of the session in which this is played: 0, 1, 2 … */
  readonly session: number;
}

/** Plays and records one battle. */
export function playBattle(
  soFar: EventSoFar,
  slot: Slot,
  first: EventParticipant,
  second: EventParticipant,
): BattleEntry {
  const { setup, battles, met } = soFar;
  const random = eventStream(setup, 'battle', battles.length);
  const fought = fight(random, first, second, setup.pack, setup.scoring);
  const place = {
    ...slot,
    id: `${setup.community.tag}-${setup.number.toString(36)}-${battles.length.toString(36)}`,
    day: sessionDay(setup, slot.session),
    // All tables play the same scenario.
    scenario: eventStream(setup, 'scenario', slot.session).pick(scenarios),
  };
  const entry = battleEntry(setup, place, [first, second], fought, random);
  battles.push(entry);
  met.add(`${first.id} ${second.id}`).add(`${second.id} ${first.id}`);
  return entry;
}
