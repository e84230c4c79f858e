// Derives the tournaments of a player for page and API: those in which a registered player takes part, and
// those that they help to run.
import type { TournamentOutline } from '../../../record/facts/facts.ts';
import type { Outcome, Result } from '../../../published/views.ts';
import { outcomeOf, Tallies } from '../boards/tally.ts';
import { shownPlayerId } from '../fragments/people.ts';

export interface PlayerTournamentRow {
  player: string;
  plays: boolean;
  organizes: boolean;
  /** The id of the participant. Null if the player only helps to run the tournament. */
  entry: string | null;
  placement: number | null;
  /** True if pages show the placement, because it rests on a result, a match or a recorded rank. */
  is_placed: boolean;
  faction: string | null;
  /** The club that the player represents there. */
  club: string | null;
  /** Finished battles, including archived ones. Byes do not count. */
  won: number;
  drawn: number;
  lost: number;
  /**
   * A letter for each of the newest 40 results, in the order of the rounds: W, D or L for a battle, B for a
   * bye.
   */
  path: string;
}

interface Placements {
  finalPlacements: ReadonlyMap<string, number | null>;
  results: ReadonlyMap<string, Result>;
}

/**
 * Returns a row for each player who is neither a guest nor erased or, with `only`, for just these players.
 * `factions`, `finalPlacements` and `results` are by participant, as boards and participants show them.
 */
export function playerTournaments(
  facts: TournamentOutline,
  factions: ReadonlyMap<string, string>,
  { finalPlacements, results }: Placements,
  only?: ReadonlySet<string>,
): PlayerTournamentRow[] {
  const found = new Map<string, PlayerTournamentRow>();
  const entries = new Set<string>();
  for (const participant of facts.participants) {
    const player = shownPlayerId(participant);
    if (player !== null && only?.has(player) !== false) entries.add(participant.id);
  }
  const paths = ownPaths(facts, entries);
  const tallies = new Tallies(facts, new Set(facts.stages.map(({ id }) => id)));
  for (const participant of facts.participants) {
    const player = shownPlayerId(participant);
    if (player === null || only?.has(player) === false) continue;
    const { id, club } = participant;
    const path = paths.get(id) ?? '';
    const [placement, faction] = [finalPlacements.get(id) ?? null, factions.get(id) ?? null];
    const { games } = tallies.of(id);
    const count = (wanted: Outcome) => games.filter(({ outcome }) => outcome === wanted).length;
    const record = { won: count('win'), drawn: count('draw'), lost: count('loss') };
    found.set(player, {
      player,
      plays: true,
      organizes: false,
      entry: id,
      placement,
      is_placed: (results.get(id)?.rank ?? null) !== null,
      faction,
      club,
      ...record,
      path,
    });
  }
  for (const person of facts.tournamentOrganizers) {
    const player = shownPlayerId(person);
    if (player === null || only?.has(player) === false) continue;
    const playing = found.get(player);
    if (playing) playing.organizes = true;
    else found.set(player, { player, ...onlyOrganizes });
  }
  return [...found.values()];
}

const onlyOrganizes = {
  plays: false,
  organizes: true,
  entry: null,
  placement: null,
  is_placed: false,
  faction: null,
  club: null,
  won: 0,
  drawn: 0,
  lost: 0,
  path: '',
};

/**
 * Returns the path of each participant. Unlike the path on a board, it has no gaps for rounds that only
 * others played, because when only some battles changed, only the rows of their players are derived again.
 */
function ownPaths(
  { battles, byes, stages }: TournamentOutline,
  entries: ReadonlySet<string>,
): Map<string, string> {
  const orderOf = new Map<string | null, number>(stages.map(({ id }, index) => [id, index]));
  const results = new Map<string, { at: number; round: number; letter: string }[]>();
  const put = (
    participant: string | null,
    { stage, round }: { stage: string | null; round: number | null },
    letter: string,
  ) => {
    const at = orderOf.get(stage);
    if (participant === null || at === undefined || !entries.has(participant)) return;
    const result = { at, round: round ?? 0, letter };
    const own = results.get(participant);
    if (own === undefined) results.set(participant, [result]);
    else own.push(result);
  };
  for (const battle of battles) {
    if (!battle.finished) continue;
    const [first, second] = battle.sides;
    if (first.participant === null || second.participant === null) continue;
    put(first.participant, battle, letterOf[outcomeOf(battle.winner, 0)]);
    put(second.participant, battle, letterOf[outcomeOf(battle.winner, 1)]);
  }
  for (const bye of byes) put(bye.participant, bye, 'B');
  const inOrder = (own: { at: number; round: number; letter: string }[]) =>
    // Somebody may have two results in one round. The order in which facts are read must not decide their
    // order.
    own.toSorted((a, b) => a.at - b.at || a.round - b.round || (a.letter < b.letter ? -1 : 1));
  return new Map(
    [...results].map(([participant, own]) => [
      participant,
      inOrder(own)
        .map(({ letter }) => letter)
        .slice(-longestPath)
        .join(''),
    ]),
  );
}

/** A league may have hundreds of rounds. */
const longestPath = 40;
const letterOf = { win: 'W', draw: 'D', loss: 'L' };
