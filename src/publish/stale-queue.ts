import type { ClientBase } from 'pg';
import type { Pool } from '../database/pool.ts';
import type { StaleKind } from '../record/stale.ts';
import type { Failure } from './kind-publisher.ts';

// The marks that recording left: which things are stale. All marks of one thing are drained together, by one publisher
// at a time: whoever works on a thing holds its advisory lock until the commit, and the others pass it over.

export interface Mark {
  id: string;
  key: string;
  /** The battle that changed, `''` where only standings are touched; null where anything may have changed. */
  part: string | null;
}

/** A result of a running event; anything else that changed; or something that is only made anew. */
export type Urgency = 'result' | 'change' | 'rebuild';

const conditions: Record<Urgency, string> = {
  result: 'part is not null',
  change: 'part is null and not rebuild',
  rebuild: 'rebuild',
};

/** StaleBatches things of a kind, in the order of their keys, beginning behind `after`. */
export async function markedKeys(
  pool: Pool,
  kind: StaleKind,
  { urgency, after, most }: { urgency: Urgency; after: string; most: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>({
    text: `select distinct key from record.stale where kind = $1 and key > $2 and ${conditions[urgency]}
      order by key limit $3`,
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
  client: Pick<ClientBase, 'query'>,
  marks: Mark[],
  failed: Failure[] = [],
): Promise<void> {
  const kept = new Set(failed.map(({ key }) => key));
  await client.query({
    text: 'delete from record.stale where id = any($1::bigint[])',
    values: [marks.filter(({ key }) => !kept.has(key)).map(({ id }) => id)],
  });
  await giveReasons(client, failed);
}

export async function giveReasons(client: Pick<ClientBase, 'query'>, failed: Failure[]): Promise<void> {
  for (const { kind, key, reason } of failed) {
    await client.query({
      text: 'update record.stale set reason = $3 where kind = $1 and key = $2',
      values: [kind, key, reason],
    });
  }
}

/** Whether anything is marked, apart from what could not be published. */
export async function isAnythingMarked(pool: Pool, failed: Failure[]): Promise<boolean> {
  const { rows } = await pool.query<{ marked: boolean }>({
    text: `select exists (select from record.stale
      where (kind, key) not in (select * from unnest($1::text[], $2::text[]))) as marked`,
    values: [failed.map(({ kind }) => kind), failed.map(({ key }) => key)],
  });
  return rows[0]?.marked === true;
}

export async function isMarked(pool: Pool, kind: StaleKind, key: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: 'select from record.stale where kind = $1 and key = $2 limit 1',
    values: [kind, key],
  });
  return rowCount === 1;
}

/** Whether people or packs are marked whose new names and scores the documents of these players' things do not show yet. */
export async function isSpreadPending(client: ClientBase, players: (string | null)[]): Promise<boolean> {
  const { rows } = await client.query<{ pending: boolean }>({
    text: `select exists (select from record.stale where kind = 'player' and key = any($1::text[]))
      or exists (select from record.stale where kind = 'battlePack') as pending`,
    values: [players],
  });
  return rows[0]?.pending === true;
}
