// Obeys an erasure whichever source sends it, because a person who is to be forgotten must be forgotten.
// Players are erased by their own records. This finds the guests that are erased by a record about something
// of another source.
import { type CasualGuest, type Entry, eraseCasualGuests, eraseGuests } from '../people/erase.ts';
import type { FeedRecord } from '../feed/records.ts';
import type { CasualBattleRecord } from '../feed/tournament-records.ts';
import type { Recording } from '../recording/recording.ts';

export async function obeyErasures(recording: Recording, record: FeedRecord): Promise<void> {
  switch (record.kind) {
    case 'tournament':
      return eraseParticipants(recording, record, record.slug, record.participants ?? []);
    case 'participant':
      return eraseParticipants(recording, record, record.tournament, [record]);
    case 'battle':
      if (!('tournament' in record)) return eraseSides(recording, record);
  }
}

async function eraseParticipants(
  { client, marks, changed }: Recording,
  record: FeedRecord,
  slug: string,
  participants: readonly { id: string; erased?: boolean | undefined }[],
): Promise<void> {
  const ids = participants.flatMap(({ id, erased }) => (erased ? id : []));
  if (ids.length === 0) return;
  const { rows } = await client.query<Entry>({
    text: `select p.tournament_id, p.id from record.tournament t join record.participant p on p.tournament_id = t.id
      where t.slug = $1 and p.id = any($2::text[]) and p.name <> ''`,
    values: [slug, ids],
  });
  if (rows.length === 0) return;
  await eraseGuests(client, rows);
  marks.add('tournament', slug);
  changed.add(record);
}

/**
 * Erases sides of a casual battle. They may come in the other order. Then the side that is not erased shows
 * which is which.
 */
async function eraseSides({ client, marks, changed }: Recording, record: CasualBattleRecord): Promise<void> {
  const [first, second] = record.sides;
  if (!first || !second || (!first.erased && !second.erased)) return;
  const { rows } = await client.query<{ people: [Person, Person] }>(
    `select json_build_array(json_build_object('player', first_player, 'name', first_name),
        json_build_object('player', second_player, 'name', second_name)) as people
      from record.battle where id = $1 and tournament_id is null`,
    [record.id],
  );
  const [one, another] = rows[0]?.people ?? [];
  if (!one || !another) return;
  const known = first.erased ? second : first;
  const isSwapped = !known.erased && isSame(known, first.erased ? one : another);
  const sides = isSwapped ? [second, first] : [first, second];
  const guests = [one, another].flatMap(({ name }, at): CasualGuest[] =>
    name && sides[at]?.erased ? [{ battle: record.id, side: at === 0 ? 'first' : 'second' }] : [],
  );
  if (guests.length === 0) return;
  await eraseCasualGuests(client, guests);
  marks.add('battle', record.id);
  changed.add(record);
}

interface Person {
  player?: string | null | undefined;
  name?: string | null | undefined;
}

const isSame = (a: Person, b: Person): boolean =>
  (a.player ?? null) === (b.player ?? null) && (a.name ?? null) === (b.name ?? null);
