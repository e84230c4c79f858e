// Fills a bracket step by step: at the cut only its first round has players. Later each match gets its
// players, then its table, then its winner.
import type { MatchEntry } from '../../record/feed/tournament-records.ts';
import type { WholeTournament } from '../event/whole-tournament.ts';
import type { Moment, Timetable } from '../event/timetable.ts';

export function bracketMoments({ slug, matches, battles }: WholeTournament, times: Timetable): Moment[] {
  const battleById = new Map(battles.map((battle) => [battle.id, battle]));
  const session = (match: MatchEntry) => times.sessionOf(match.stage, match.round);
  const decided = (match: MatchEntry) => {
    const battle = battleById.get(match.battle ?? '');
    return battle ? times.ended(battle) : times.paired(session(match)) + 600;
  };
  // The player of a match is known as soon as that player's previous match, in any bracket, is decided.
  const known = (player: string, match: MatchEntry) =>
    matches
      .filter((earlier) => session(earlier) < session(match) && earlier.players?.includes(player))
      .reduce((latest, earlier) => Math.max(latest, decided(earlier)), times.cut);
  const moments: Moment[] = [];
  for (const match of matches) {
    const { players = [], winner: _w, battle: _b, ...empty } = match;
    const tell = (at: number, entry: MatchEntry) =>
      moments.push({ at, record: { kind: 'match', tournament: slug, ...entry } });
    const since = new Map(players.map((player) => [player, known(player, match)]));
    for (const at of new Set([times.cut, ...since.values()])) {
      tell(at, { ...empty, players: players.filter((player) => (since.get(player) ?? at) <= at) });
    }
    if (match.battle) tell(times.paired(session(match)), { ...empty, players, battle: match.battle });
    tell(decided(match), match);
  }
  return moments;
}
