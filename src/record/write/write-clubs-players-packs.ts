// Writes clubs, players and battle packs. A member that a record leaves out keeps its stored value, or gets the default
// when the thing is new. One call never has two records about the same thing.
import { type More, readByKey } from '../facts/read-table.ts';
import type { BattlePackRecord, ClubRecord, PlayerRecord } from '../feed/records.ts';
import { expected } from '../feed/problem.ts';
import { textProblems } from './check-texts.ts';
import type { Recording } from './recording.ts';
import { boolean, type RowOf } from '../columns.ts';
import { battlePack, club, player } from '../tables.ts';
import { eraseDataOfPlayers } from '../people/erase.ts';
import { merged, rowOf } from './rows.ts';
import { upsertRows } from './write-rows.ts';

export async function writeClubs(recording: Recording, records: ClubRecord[]): Promise<void> {
  const { client, marks } = recording;
  const slugs = records.map(({ slug }) => slug);
  const stored = await readByKey(client, club, slugs, {}, 'for no key update');
  const rows: RowOf<typeof club>[] = [];
  for (const record of records) {
    const before = stored.get(record.slug);
    const name = record.name ?? before?.name;
    const problems = textProblems('description', record.description, before?.description);
    if (name === undefined) problems.unshift(expected('name', 'a name for a new club', undefined));
    if (name === undefined || problems.length > 0) {
      recording.refuse(record, problems);
      continue;
    }
    rows.push(rowOf(club, merged(club, { ...record, name }, before)));
  }
  const written = await upsertRows(client, club, rows, ['slug']);
  for (const { slug } of written) marks.add('club', slug);
  recording.noteChanged(
    records,
    ({ slug }) => slug,
    written.map(({ slug }) => slug),
  );
}

export async function writePlayers(recording: Recording, records: PlayerRecord[]): Promise<void> {
  const { client, marks } = recording;
  const ids = records.map(({ id }) => id);
  const stored = await readByKey(client, player, ids, forGood, 'for no key update');
  const rows: RowOf<typeof player>[] = [];
  for (const record of records) {
    const before = stored.get(record.id);
    if (before && staysErased(record, before)) continue;
    const erased = record.erased === true;
    const name = erased ? null : (record.name ?? before?.name ?? null);
    if (erased || name !== null) {
      rows.push(rowOf(player, merged(player, { ...record, erased, name }, before)));
      continue;
    }
    const who = before ? 'a name for a player who is no longer erased' : 'a name for a new player';
    recording.refuse(record, [expected('name', who, undefined)]);
  }
  const written = await upsertRows(client, player, rows, ['id', 'erased']);
  for (const { id } of written) marks.add('player', id);
  recording.noteChanged(
    records,
    ({ id }) => id,
    written.map(({ id }) => id),
  );
  await eraseDataOfPlayers(
    client,
    written.flatMap(({ id, erased }) => (erased ? id : [])),
  );
}

/**
 * An erased player stays erased until a record says `erased: false`. Other records do not bring the name back. What an
 * operator erased, no record brings back.
 */
export const staysErased = (record: PlayerRecord, before: Erasure): boolean =>
  before.erasedForGood || (before.erased && record.erased !== false);

/** No import writes this column. */
export const forGood = { erasedForGood: ['t.erased_for_good', boolean] } satisfies More;
export interface Erasure {
  erased: boolean;
  erasedForGood: boolean;
}

export async function writeBattlePacks(recording: Recording, records: BattlePackRecord[]): Promise<void> {
  const { client, marks } = recording;
  const names = records.map(({ name }) => name);
  const stored = await readByKey(client, battlePack, names, {}, 'for no key update');
  const rows = records.map((record) =>
    rowOf(battlePack, merged(battlePack, record, stored.get(record.name))),
  );
  const written = await upsertRows(client, battlePack, rows, ['name']);
  for (const { name } of written) marks.add('battlePack', name);
  recording.noteChanged(
    records,
    ({ name }) => name,
    written.map(({ name }) => name),
  );
}
