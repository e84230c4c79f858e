import type { ClientBase } from 'pg';
import { type Entry, eraseGuests } from '../people/erase.ts';
import type { MovedRecord } from '../feed/records.ts';
import { expected, found } from '../feed/problem.ts';
import type { Warning } from '../feed/warning.ts';
import { findOwned, writeForeign } from '../sources/ownership.ts';
import type { Recording } from '../recording/recording.ts';

const recorded = {
  tournament: 'select from record.tournament where slug = $1',
  club: 'select from record.club where slug = $1',
  player: 'select from record.player where id = $1',
};

/**
 * Records that a thing has moved. Every old name leads to the latest one, so names that led to the old name
 * lead to the new one from now on. Both ends must belong to the source, and so must the thing that the old
 * name already leads to.
 */
export async function writeMoved(recording: Recording, record: MovedRecord): Promise<void> {
  const { client, source } = recording;
  const { of, id, to } = record;
  const { rows } = await client.query<{ target: string }>(
    'select target from record.moved where kind = $1 and id = $2',
    [of, id],
  );
  for (const end of [id, ...rows.map(({ target }) => target), to]) {
    const thing = await findOwned(client, of, end);
    if (thing !== undefined && thing.owner !== source)
      return writeForeign(recording, record, thing, (trial) => writeOwnMoved(trial, record));
  }
  await writeOwnMoved(recording, record);
}

async function writeOwnMoved(recording: Recording, record: MovedRecord): Promise<void> {
  const { client } = recording;
  const { of, id, to } = record;
  const { rowCount } = await client.query(recorded[of], [to]);
  if (!rowCount) return recording.refuse(record, [expected('to', `a recorded ${of}`, to)]);
  const changes = [
    await client.query('delete from record.moved where kind = $1 and id = $2', [of, to]),
    await client.query('update record.moved set target = $3 where kind = $1 and target = $2', [of, id, to]),
    await client.query(
      `insert into record.moved as m (kind, id, target) values ($1, $2, $3)
        on conflict (kind, id) do update set target = excluded.target where m.target <> excluded.target`,
      [of, id, to],
    ),
  ];
  if (changes.some((each) => each.rowCount)) recording.changed.add(record);
  if (of !== 'tournament') return;
  if (await hideIfHidden(client, id, to)) {
    recording.marks.add('tournament', to);
    recording.changed.add(record);
  }
  // Include guests who are not there yet, so that no later feed brings back what was erased.
  await client.query(
    `insert into record.erased_guest (tournament, participant)
      select $2, participant from record.erased_guest where tournament = $1 on conflict do nothing`,
    [id, to],
  );
  const guests = await guestsErasedBefore(client, id, to);
  recording.remarks.warnings.set(record, guests.length === 0 ? [] : [erasedWarning(record, guests)]);
  if (guests.length === 0) return;
  await eraseGuests(client, guests);
  recording.marks.add('tournament', to);
  recording.changed.add(record);
}

/**
 * Hides a tournament under its new slug if an operator hid it under the old one. Returns whether it was shown
 * under the new one.
 */
async function hideIfHidden(client: ClientBase, old: string, slug: string): Promise<boolean> {
  await client.query(
    `insert into record.hidden_tournament (slug)
      select $2 from record.hidden_tournament where slug = $1 on conflict do nothing`,
    [old, slug],
  );
  const { rowCount } = await client.query(
    `update record.tournament t set published = false
      where t.slug = $1 and t.published and exists (select from record.hidden_tournament h where h.slug = t.slug)`,
    [slug],
  );
  return rowCount === 1;
}

/** This is never a refusal, even if strict, because the names would then stay public. */
const erasedWarning = ({ id, to }: MovedRecord, guests: Entry[]): Warning => ({
  kind: 'moved',
  path: 'to',
  message: `expected no name of a guest who was erased as a guest of ${found(id)}, found participants ${guests.map((guest) => found(guest.id)).join(', ')} of ${found(to)}: they are erased here, too`,
});

/**
 * Finds guests who were erased under the old slug. The platform still knows their names, and sends them under
 * the new one.
 */
async function guestsErasedBefore(client: ClientBase, old: string, slug: string): Promise<Entry[]> {
  const { rows } = await client.query<Entry>(
    `select p.tournament_id, p.id from record.erased_guest g join record.tournament t on t.slug = $2
      join record.participant p on p.tournament_id = t.id and p.id = g.participant
      where g.tournament = $1 and p.name <> '' order by p.id`,
    [old, slug],
  );
  return rows;
}
