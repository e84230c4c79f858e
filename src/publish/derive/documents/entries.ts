// The ids of guests, which stand beside the documents: a page tells guests of one name apart by them. A registered player has
// an id of their own there, and an erased person has none.
import type { Person, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import type { Ranked } from '../boards/board.ts';
import { matchesOf } from '../brackets/bracket.ts';
import { byesOf } from '../now/play.ts';
import type { StageEntries } from '../now/play-shape.ts';
import { guestName } from './people.ts';

/** By participant id. */
type People = ReadonlyMap<string, Person>;

/** The id itself if it is a guest's. */
export function guestEntry(people: People, participant: string | null): string | null {
  const person = people.get(participant ?? '');
  return person && guestName(person) !== null ? participant : null;
}

/** `stage` is undefined for the merged final table. Nothing where no guest is. */
export function stageEntries(
  facts: TournamentOutline,
  stage: StageFacts | undefined,
  people: People,
  ranked: readonly Ranked[] = [],
): { entries?: StageEntries } {
  const guest = (participant: string | null) => guestEntry(people, participant);
  const rows = ranked.map(({ participant }) => guest(participant.id));
  const byes = stage ? byesOf(facts, stage, people).map(({ participant }) => guest(participant)) : [];
  const matches =
    stage?.type === 'bracket'
      ? matchesOf(facts, stage).map(({ players, winner }) => ({
          players: players.length === 2 ? players.map(guest) : [],
          winner: guest(winner),
        }))
      : [];
  const all = [...rows, ...byes, ...matches.flatMap(({ players, winner }) => [...players, winner])];
  return all.some(Boolean) ? { entries: { rows, byes, matches } } : {};
}
