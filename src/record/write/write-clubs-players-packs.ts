// Writes clubs, players and battle packs. A member that a record leaves out keeps its stored value, or gets
// the default when the thing is new. One call never has two records about the same thing.
import { type More, readByKey } from '../facts/read-table.ts';
import type { BattlePackRecord, ClubRecord, PlayerRecord } from '../feed/records.ts';
import { expected, found } from '../feed/problem.ts';
import { textProblems } from './check-texts.ts';
import { belongsTo, type OwnedKind } from '../sources/ownership.ts';
import type { Recording } from '../recording/recording.ts';
import { boolean, type FactsOf, type RowOf, type Table, text } from '../columns.ts';
import { battlePack, club, player } from '../tables.ts';
import { eraseDataOfPlayers } from '../people/erase.ts';
import { merged, rowOf } from './rows.ts';
import { upsertRows } from './write-rows.ts';

export async function writeClubs(recording: Recording, records: ClubRecord[]): Promise<void> {
  const { client, marks } = recording;
  const slugs = records.map(({ slug }) => slug);
  const stored = await readByKey(client, club, slugs, ownSource, 'for no key update');
  const rows: RowOf<typeof club>[] = [];
  for (const record of records) {
    const { onlyIfNew, ...sent } = record;
    const before = stored.get(record.slug);
    if (before && onlyIfNew) {
      if (record.name !== undefined && record.name !== before.name) noteKept(recording, record, before.name);
      continue;
    }
    const name = record.name ?? before?.name;
    const problems = textProblems('description', record.description, before?.description);
    if (name === undefined) problems.unshift(expected('name', 'a name for a new club', undefined));
    if (name === undefined || problems.length > 0) {
      recording.refuse(record, problems);
      continue;
    }
    const row = rowOf(club, merged(club, { ...sent, name }, before));
    if (mustWrite(recording, record, 'club', club, row, before)) rows.push(row);
  }
  const written = await upsertRows(client, club, rows, ['slug'], recording);
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
  const stored = await readByKey(client, player, ids, { ...forGood, ...ownSource }, 'for no key update');
  const rows: RowOf<typeof player>[] = [];
  const erasures: RowOf<typeof player>[] = [];
  for (const record of records) {
    const before = stored.get(record.id);
    if (before && staysErased(record, before)) continue;
    const erased = record.erased === true;
    const name = erased ? null : (record.name ?? before?.name ?? null);
    if (erased || name !== null) {
      const row = rowOf(player, merged(player, { ...record, erased, name }, before));
      if (erased) erasures.push(row);
      else if (mustWrite(recording, record, 'player', player, row, before)) rows.push(row);
      continue;
    }
    const who = before ? 'a name for a player who is no longer erased' : 'a name for a new player';
    recording.refuse(record, [expected('name', who, undefined)]);
  }
  // An erasure is obeyed from every source.
  const obeyed = { source: recording.source, mayChangeOthers: true };
  const written = [
    ...(await upsertRows(client, player, rows, ['id', 'erased'], recording)),
    ...(await upsertRows(client, player, erasures, ['id', 'erased'], obeyed)),
  ];
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
 * Returns true if the player stays erased. Only a record that says `erased: false` brings the name of an
 * erased player back. If an operator erased the player, no record does.
 */
export const staysErased = (record: PlayerRecord, before: SentErasure): boolean =>
  before.erasedForGood || (before.erased && record.erased !== false);

/** No import writes this column. */
export const forGood = { erasedForGood: ['t.erased_for_good', boolean] } satisfies More;
export interface SentErasure {
  erased: boolean;
  erasedForGood: boolean;
}

export async function writeBattlePacks(recording: Recording, records: BattlePackRecord[]): Promise<void> {
  const { client, marks } = recording;
  const names = records.map(({ name }) => name);
  const stored = await readByKey(client, battlePack, names, ownSource, 'for no key update');
  const rows = records.flatMap((record) => {
    const before = stored.get(record.name);
    const row = rowOf(battlePack, merged(battlePack, record, before));
    return mustWrite(recording, record, 'battlePack', battlePack, row, before) ? row : [];
  });
  const written = await upsertRows(client, battlePack, rows, ['name'], recording);
  for (const { name } of written) marks.add('battlePack', name);
  recording.noteChanged(
    records,
    ({ name }) => name,
    written.map(({ name }) => name),
  );
}

/** No import changes this column in an existing row. */
const ownSource = { source: ['t.source', text] } satisfies More;

/**
 * Returns whether to write the row. Refuses a record that would change something of another source. If it
 * says the same as the owner, there is nothing to write.
 */
function mustWrite<Of extends Table>(
  recording: Recording,
  record: ClubRecord | PlayerRecord | BattlePackRecord,
  kind: OwnedKind,
  table: Of,
  row: RowOf<Of>,
  before: (FactsOf<Of> & { source: string }) | undefined,
): boolean {
  if (before === undefined || before.source === recording.source) return true;
  const cells: Record<string, unknown> = row;
  const stored: Record<string, unknown> = before;
  if (table.list.every(({ column, member }) => cells[column] === stored[member])) return false;
  const [key = ''] = table.key;
  recording.refuse(record, [
    belongsTo({ kind, key: String(cells[key]), owner: before.source }, recording.source),
  ]);
  return false;
}

/**
 * Adds a warning. It is never a refusal, not even with --strict, because whoever asks for a new club agrees
 * to the one that exists.
 */
function noteKept({ remarks }: Recording, record: ClubRecord, name: string): void {
  const message = `expected a new club, found ${found(record.slug)} recorded as ${found(name)}: it stays as it is`;
  remarks.warnings.set(record, [{ kind: 'kept', path: 'slug', message }]);
}
