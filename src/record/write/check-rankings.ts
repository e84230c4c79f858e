// Checks the rankings of a change, and tie-breaks that we do not know, which require a ranking of every
// board.
import { expected, found, type Problem } from '../feed/problem.ts';
import { isBoard } from '../feed/scalars.ts';
import { isKnownTieBreak, knownTieBreaks, type RankingEntry } from '../feed/tournament-records.ts';
import type { TournamentHeader } from '../facts/tournament-header.ts';
import { type ChangedTournament, checkStage, somebody } from './changed-tournament.ts';
import { rankingPath, type TournamentChange } from './tournament-change.ts';

export function checkRankings(
  change: TournamentChange,
  header: TournamentHeader,
  view: ChangedTournament,
  problems: Problem[],
): void {
  const { whole, parts } = change;
  for (const ranking of parts.rankings ?? [])
    checkRanking(ranking, rankingPath(change, ranking.stage), view, problems);
  for (const [index, { id, rounds, ranking }] of (parts.stages ?? []).entries()) {
    const { afterRound = 0 } = view.rankings.get(id) ?? {};
    const wanted = `at least ${afterRound}, because a ranking after round ${afterRound} is recorded`;
    if (!ranking && afterRound > rounds) problems.push(expected(`stages[${index}].rounds`, wanted, rounds));
  }
  if (parts.stages || parts.rankings?.some((ranking) => isNewest(ranking, view)))
    checkCut(change, header, view, problems);
  if (whole?.tieBreaks || whole?.stages) checkTieBreaks(change, header, view, problems);
}

function checkRanking(ranking: RankingEntry, at: string, view: ChangedTournament, problems: Problem[]): void {
  const { stage, afterRound, ranks } = ranking;
  checkStage(view, stage, at, problems);
  const known = view.stages.get(stage);
  if (known && afterRound > known.rounds)
    problems.push(expected(`${at}afterRound`, `at most ${known.rounds}, the rounds of ${stage}`, afterRound));
  const firsts = new Map<string, number>();
  for (const [index, { participant, rank }] of ranks.entries()) {
    const person = view.participants.get(participant);
    if (!person || (known && !known.everybody && !known.members.has(participant))) {
      const wanted = person ? `a member of ${stage}` : somebody;
      problems.push(expected(`${at}ranks[${index}].participant`, wanted, participant));
    }
    const group = (known?.grouped && person?.group) || '';
    firsts.set(group, Math.min(rank, firsts.get(group) ?? rank));
  }
  for (const [group, first] of firsts) {
    const where = group === '' ? '' : ` in ${found(group)}`;
    if (first > 1) problems.push(expected(`${at}ranks`, `ranks that start at 1${where}`, first));
  }
}

const isNewest = ({ stage, afterRound }: RankingEntry, { rankings }: ChangedTournament): boolean =>
  rankings.get(stage)?.afterRound === afterRound;

/**
 * Requires a seed if two participants share a rank and only one of them is in the knockout, because the
 * ranking does not say who came first. Once placements are recorded, the ranking decides nothing any more, and
 * a sheet could not send seeds.
 */
function checkCut(
  change: TournamentChange,
  { placementsRecorded }: TournamentHeader,
  view: ChangedTournament,
  problems: Problem[],
): void {
  if (placementsRecorded && [...view.participants.values()].some(({ isPlaced }) => isPlaced)) return;
  const [swiss, knockout] = [view.stages.get('swiss'), view.stages.get('knockout')];
  if (!swiss || !knockout || knockout.unseeded.size === 0) return;
  // Participants who leave with this change do not count.
  const ranks = Object.entries(view.rankings.get('swiss')?.ranks ?? {}).filter(([participant]) =>
    view.participants.has(participant),
  );
  const rankOf = ([participant, rank]: [string, number]) =>
    `${rank} ${swiss.grouped ? view.participants.get(participant)?.group : ''}`;
  const [members, others] = [true, false].map((isMember) =>
    ranks.filter(([participant]) => knockout.members.has(participant) === isMember),
  );
  const outside = new Map(others?.map((entry) => [rankOf(entry), entry[0]]));
  const unseeded = members?.filter(([participant]) => knockout.unseeded.has(participant)) ?? [];
  for (const entry of unseeded) {
    const other = outside.get(rankOf(entry));
    if (other === undefined) continue;
    const at = change.whole?.stages?.findIndex(({ id }) => id === 'knockout') ?? -1;
    const why = `because ${found(other)}, who is not in knockout, has rank ${entry[1]}, too`;
    const message = `expected a seed for ${found(entry[0])}, ${why}, found none`;
    problems.push({
      path: at < 0 ? `${rankingPath(change, 'swiss')}ranks` : `stages[${at}].members`,
      message,
    });
  }
}

function checkTieBreaks(
  { whole }: TournamentChange,
  { tieBreaks }: TournamentHeader,
  view: ChangedTournament,
  problems: Problem[],
): void {
  const boards = [...view.stages.keys()].filter(isBoard);
  if (boards.length > 0 && boards.every((board) => view.rankings.has(board))) return;
  for (const [index, name] of tieBreaks.entries()) {
    if (isKnownTieBreak(name)) continue;
    const wanted = `one of ${knownTieBreaks.join(', ')}, or a ranking of every board (stages[].ranking)`;
    problems.push(expected(whole?.tieBreaks ? `tieBreaks[${index}]` : 'stages', wanted, name));
  }
}
