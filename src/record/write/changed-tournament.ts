// Presents a tournament to the checks as it will be after a change.
import type { TournamentHeader } from '../facts/tournament-header.ts';
import { expected, type Problem } from '../feed/problem.ts';
import { subFactionOf } from '../feed/record-warnings.ts';
import type { MetricEntry, ParticipantEntry } from '../feed/tournament-records.ts';
import type {
  KnownBattle,
  KnownParticipant,
  KnownRanking,
  KnownStage,
  RecordedTournament,
} from './recorded-tournament.ts';
import type { TournamentChange } from './tournament-change.ts';

/** The tournament after the change: the parts of the change, and the stored parts that it leaves out. */
export interface ChangedTournament {
  metrics: Map<string, MetricEntry['type']>;
  stages: Map<string, KnownStage>;
  groups: Set<string>;
  participants: ReadonlyMap<string, KnownParticipant>;
  /** The newest ranking of each board. */
  rankings: ReadonlyMap<string, KnownRanking>;
  battles: Map<string, KnownBattle>;
}

export function viewOf(
  change: TournamentChange,
  header: TournamentHeader,
  stored: RecordedTournament | undefined,
): ChangedTournament {
  const { whole, parts } = change;
  return {
    metrics: new Map(header.metrics.map(({ name, type }) => [name, type])),
    stages: parts.stages
      ? new Map(
          parts.stages.map(({ id, rounds, grouped = false, members }) => [
            id,
            {
              rounds,
              grouped,
              everybody: !members,
              members: new Set(members?.map(({ participant }) => participant)),
              unseeded: new Set(members?.flatMap(({ participant, seed }) => (seed ? [] : participant))),
            },
          ]),
        )
      : (stored?.stages ?? new Map<string, KnownStage>()),
    groups: parts.groups ? new Set(parts.groups) : (stored?.groups ?? new Set()),
    participants: participantsOf(change, stored),
    rankings: rankingsOf(change, stored),
    battles:
      whole && parts.battles
        ? new Map(
            parts.battles.map(({ id, stage, sides }) => [
              id,
              { stage, participants: sides.map(({ participant }) => participant) },
            ]),
          )
        : (stored?.battles ?? new Map<string, KnownBattle>()),
  };
}

export const participantsOf = (
  { whole, parts }: TournamentChange,
  stored: RecordedTournament | undefined,
): ReadonlyMap<string, KnownParticipant> =>
  whole && parts.participants
    ? new Map(parts.participants.map(ofRecord))
    : (stored?.participants ?? new Map());

const ofRecord = (entry: ParticipantEntry): [string, KnownParticipant] => [
  entry.id,
  {
    group: entry.group ?? null,
    listFaction: entry.list ? (entry.list.faction ?? entry.faction ?? null) : null,
    listSubFaction: subFactionOf(entry.list),
    isPlaced: typeof entry.finalPlacement === 'number',
  },
];

/** Returns the newest ranking of each stage after the change. */
function rankingsOf(
  { whole, parts }: TournamentChange,
  stored: RecordedTournament | undefined,
): Map<string, KnownRanking> {
  const newest = new Map(stored?.rankings);
  // In a tournament record a ranking replaces newer ones, too.
  for (const { id, ranking } of whole?.stages ?? []) if (ranking !== undefined) newest.delete(id);
  for (const { stage, afterRound, ranks } of parts.rankings ?? []) {
    if ((newest.get(stage)?.afterRound ?? 0) > afterRound) continue;
    const named = ranks.map(({ participant, rank }) => [participant, rank] as const);
    newest.set(stage, { afterRound, ranks: Object.fromEntries(named) });
  }
  return newest;
}

export const somebody = 'a participant of the tournament';

export function checkStage(view: ChangedTournament, stage: string, at: string, problems: Problem[]): void {
  if (view.stages.has(stage)) return;
  const ids = [...view.stages.keys()];
  const wanted = ids.length === 0 ? 'a stage of the tournament, which has none' : `one of ${ids.join(', ')}`;
  problems.push(expected(`${at}stage`, wanted, stage));
}
