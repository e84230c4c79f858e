import type { BattlePlayer } from '../contract/battle.ts';
import type { BracketMatch, BracketStandings } from '../contract/standings.ts';
import type { Play, StageDetails } from '../publish/derive/now/play-shape.ts';

// The matches of a bracket that is played, and the battles that belong to them.

/** A match with its round of the bracket, from 1. */
export interface MatchOfRound extends BracketMatch {
  inRound: number;
  /** In the order of `players`. Empty when a version before has published it. */
  playerIds: (string | null)[];
  guests: GuestsOfMatch;
}

/** What tells guests of one name apart, `players` in the order of the match. */
interface GuestsOfMatch {
  players: readonly (string | null | undefined)[];
  winner?: string | null | undefined;
}

/** The standings of a bracket that is played, and what stands beside them, as they are stored. */
export interface StoredBracket {
  stage: string;
  document: string;
  play: string;
  details: string | null;
}

/** What stands beside its standings. */
type PlayOfBracket = Partial<Pick<Play, 'now' | 'matches'>>;

/** By id. */
type Battles = ReadonlyMap<string, { players: readonly BattlePlayer[] }>;

export function matchesOfStored({ document, play, details }: StoredBracket, battles: Battles) {
  const { data } = JSON.parse(document) as BracketStandings;
  const known = JSON.parse(play) as PlayOfBracket;
  const { entries } = JSON.parse(details ?? '{}') as StageDetails;
  return matchesNow(matchesOfRounds(data, known, entries?.matches), known, battles);
}

/** Of the standings of a bracket. `guests`: by match. */
export function matchesOfRounds(
  matches: readonly BracketMatch[],
  play: PlayOfBracket,
  guests: readonly GuestsOfMatch[] = [],
): MatchOfRound[] {
  let inRound = 0;
  return matches.map((match, index) => {
    if (match.round !== matches[index - 1]?.round) inRound += 1;
    const known = play.matches?.[index];
    return {
      ...match,
      inRound: known?.round ?? inRound,
      playerIds: known?.playerIds ?? [],
      guests: guests[index] ?? { players: [] },
    };
  });
}

/** What is open, in any round, and the results of the rounds that are played. Only matches with two known players are open. */
export function matchesNow<Match extends MatchOfRound>(
  matches: readonly Match[],
  { now }: PlayOfBracket,
  battles: Battles,
): { open: Match[]; results: Match[] } {
  const rounds = new Set(now?.map(({ round }) => round));
  return {
    open: matches.filter((match) => match.players.length === 2 && !isPlayed(match, battles)),
    results: matches.filter((match) => rounds.has(match.inRound) && isPlayed(match, battles)),
  };
}

/** It may have a battle with a result and no winner: a draw, of which the organiser has not said yet who goes on. */
export function isPlayed({ winner, battle }: BracketMatch, battles: Battles): boolean {
  const sides = battles.get(battle ?? '')?.players ?? [];
  return winner !== null || sides.some(({ outcome }) => outcome !== null);
}

type SideWithGuest = BattlePlayer & { guest?: string | null | undefined };
type BattleOfMatch<Side extends SideWithGuest = SideWithGuest> = { players: readonly Side[] } | undefined;

/** How the match ended for this player: the winner goes on, whatever the battle says. Null before the result. */
export function outcomeOf(match: MatchOfRound, battle: BattleOfMatch, index: 0 | 1): BattlePlayer['outcome'] {
  if (match.winner === null) return sideOfBattle(match, battle, index)?.outcome ?? null;
  const won = winnerIn(match, battle);
  if (won === undefined) return null;
  return won === index ? 'win' : 'loss';
}

/** The standings name the winner. Where both have that name, the guest or the battle tells. */
export function winnerIn(match: MatchOfRound, battle: BattleOfMatch): 0 | 1 | undefined {
  const { players, winner } = match;
  if (winner === null) return undefined;
  if (players[0] !== players[1]) return winner === players[0] ? 0 : winner === players[1] ? 1 : undefined;
  const known = winnerAmongGuests(match);
  if (known !== undefined) return known;
  const [first, second] = [sideOfBattle(match, battle, 0), sideOfBattle(match, battle, 1)];
  if (first === second) return undefined;
  return first?.outcome === 'win' ? 0 : second?.outcome === 'win' ? 1 : undefined;
}

/** Of two of one name. A guest may play a registered player. */
export function winnerAmongGuests({ guests: { players, winner } }: MatchOfRound): 0 | 1 | undefined {
  if (!players.some(Boolean)) return undefined;
  const which = players.findIndex((guest) => (guest ?? null) === (winner ?? null));
  return which === 0 || which === 1 ? which : undefined;
}

/** The side of the battle that this player of the match has. */
export function sideOfBattle<Side extends SideWithGuest>(
  { players, playerIds, guests }: MatchOfRound,
  battle: BattleOfMatch<Side>,
  index: 0 | 1,
): Side | undefined {
  const sides = battle?.players ?? [];
  const [id, guest] = [playerIds[index], guests.players[index]];
  if (id) return sides.find(({ playerId }) => playerId === id);
  if (guest) return sides.find((side) => side.guest === guest);
  if (players[0] !== players[1]) return sides.find(({ player }) => player === players[index]);
  // Nobody can tell two erased people apart.
  const [erased, another] = sides.filter((side) => !side.playerId && !side.guest);
  return another === undefined ? erased : sides[index];
}
