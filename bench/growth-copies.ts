import assert from 'node:assert/strict';
import { onClient } from '../harness/proofs/proof.ts';

// Importing records and publishing them handles some hundred battles per second, so ten million would take
// hours. A larger world therefore consists of copies of an imported one: the same rows under other keys.
// `wartable doctor` derives a sample of the documents again and finds them equal.

/** The largest world that is imported. A larger one consists of copies of it. */
export const maxImported = 1_000_000;

/**
 * A regular expression for the keys of copies. The worlds themselves have tags of two characters (`w1`), and
 * copies have one more.
 */
export const copiedKey = '(^|-)w[0-9a-z][1-9]-';

/** A regular expression for the tag in the id of a player: that of a world, or of the event that is followed. */
const ownTag = '^(w[^-]+|e[^-]+-[^-]+-[^-]+)-';

/**
 * Tables that are not copied: those with one row for everything, those that the publisher computes again, and
 * those without rows of the world.
 */
const shared = new Set([
  'record.battle_pack',
  'record.import',
  'record.source',
  'record.migration',
  'record.mark',
  'published.change_list',
  'published.derivation',
  'published.faction_mark',
  'published.faction_month',
  'published.list_revision',
]);

interface Table {
  name: string;
  columns: { name: string; type: string }[];
}

/** Adds copies of the existing world, at most nine. Two tables are copied at a time. */
export async function addCopies(url: string, copies: number): Promise<void> {
  const { tables, tags, maxIds } = await onClient(url, async (client) => {
    const found = await client.query<Table>(
      `select table_schema || '.' || table_name as name,
        json_agg(json_build_object('name', quote_ident(column_name), 'type', case when udt_name = '_text' then 'texts' else data_type end)
          order by ordinal_position) as columns
      from information_schema.columns where table_schema in ('record', 'published') group by table_schema, table_name
      order by pg_table_size((table_schema || '.' || table_name)::regclass) desc`,
    );
    const { rows } = await client.query<{ tags: string[]; maxIds: Record<string, number> }>(
      `select (select array_agg(distinct substring(id from '${ownTag}')) from record.player) as tags,
        json_build_object(
          'tournament', (select max(id) from record.tournament), 'sequence', (select max(sequence) from published.change)
        ) as "maxIds"`,
    );
    assert.ok(rows[0]);
    return { ...rows[0], tables: found.rows.filter(({ name }) => !shared.has(name)) };
  });
  const left = tables.values();
  const copyTables = () =>
    onClient(url, async (client) => {
      // Switches off both triggers and foreign keys.
      await client.query('set session_replication_role = replica');
      for (const table of left) await client.query(copyOf(table, copies, tags, maxIds));
    });
  await Promise.all([copyTables(), copyTables()]);
  await onClient(url, (client) =>
    client.query(`
      update published.change_list set revision = published.next_revision(revision), last = (select max(sequence) from published.change);
      update published.list_revision set revision = published.next_revision(revision);
      select setval(pg_get_serial_sequence('record.tournament', 'id'), max(id)) from record.tournament;
      insert into published.faction_mark select distinct month from published.tournament_factions`),
  );
}

/**
 * Builds a statement that copies a table under other keys. Every key of a world contains its tag (`w1-0-1d`,
 * `some-club-w1-0-3`), and so do the documents that mention the key.
 */
function copyOf(
  { name, columns }: Table,
  copies: number,
  tags: string[],
  maxIds: Record<string, number>,
): string {
  const renamed = (text: string) =>
    tags.reduce((inner, tag) => `replace(${inner}, '${tag}-', '${tag}' || copy || '-')`, text);
  const values = columns.map((column) => {
    if (column.type === 'text') return renamed(column.name);
    if (column.type === 'texts') return `${renamed(`${column.name}::text`)}::text[]`;
    const isTournament = [column.name, `${name}.${column.name}`].some((each) =>
      ['tournament_id', 'record.tournament.id'].includes(each),
    );
    if (isTournament) return `${column.name} + copy * ${maxIds['tournament']}`;
    return column.name === 'sequence' && name === 'published.change'
      ? `sequence + copy * ${maxIds['sequence']}::bigint`
      : column.name;
  });
  return `insert into ${name} (${columns.map((column) => column.name).join(', ')}) overriding system value
    select ${values.join(', ')} from generate_series(1, ${copies}) copy, ${name}`;
}
