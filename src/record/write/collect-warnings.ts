// Collects the warnings that need the recorded tournament: rounds beyond its stages, sub-factions that
// contradict its lists, and participants who play twice in one round. It also notes whether a record finishes
// the tournament.
import type { Problem } from '../feed/problem.ts';
import { roundWarnings, subFactionWarnings, twiceWarnings } from '../feed/record-warnings.ts';
import { nameWarnings, gamesOf, wholeWarnings } from '../feed/tournament-warnings.ts';
import { participantsOf } from './changed-tournament.ts';
import type { PlayedRounds } from './played-rounds.ts';
import type { RecordedTournament } from './recorded-tournament.ts';
import type { BatchRemarks } from '../recording/recording.ts';
import { elementPath, type TournamentChange } from './tournament-change.ts';

/** Returns the warnings for which the record is refused: none unless strict. */
export function collectWarnings(
  remarks: BatchRemarks,
  change: TournamentChange,
  stored: RecordedTournament | undefined,
  played: PlayedRounds,
): Problem[] {
  const { record, slug, whole, parts } = change;
  const pathOf = (part: string, index: number): string => elementPath(change, part, index);
  const warnings = [
    ...roundWarnings(parts, roundsOf(change, stored), pathOf),
    ...subFactionWarnings(parts, participantsOf(change, stored), pathOf),
    ...twiceWarnings(parts, (entry) => played.other(change, entry), pathOf),
  ];
  if (remarks.isStrict) {
    const about = whole && wholeWarnings(whole, !stored);
    if (about) warnings.push(...about, ...nameWarnings(gamesOf(whole)));
    if (warnings.length > 0) return warnings;
  }
  remarks.warnings.set(record, warnings);
  played.add(change);
  if (whole && finishes(whole, stored)) remarks.finished.set(record, slug);
  else remarks.finished.delete(record);
  return [];
}

const roundsOf = ({ parts }: TournamentChange, stored: RecordedTournament | undefined): Map<string, number> =>
  new Map(
    parts.stages?.map(({ id, rounds }) => [id, rounds]) ??
      Array.from(stored?.stages ?? [], ([id, { rounds }]) => [id, rounds]),
  );

/**
 * Returns true if the record finishes the tournament. A new tournament without its parts is not finished by
 * its record, because the parts come in later records.
 */
const finishes = (
  record: NonNullable<TournamentChange['whole']>,
  stored: RecordedTournament | undefined,
): boolean =>
  record.status === 'finished' &&
  (stored ? stored.header.status !== 'finished' : wholeWarnings(record, true) !== undefined);
