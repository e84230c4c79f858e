import type { ClientBase } from 'pg';
import type { Pool } from '../database/pool.ts';
import type { StaleKind } from '../record/stale.ts';

// The marks that recording left: which things are stale. All marks of one thing are drained together, by one publisher
// at a time: whoever works on a thing holds its advisory lock until the commit, and the others pass it over.

export interface Mark {
  id: string;
  key: string;
  /** The battle that changed, `''` where only standings are touched; null where anything may have changed. */
  part: string | null;
}

/** Marked things of a kind, in the order of their keys, beginning behind `after`. */
export async function markedKeys(
  pool: Pool,
  kind: StaleKind,
  after: string,
  most: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>({
    text: 'select distinct key from record.stale where kind = $1 and key > $2 order by key limit $3',
    values: [kind, after, most],
  });
  return rows.map((row) => row.key);
}

/** Those of the keys that nobody else is publishing now; they stay locked until the transaction ends. */
export async function lockKeys(client: ClientBase, kind: StaleKind, keys: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>({
    text: `select key from unnest($2::text[]) as key
      where pg_try_advisory_xact_lock(hashtextextended($1 || '/' || key, 0))`,
    values: [kind, keys],
  });
  return rows.map((row) => row.key);
}

/** A kind whose things are small is published by one publisher at a time, as a whole. */
export async function lockKind(client: ClientBase, kind: StaleKind): Promise<boolean> {
  return (await lockKeys(client, kind, [''])).length === 1;
}

export async function readMarks(client: ClientBase, kind: StaleKind, keys: string[]): Promise<Mark[]> {
  const { rows } = await client.query<Mark>({
    text: 'select id, key, part from record.stale where kind = $1 and key = any($2::text[])',
    values: [kind, keys],
  });
  return rows;
}

/** The marks of what is published go; those of what could not be stay, and say why. */
export async function settleMarks(
  client: ClientBase,
  marks: Mark[],
  failed: { kind: StaleKind; key: string; reason: string }[] = [],
): Promise<void> {
  const kept = new Set(failed.map(({ key }) => key));
  await client.query({
    text: 'delete from record.stale where id = any($1::bigint[])',
    values: [marks.filter(({ key }) => !kept.has(key)).map(({ id }) => id)],
  });
  for (const { kind, key, reason } of failed) {
    await client.query({
      text: 'update record.stale set reason = $3 where kind = $1 and key = $2',
      values: [kind, key, reason],
    });
  }
}

/** The kinds of which something is marked, apart from what could not be published. */
export async function markedKinds(
  pool: Pool,
  without: { kind: StaleKind; key: string }[],
): Promise<Set<StaleKind>> {
  const { rows } = await pool.query<{ kind: StaleKind }>({
    text: `select distinct kind from record.stale
      where (kind, key) not in (select * from unnest($1::text[], $2::text[]))`,
    values: [without.map(({ kind }) => kind), without.map(({ key }) => key)],
  });
  return new Set(rows.map(({ kind }) => kind));
}
