// Examines the rankings of a batch once its results are written: which results they count, and whether they
// contradict them.
import type { TournamentOutline } from '../facts/facts.ts';
import { readBattleOutlines } from '../facts/read-battles.ts';
import { readTournaments } from '../facts/read-facts.ts';
import { resultsDigest } from '../facts/results-digest.ts';
import { found } from '../feed/problem.ts';
import type { RankingEntry } from '../feed/tournament-records.ts';
import type { Warning } from '../feed/warning.ts';
import { type Recording, RecordRefusal, type Touched } from '../recording/recording.ts';
import { rankingPath, type TournamentChange } from './tournament-change.ts';

/**
 * Returns the rankings that count other results than before. A ranking that is sent again counts the results
 * recorded by now.
 */
export async function judgeRankings(
  { client, remarks }: Recording,
  accepted: { change: TournamentChange }[],
  ids: ReadonlyMap<string, number>,
): Promise<Touched[]> {
  const changes = accepted.flatMap(({ change }) => (change.parts.rankings?.[0] ? [change] : []));
  if (changes.length === 0) return [];
  const slugs = [...new Set(changes.map(({ slug }) => slug))];
  const outlines = await readBattleOutlines(client, slugs);
  const recorded = await readTournaments(client, slugs, { onlyBattles: [], onlyListsOf: [] });
  const facts = new Map(
    recorded.map((each) => [each.slug, { ...each, battles: outlines.get(each.slug) ?? [] }]),
  );
  const digests: [id: number, stage: string, afterRound: number, digest: string][] = [];
  for (const change of changes) {
    const known = facts.get(change.slug);
    if (!known) continue;
    const warnings: Warning[] = [];
    for (const ranking of change.parts.rankings ?? []) {
      const { stage, afterRound } = ranking;
      const carriesOver = known.stages.find(({ id }) => id === stage)?.carriesOver ?? null;
      const digest = resultsDigest(known, { id: stage, carriesOver }, afterRound);
      digests.push([ids.get(change.slug) ?? 0, stage, afterRound, digest]);
      const message = contradictionOf(known, ranking, carriesOver);
      const path = `${rankingPath(change, stage)}ranks`;
      if (message !== undefined) warnings.push({ kind: 'ranking', path, message });
    }
    if (warnings.length === 0) continue;
    if (remarks.isStrict) throw new RecordRefusal(warnings);
    remarks.warnings.set(change.record, [...(remarks.warnings.get(change.record) ?? []), ...warnings]);
  }
  const { rows } = await client.query<{ id: number; key: string }>({
    text: `update record.ranking r set results = s.results
      from unnest($1::integer[], $2::text[], $3::integer[], $4::text[]) s (tournament_id, stage, after_round, results)
      where (r.tournament_id, r.stage, r.after_round) = (s.tournament_id, s.stage, s.after_round)
        and r.results <> s.results
      returning r.tournament_id as id, concat_ws(' ', r.tournament_id, r.stage, r.after_round) as key`,
    values: [0, 1, 2, 3].map((at) => digests.map((each) => each[at])),
  });
  return rows.map((row) => ({ ...row, part: '' }));
}

/**
 * Says how a ranking contradicts the battle points. Returns undefined if the tournament is ordered by
 * something else first. Only participants of the same group are compared.
 */
function contradictionOf(
  facts: TournamentOutline,
  { stage, afterRound, ranks }: RankingEntry,
  carriesOver: string | null,
): string | undefined {
  if (facts.tieBreaks[0] !== 'battlePoints') return undefined;
  const counts = (each: { stage: string | null; round?: number | null }): boolean =>
    each.stage === stage
      ? (each.round ?? 0) <= afterRound
      : each.stage !== null && each.stage === carriesOver;
  const points = new Map<string, number>();
  const add = (participant: string | null, given: number | null): void =>
    void points.set(participant ?? '', (points.get(participant ?? '') ?? 0) + Math.round((given ?? 0) * 100));
  for (const battle of facts.battles) {
    if (!battle.finished || !counts(battle)) continue;
    for (const { participant, battlePoints } of battle.sides) add(participant, battlePoints);
  }
  for (const given of [...facts.byes, ...facts.adjustments])
    if (counts(given)) add(given.participant, given.battlePoints);
  const isGrouped = facts.stages.find(({ id }) => id === stage)?.grouped ?? false;
  const groups = new Map(facts.participants.map(({ id, group }) => [id, isGrouped ? group : null]));
  // Many platforms list participants who left at the end, whatever points they have.
  const left = new Set(
    facts.participants.flatMap(({ id, dropped, noShow }) => (dropped || noShow ? id : [])),
  );
  const rows = ranks
    .filter(({ participant }) => !left.has(participant))
    .map((row) => ({ ...row, points: points.get(row.participant) ?? 0 }));
  for (const field of Map.groupBy(rows, ({ participant }) => groups.get(participant) ?? null).values()) {
    const sorted = field.toSorted((a, b) => a.rank - b.rank || b.points - a.points);
    for (const [index, below] of sorted.entries()) {
      const above = sorted[index - 1];
      if (!above || above.rank === below.rank || above.points >= below.points) continue;
      const t = ({ participant, rank, points: sum }: typeof below): string =>
        `rank ${rank} of ${found(participant)} with ${sum / 100} battle points`;
      const remedy = 'if they are ordered by something else, say so in tieBreaks';
      return `expected ranks in the order of the battle points, found ${t(above)} and ${t(below)}: ${remedy}`;
    }
  }
  return undefined;
}
