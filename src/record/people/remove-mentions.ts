// Replaces the mentions of a name in what others wrote. A later feed that tells the same text brings it back: the text
// must be corrected in the platform, too.
import type { ClientBase } from 'pg';
import { type AuditEntry, noteEntry } from '../../audit/entries.ts';
import type { Marks } from '../stale/marks.ts';
import { follows, staysAsItIs } from './dossier.ts';
import { type NameRow, keyCondition, lockRow, quoted } from './find-name.ts';
import type { NamePattern } from './name-pattern.ts';

/** Reads each row again: the erasure may have removed what was found. Adds an audit entry for each thing that changed. */
export async function removeMentions(
  client: ClientBase,
  found: NameRow[],
  pattern: NamePattern,
  marks: Marks,
): Promise<void> {
  const noted = new Set<string>();
  for (const each of found) {
    const row = await lockRow(client, each);
    if (!row) continue;
    const changed = Object.entries(row.values).flatMap(([column, value]) => {
      const without = staysAsItIs(each, column, value, pattern)
        ? value
        : withoutMention(each, column, value, pattern);
      return JSON.stringify(without) === JSON.stringify(value) ? [] : [{ column, value: without }];
    });
    if (changed.length === 0) continue;
    if (each.table.name === 'record.tournament_group') await renameGroup(client, each, changed);
    else if (each.table.name === 'record.battle_pack') await renamePack(client, each, changed, marks);
    else await update(client, each, changed);
    const thing = thingOf({ ...each, ...row });
    if (thing.kind !== 'text') marks.add(thing.kind, thing.thing);
    const name = `${thing.kind} ${thing.thing}`;
    if (!noted.has(name)) await noteEntry(client, { action: 'mentions removed', ...thing });
    noted.add(name);
  }
}

interface Changed {
  column: string;
  value: unknown;
}

function withoutMention({ table }: NameRow, column: string, value: unknown, pattern: NamePattern): unknown {
  if (follows.has(`${table.name}.${column}`)) return value;
  // What is left of an address is no address.
  if (table.name === 'record.club' && column === 'website') return pattern.isIn(value) ? null : value;
  // The organizer names the metrics, and the values of a battle and of its rounds have these names as keys.
  return pattern.without(value, { keys: /_(metrics|rounds)$/.test(column) });
}

async function update(client: ClientBase, { table, key }: NameRow, changed: Changed[]): Promise<void> {
  const keys = table.key.map((column) => key[column]);
  // A JSON value goes as text, an array of texts as an array.
  const cells = changed.map(({ value }) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? value
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : value,
  );
  const set = changed.map(({ column }, index) => `${quoted(column)} = $${keys.length + index + 1}`);
  await client.query(`update ${table.name} t set ${set.join(', ')} where ${keyCondition(table)}`, [
    ...keys,
    ...cells,
  ]);
}

async function renameGroup(client: ClientBase, { key }: NameRow, [changed]: Changed[]): Promise<void> {
  const values = [key['tournament_id'], key['name']];
  const name = await freeName(
    client,
    changed,
    'record.tournament_group where tournament_id = $2 and name = $1',
    [key['tournament_id']],
  );
  await client.query(
    `insert into record.tournament_group (tournament_id, name, position)
      select tournament_id, $3, position from record.tournament_group where tournament_id = $1 and name = $2`,
    [...values, name],
  );
  await client.query(
    'update record.participant set group_name = $3 where tournament_id = $1 and group_name = $2',
    [...values, name],
  );
  await client.query('delete from record.tournament_group where tournament_id = $1 and name = $2', values);
}

async function renamePack(
  client: ClientBase,
  { key }: NameRow,
  [changed]: Changed[],
  marks: Marks,
): Promise<void> {
  const name = await freeName(client, changed, 'record.battle_pack where name = $1', []);
  const values = [key['name'], name];
  await client.query(
    `insert into record.battle_pack (name, objectives, battle_tactics, grand_strategies)
      select $2, objectives, battle_tactics, grand_strategies from record.battle_pack where name = $1`,
    values,
  );
  const { rows: tournaments } = await client.query<{ slug: string }>(
    'update record.tournament set battle_pack = $2 where battle_pack = $1 returning slug',
    values,
  );
  const { rows: battles } = await client.query<{ id: string; slug: string | null }>(
    `update record.battle b set battle_pack = $2 where battle_pack = $1
      returning id, (select slug from record.tournament where id = b.tournament_id) as slug`,
    values,
  );
  await client.query('delete from record.battle_pack where name = $1', [key['name']]);
  for (const { slug } of tournaments) marks.add('tournament', slug);
  for (const { id, slug } of battles) {
    if (slug === null) marks.add('battle', id);
    else marks.add('tournament', slug);
  }
}

/** Two names may become the same. */
async function freeName(
  client: ClientBase,
  changed: Changed | undefined,
  taken: string,
  values: unknown[],
): Promise<string> {
  const wanted = String(changed?.value);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} ${count}`;
    const { rowCount } = await client.query(`select from ${taken}`, [name, ...values]);
    if (rowCount === 0) return name;
  }
}

interface Thing extends Pick<AuditEntry, 'thing'> {
  kind: 'club' | 'tournament' | 'battle' | 'text';
}

function thingOf({ table, key, tournament }: NameRow): Thing {
  if (tournament !== null) return { kind: 'tournament', thing: tournament };
  if (table.name === 'record.club') return { kind: 'club', thing: String(key['slug']) };
  if (table.name === 'record.battle') return { kind: 'battle', thing: String(key['id']) };
  return { kind: 'text', thing: '-' };
}
