// Plays a stage with a board: Swiss rounds, in one field or within each group.
import { ranking } from './ranking.ts';
import { type EventParticipant, isActive } from './participants.ts';
import { pair } from './pairing.ts';
import { type EventSoFar, playBattle } from './event-so-far.ts';
import { at } from '../chance/random.ts';
import { eventStream } from './setup.ts';

export interface SwissStage {
  readonly id: 'swiss' | 'placement-swiss';
  /** One field, or one per group. */
  readonly fields: readonly (readonly EventParticipant[])[];
  readonly rounds: number;
  readonly firstSession: number;
  /** The stages whose points count for pairings. */
  readonly counted: readonly string[];
}

export function playSwiss(soFar: EventSoFar, stage: SwissStage): void {
  for (let round = 1; round <= stage.rounds; round++) {
    const session = stage.firstSession + round - 1;
    let table = 1;
    for (const [number, field] of stage.fields.entries()) {
      table = playRound(soFar, stage, { field, number, round, session, table });
    }
    if (session + 1 === soFar.setup.sessionsPerDay && soFar.setup.days > 1) dropOut(soFar, stage);
  }
}

interface Round {
  readonly field: readonly EventParticipant[];
  readonly number: number;
  readonly round: number;
  readonly session: number;
  readonly table: number;
}

/** Plays one round, and returns the next free table. */
function playRound(
  soFar: EventSoFar,
  stage: SwissStage,
  { field, number, round, session, table }: Round,
): number {
  const random = eventStream(soFar.setup, `pairing ${stage.id}`, round, number);
  const present = random.shuffle(field.filter(isActive));
  const byId = new Map(present.map((participant) => [participant.id, participant]));
  const rows = ranking([...byId.keys()], stage.counted, soFar, ['battlePoints']);
  const order = rows.map((row) => row.id);
  const satOut = new Set(soFar.byes.map((bye) => bye.participant));
  const { pairs, bye } = pair(
    order.length,
    (a, b) => soFar.met.has(`${at(order, a)} ${at(order, b)}`),
    (a) => satOut.has(at(order, a)),
  );
  let next = table;
  for (const [a, b] of pairs) {
    const first = byId.get(at(order, a));
    const second = byId.get(at(order, b));
    if (first && second) playBattle(soFar, { stage: stage.id, round, table: next++, session }, first, second);
  }
  if (bye !== undefined) {
    soFar.byes.push({ stage: stage.id, round, participant: at(order, bye), ...soFar.setup.bye });
  }
  return next;
}

// 8 % of the players with at most one win drop out before the second day, but no players of the knockout.
function dropOut(soFar: EventSoFar, stage: SwissStage): void {
  const random = eventStream(soFar.setup, 'drops');
  const members = stage.fields.flat();
  const ids = members.map((participant) => participant.id);
  const rows = ranking(ids, ['swiss', 'placement-swiss'], soFar, []);
  const wins = new Map(rows.map((row) => [row.id, row.wins]));
  for (const participant of members) {
    if (isActive(participant) && (wins.get(participant.id) ?? 0) <= 1 && random.chance(0.08))
      participant.dropped = true;
  }
}
