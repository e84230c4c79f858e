import type { StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import type { Board } from '../boards/board.ts';
import type { AfterRounds } from './rounds.ts';

export interface Movement {
  /** The number of ranks by participant, only for those who moved. Positive is up. */
  moved: ReadonlyMap<string, number>;
  /** The round that the ranks are compared with. Undefined if there are several. */
  since: number | undefined;
}

/**
 * Compares ranks after complete rounds. While a round is being played, only participants who have a result in
 * it are compared, before and now, because otherwise everybody who finishes early would seem to rise past
 * those who are still playing. A recorded ranking says nothing about a round that is being played, so the two
 * newest rankings are compared.
 */
export function movements(
  facts: TournamentOutline,
  stage: StageFacts,
  { ranked, recorded }: Pick<Board, 'ranked' | 'recorded'>,
  { ranks, complete }: AfterRounds,
): Movement {
  const lastOf = new Map(complete.map(({ group, round }) => [group ?? '', round]));
  const beforeLast = new Map(complete.map(({ group, rounds }) => [group ?? '', rounds.at(-2) ?? 0]));
  const groupOf = (group: string | null) => (stage.grouped ? (group ?? '') : '');
  const beyond = recorded ? new Set<string>() : withLaterResult(facts, stage, ranked, lastOf, groupOf);
  const moved = new Map<string, number>();
  const since = new Set<number>();
  const groups = Map.groupBy(ranked, ({ participant }) => groupOf(participant.group));
  for (const [group, members] of groups) {
    const round = lastOf.get(group);
    if (round === undefined) continue;
    const playing = members.filter(({ participant: { id } }) => beyond.has(id));
    const compared =
      playing.length > 0
        ? order(playing.flatMap(({ participant: { id } }) => before(id, ranks.get(id)?.at(-1))))
        : members.flatMap(({ participant: { id } }) => {
            const [first, second] = (ranks.get(id) ?? []).slice(-2);
            return first && second ? [[id, first - second] as const] : [];
          });
    if (compared.length > 0) since.add(playing.length > 0 ? round : (beforeLast.get(group) ?? 0));
    for (const [id, steps] of compared) if (steps !== 0) moved.set(id, steps);
  }
  return { moved, since: since.size === 1 ? [...since][0] : undefined };
}

const before = (id: string, rank: number | null | undefined) => (rank ? [{ id, rank }] : []);

/** Returns how far each row has moved. The rows are in their present order. */
function order(rows: readonly { id: string; rank: number }[]): (readonly [string, number])[] {
  const then = new Map(rows.toSorted((a, b) => a.rank - b.rank).map(({ id }, index) => [id, index]));
  return rows.map(({ id }, index) => [id, (then.get(id) ?? index) - index] as const);
}

/** Returns the participants with a result after the last complete round of their group. */
function withLaterResult(
  { battles, byes }: TournamentOutline,
  stage: StageFacts,
  ranked: Board['ranked'],
  lastOf: ReadonlyMap<string, number>,
  groupOf: (group: string | null) => string,
): Set<string> {
  const groups = new Map(ranked.map(({ participant }) => [participant.id, groupOf(participant.group)]));
  const found = new Set<string>();
  const note = (id: string | null, round: number | null) => {
    const group = groups.get(id ?? '');
    if (id !== null && group !== undefined && (round ?? 0) > (lastOf.get(group) ?? Infinity)) found.add(id);
  };
  for (const each of battles) {
    if (!each.finished || each.stage !== stage.id) continue;
    for (const { participant } of each.sides) note(participant, each.round);
  }
  // A bye is known when the round is paired, so it moves nobody before somebody has played.
  if (found.size > 0)
    for (const each of byes) if (each.stage === stage.id) note(each.participant, each.round);
  return found;
}
