import type { PoolClient } from 'pg';
import { noteEntry } from '../../audit/entries.ts';
import { inTransaction, type Pool } from '../../database/pool.ts';
import { Marks } from '../backlog/marks.ts';

/** Shows or hides a tournament in a transaction of its own. Returns false if there is no such tournament. */
export async function setPublished(pool: Pool, slug: string, published: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const marks = new Marks();
    const isThere = await showOrHide(client, slug, published, marks);
    await marks.append(client);
    return isThere;
  });
}

/**
 * Shows or hides a tournament. Returns false if it does not exist. A hidden tournament stays hidden, whatever
 * a feed says; a shown one follows its feed.
 */
export async function showOrHide(
  client: PoolClient,
  slug: string,
  published: boolean,
  marks: Marks,
): Promise<boolean> {
  const { rows } = await client.query<{ changed: boolean }>(
    `update record.tournament t set published = $2 from record.tournament before
      where t.slug = $1 and before.id = t.id returning before.published <> $2 as changed`,
    [slug, published],
  );
  const [row] = rows;
  // The earlier slugs get entries of their own. After a restore, they may be the only ones that are recorded,
  // and then the feed renames the tournament again.
  for (const earlier of row ? await keepHidden(client, slug, !published) : [])
    await noteEntry(client, { action: 'tournament shown', kind: 'tournament', thing: earlier });
  if (row?.changed) {
    const action = published ? 'tournament shown' : 'tournament hidden';
    await noteEntry(client, { action, kind: 'tournament', thing: slug });
    marks.add('tournament', slug);
  }
  return row !== undefined;
}

/**
 * Decides what becomes of the tournament when a feed sends it, even if there is none yet. Returns its earlier
 * slugs that were hidden and are no longer.
 */
export async function keepHidden(client: PoolClient, slug: string, isHidden: boolean): Promise<string[]> {
  const { rows } = await client.query<{ slug: string }>(isHidden ? rememberHidden : forgetHidden, [slug]);
  return rows.flatMap((each) => (each.slug === slug ? [] : each.slug));
}

const rememberHidden = 'insert into record.hidden_tournament (slug) values ($1) on conflict do nothing';

/**
 * Deletes its earlier slugs, too, because a feed may say again that they have moved to this one, which would
 * hide it again.
 */
const forgetHidden = `
  delete from record.hidden_tournament where slug = $1
    or slug in (select id from record.moved where kind = 'tournament' and target = $1)
  returning slug`;
