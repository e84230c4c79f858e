// Keeps track of who plays in the rounds that a batch names, from the recorded battles and byes and from the
// records before. Each record is compared as if it had its own transaction, because the number of records in
// a batch must not matter.
import type { ClientBase } from 'pg';
import { aBye, type Played } from '../feed/record-warnings.ts';
import type { RecordedTournament } from './recorded-tournament.ts';
import type { TournamentChange } from './tournament-change.ts';

export class PlayedRounds {
  /** The battles and byes (`Played.what`) by tournament, stage, round and participant. */
  readonly #played = new Map<string, Set<string>>();
  /** The keys of `#played` under which each battle is listed. */
  readonly #keysOf = new Map<string, string[]>();

  /**
   * Returns what else the participant plays in this round. A part that the change replaces no longer counts.
   */
  other({ slug, whole }: TournamentChange, played: Played): string | undefined {
    const known = this.#played.get(keyOf(slug, played, played.participant)) ?? [];
    return [...known].find(
      (what) => what !== played.what && (what === aBye ? !whole?.byes : !whole?.battles),
    );
  }

  /**
   * Adds an accepted change. A tournament record is skipped, because it is the only record about its
   * tournament here.
   */
  add({ slug, whole, parts: { battles = [], byes = [] } }: TournamentChange): void {
    if (whole) return;
    for (const { id, sides, ...round } of battles) {
      for (const key of this.#keysOf.get(id) ?? []) this.#played.get(key)?.delete(id);
      const participants = sides.map(({ participant }) => participant);
      this.put(slug, { ...round, what: id, participants });
    }
    for (const { participant, ...round } of byes) {
      this.put(slug, { ...round, what: aBye, participants: [participant] });
    }
  }

  put(slug: string, { what, participants, ...round }: PlayedRow): void {
    const keys = participants.map((participant) => keyOf(slug, round, participant));
    if (what !== aBye) this.#keysOf.set(what, keys);
    for (const key of keys) {
      const known = this.#played.get(key);
      if (known) known.add(what);
      else this.#played.set(key, new Set([what]));
    }
  }
}

type Round = Pick<Played, 'stage' | 'round'>;

interface PlayedRow extends Round {
  what: string;
  participants: string[];
}

const keyOf = (slug: string, { stage, round }: Round, participant: string): string =>
  `${slug} ${stage} ${round} ${participant}`;

export async function loadPlayedRounds(
  client: ClientBase,
  changes: TournamentChange[],
  stored: ReadonlyMap<string, RecordedTournament>,
): Promise<PlayedRounds> {
  const rounds = new PlayedRounds();
  const asked = new Map<string, [tournament: number, stage: string, round: number]>();
  const named = new Set<string>();
  for (const { slug, whole, parts } of changes) {
    const tournament = stored.get(slug);
    // A record with both parts replaces everything that is recorded.
    if (!tournament || (whole?.battles && whole.byes)) continue;
    for (const { stage, round, ...entry } of [...(parts.battles ?? []), ...(parts.byes ?? [])]) {
      asked.set(`${tournament.id} ${stage} ${round}`, [tournament.id, stage, round]);
      for (const { participant } of 'sides' in entry ? entry.sides : [entry]) named.add(participant);
    }
  }
  if (asked.size === 0) return rounds;
  const keys = [...asked.values()];
  const { rows } = await client.query<PlayedRow & { slug: string }>({
    text,
    values: [
      keys.map(([tournament]) => tournament),
      keys.map(([, stage]) => stage),
      keys.map(([, , round]) => round),
      [...named],
    ],
  });
  for (const { slug, ...row } of rows) rounds.put(slug, row);
  return rounds;
}

// The lateral join uses an index, because after a large import the planner has no statistics yet and would
// choose a bad join.
const text = `select t.slug, asked.stage, asked.round, played.what, played.participants
  from unnest($1::integer[], $2::text[], $3::integer[]) asked (tournament_id, stage, round)
  join record.tournament t on t.id = asked.tournament_id
  cross join lateral (
    select b.id as what, array[b.first_participant, b.second_participant] as participants from record.battle b
    where b.tournament_id = asked.tournament_id and b.stage = asked.stage and b.round = asked.round
      and (b.first_participant = any($4::text[]) or b.second_participant = any($4::text[]))
    union all
    select '${aBye}', array[y.participant] from record.bye y
    where y.tournament_id = asked.tournament_id and y.stage = asked.stage and y.round = asked.round
      and y.participant = any($4::text[])
  ) played`;
