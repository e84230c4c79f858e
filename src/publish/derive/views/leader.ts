import type { MatchFacts, StageFacts } from '../../../record/facts/facts.ts';
import { type People, participantView } from './battle-view.ts';
import type { Leader, ListedLeader, RowView, StageView } from '../../../published/views.ts';

/** Returns the winner of the final standings, unless several share rank 1. */
export function winnerOf([first, second]: readonly RowView[]): ListedLeader | undefined {
  if (first?.rank !== 1 || second?.rank === 1) return undefined;
  return { player: first.player, faction: first.faction };
}

/**
 * Returns the participant who led alone after the last complete round. If there are groups, nobody leads the
 * tournament.
 */
export function leaderAfterRound({ complete: [only, another] = [] }: StageView): ListedLeader | undefined {
  const [first, rival] = only?.leaders ?? [];
  if (!only || !first || another || rival || only.group !== undefined) return undefined;
  return { player: first.player, faction: first.faction ?? null, round: only.round };
}

/** Returns the first of a board, or of each of its groups. */
export function leadersOf(rows: readonly RowView[]): Leader[] {
  return rows.filter(({ rank }) => rank === 1).map(leader);
}

export function leader(row: Omit<RowView, 'rank'>): Leader {
  const { player, playerId, entry, faction, group, wins, draws, losses } = row;
  return {
    player,
    playerId,
    ...(entry !== undefined && { entry }),
    faction,
    wins,
    draws,
    losses,
    ...(group !== undefined && { group }),
  };
}

/** Returns the participants in the final of a knockout, until it has a winner. */
export function finalistsOf(stage: StageFacts, matches: readonly MatchFacts[], people: People): Leader[] {
  const final = matches.find(
    (match) => match.stage === stage.id && match.round === stage.rounds && match.position === 1,
  );
  if (stage.id !== 'knockout' || final?.players.length !== 2 || final.winner !== null) return [];
  return final.players.map((id) => participantView(people.get(id), id));
}
