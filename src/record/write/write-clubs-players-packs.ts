// Writes clubs, players and battle packs. A member that a record leaves out keeps its stored value, or gets the default
// when the thing is new. One call never has two records about the same thing.
import type { ClientBase } from 'pg';
import { factColumns } from '../facts/fact-columns.ts';
import type { ClubFacts, BattlePackFacts } from '../facts/facts.ts';
import type { BattlePackRecord, ClubRecord, PlayerRecord } from '../feed/records.ts';
import { expected } from '../feed/problem.ts';
import { textProblems } from './check-texts.ts';
import type { Recording } from './recording.ts';
import { battlePack, club, player, type RowOf } from '../tables.ts';
import { eraseDataOfPlayers } from '../people/erase.ts';
import { upsertRows } from './write-rows.ts';

export async function writeClubs(recording: Recording, records: ClubRecord[]): Promise<void> {
  const { client, marks } = recording;
  const text = `select ${factColumns(club)} from record.club
    where slug = any($1::text[]) order by slug for no key update`;
  const stored = await byKey<ClubFacts>(
    client,
    text,
    records.map(({ slug }) => slug),
    'slug',
  );
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
    rows.push(clubRow(record, name, before));
  }
  const written = await upsertRows<typeof club, { slug: string }>(client, club, rows, ['slug']);
  for (const { slug } of written) marks.add('club', slug);
  recording.noteChanged(
    records,
    ({ slug }) => slug,
    written.map(({ slug }) => slug),
  );
}

export const clubRow = (record: ClubRecord, name: string, before?: ClubFacts): RowOf<typeof club> => ({
  slug: record.slug,
  name,
  description: (record.description === undefined ? before?.description : record.description) ?? '',
  city: (record.city === undefined ? before?.city : record.city) ?? null,
  country: (record.country === undefined ? before?.country : record.country) ?? null,
  website: (record.website === undefined ? before?.website : record.website) ?? null,
  members: record.members ?? before?.members ?? 0,
});

export async function writePlayers(recording: Recording, records: PlayerRecord[]): Promise<void> {
  const { client, marks } = recording;
  const text = 'select * from record.player where id = any($1::text[]) order by id for no key update';
  const ids = records.map(({ id }) => id);
  const stored = await byKey<StoredPlayer>(client, text, ids, 'id');
  const rows: RowOf<typeof player>[] = [];
  for (const record of records) {
    const before = stored.get(record.id);
    if (before && staysErased(record, before)) continue;
    const name = record.name ?? before?.name ?? null;
    if (record.erased === true) rows.push({ id: record.id, name: null, erased: true });
    else if (name !== null) rows.push({ id: record.id, name, erased: false });
    else {
      const who = before ? 'a name for a player who is no longer erased' : 'a name for a new player';
      recording.refuse(record, [expected('name', who, undefined)]);
    }
  }
  const written = await upsertRows<typeof player, { id: string; erased: boolean }>(client, player, rows, [
    'id',
    'erased',
  ]);
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
export const staysErased = (record: PlayerRecord, before: StoredPlayer): boolean =>
  before.erased_for_good || (before.erased && record.erased !== false);

export interface StoredPlayer {
  id: string;
  name: string | null;
  erased: boolean;
  erased_for_good: boolean;
}

export async function writeBattlePacks(recording: Recording, records: BattlePackRecord[]): Promise<void> {
  const { client, marks } = recording;
  const text = `select ${factColumns(battlePack)}
    from record.battle_pack where name = any($1::text[]) order by name for no key update`;
  const stored = await byKey<BattlePackFacts>(
    client,
    text,
    records.map(({ name }) => name),
    'name',
  );
  const rows = records.map((record) => battlePackRow(record, stored.get(record.name)));
  const written = await upsertRows<typeof battlePack, { name: string }>(client, battlePack, rows, ['name']);
  for (const { name } of written) marks.add('battlePack', name);
  recording.noteChanged(
    records,
    ({ name }) => name,
    written.map(({ name }) => name),
  );
}

export const battlePackRow = (
  record: BattlePackRecord,
  before?: BattlePackFacts,
): RowOf<typeof battlePack> => ({
  name: record.name,
  objectives: record.objectives ?? before?.objectives ?? false,
  battle_tactics: record.battleTactics ?? before?.battleTactics ?? false,
  grand_strategies: record.grandStrategies ?? before?.grandStrategies ?? false,
});

async function byKey<Stored extends object>(
  client: ClientBase,
  text: string,
  keys: string[],
  key: keyof Stored,
): Promise<Map<unknown, Stored>> {
  const { rows } = await client.query<Stored>({ text, values: [keys] });
  return new Map(rows.map((row) => [row[key], row]));
}
