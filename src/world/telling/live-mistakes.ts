// Mistakes of the organizers, and their corrections: a sign-up that is withdrawn, a bye for a player who was
// only late, a battle entered twice, a match that the bracket does not have. At the end all of them are
// removed.
import type { WholeTournament } from '../event/whole-tournament.ts';
import type { Moment, Timetable } from '../event/timetable.ts';
import { eventStream, type EventSetup } from '../event/setup.ts';

export function mistakes(setup: EventSetup, whole: WholeTournament, times: Timetable): Moment[] {
  const { slug: tournament, participants, byes, battles, matches } = whole;
  const random = eventStream(setup, 'mistakes');
  const moments: Moment[] = [];
  if (random.chance(0.4)) {
    const id = `e${participants.length + 1}`;
    const name = 'Changed My Mind';
    moments.push(
      { at: times.opened + 3600, record: { kind: 'participant', tournament, id, name } },
      { at: times.opened + 90_000, record: { kind: 'remove', of: 'participant', tournament, id } },
    );
  }
  const late = random.pick(participants).id;
  const paired = times.paired(0);
  if (random.chance(0.3) && !byes.some((bye) => bye.participant === late && bye.round === 1)) {
    const where = { tournament, stage: 'swiss', round: 1, participant: late };
    moments.push(
      { at: paired + 60, record: { kind: 'bye', ...where, win: false } },
      { at: paired + 1200, record: { kind: 'remove', of: 'bye', ...where } },
    );
  }
  const [first] = battles;
  if (random.chance(0.3) && first) {
    const id = `${first.id}-twice`;
    const { finished: _f, winner: _w, victorySize: _v, archived: _a, ...twice } = first;
    const sides = first.sides.map(({ participant }) => ({ participant }));
    moments.push(
      { at: paired + 120, record: { kind: 'battle', tournament, ...twice, id, sides } },
      { at: paired + 900, record: { kind: 'remove', of: 'battle', id } },
    );
  }
  if (random.chance(0.5) && matches.length > 0) {
    const where = { tournament, stage: 'knockout', round: 1, position: 64 };
    moments.push(
      { at: times.cut + 60, record: { kind: 'match', ...where, table: 64 } },
      { at: times.cut + 300, record: { kind: 'remove', of: 'match', ...where } },
    );
  }
  return moments;
}
