// The times of an event, on the clock of the venue.
import type { BattleEntry } from '../../record/feed/tournament-records.ts';
import type { FeedRecord } from '../../record/feed/records.ts';
import { momentOf } from '../dates.ts';
import { eventStream, type EventSetup, sessionDay } from './setup.ts';
import type { WholeTournament } from './whole-tournament.ts';

export interface Moment {
  /** Seconds since 1970 on the venue's clock. */
  readonly at: number;
  readonly record: FeedRecord;
}

/** The times of an event, all in seconds. */
export interface Timetable {
  readonly opened: number;
  readonly begun: number;
  /** Returns the time at which a session is paired. */
  readonly paired: (session: number) => number;
  /** Returns the time at which the result of a battle arrives. */
  readonly ended: (battle: BattleEntry) => number;
  readonly cut: number;
  readonly over: number;
  readonly sessionOf: (stage: string, round: number) => number;
}

export const minute = 60;

export function timetable(setup: EventSetup, { stages, battles }: WholeTournament): Timetable {
  const bracket = stages.find((stage) => stage.id === 'knockout')?.rounds ?? 0;
  const own = new Map(stages.map((stage) => [stage.id, stage.rounds]));
  // All small brackets end at the same time as the final.
  const sessionOf = (stage: string, round: number) => {
    if (stage === 'swiss') return round - 1;
    const later = stage === 'knockout' || stage === 'placement-swiss' ? 0 : bracket - (own.get(stage) ?? 0);
    return setup.rounds + later + round - 1;
  };
  const paired = (session: number) =>
    momentOf(sessionDay(setup, session), 9 + 3.25 * (session % setup.sessionsPerDay));
  const random = eventStream(setup, 'live');
  const ended = new Map(
    battles.map((battle) => {
      const played = Math.max(70, 150 + 22 * random.normal());
      // A battle ends after three hours at the latest. Its result arrives within minutes of that.
      const length = Math.min(played, 178 + 6 * random.unit());
      return [battle.id, paired(sessionOf(battle.stage, battle.round)) + Math.round(length * minute)];
    }),
  );
  const sessions = stages.map((stage) => sessionOf(stage.id, stage.rounds));
  const last = paired(Math.max(0, ...sessions)) + 185 * minute;
  return {
    opened: momentOf(setup.start - 60, 19),
    begun: paired(0) - 20 * minute,
    paired,
    ended: (battle) => ended.get(battle.id) ?? last,
    cut: paired(setup.rounds - 1) + 185 * minute,
    over: last + 15 * minute,
    sessionOf,
  };
}
