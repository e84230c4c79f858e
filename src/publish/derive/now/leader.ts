import type { BoardRow } from '../../../contract/standings.ts';
import type { MatchFacts, Person, StageFacts } from '../../../record/facts/facts.ts';
import { guestEntry } from '../documents/entries.ts';
import { shownName, shownPlayerId } from '../documents/people.ts';
import type { Leader } from './play-shape.ts';

/** Who is alone in first place of a board without groups, as JSON: name and faction. Null when there is no such person. */
export function leaderOf([first, second]: readonly Pick<
  BoardRow,
  'rank' | 'group' | 'player' | 'faction'
>[]): string | null {
  if (first?.rank !== 1 || second?.rank === 1 || first.group !== undefined) return null;
  return JSON.stringify({ player: first.player, faction: first.faction });
}

/** The first of a board, or of each of its groups. `entries`: the ids of its guests, by row. */
export function leadersOf(rows: readonly BoardRow[], entries: readonly (string | null)[] = []): Leader[] {
  return rows.flatMap(({ rank, player, playerId, faction, group, wins, draws, losses }, index): Leader[] => {
    if (rank !== 1) return [];
    const entry = entries[index];
    return [
      {
        player,
        playerId,
        ...(entry && { entry }),
        faction,
        wins,
        draws,
        losses,
        ...(group !== undefined && { group }),
      },
    ];
  });
}

/** Who is in the final of a knockout. */
export function finalistsOf(
  stage: StageFacts,
  matches: readonly MatchFacts[],
  people: ReadonlyMap<string, Person>,
): Leader[] {
  const final = matches.find(
    (match) => match.stage === stage.id && match.round === stage.rounds && match.position === 1,
  );
  if (stage.id !== 'knockout' || final?.players.length !== 2 || final.winner !== null) return [];
  return final.players.flatMap((id) => {
    const person = people.get(id);
    const entry = guestEntry(people, id);
    return person
      ? [{ player: shownName(person), playerId: shownPlayerId(person), ...(entry && { entry }) }]
      : [];
  });
}
