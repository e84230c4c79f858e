import { noteEntry } from '../../audit/entries.ts';
import { inTransaction, type Pool } from '../../database/pool.ts';
import { Marks } from '../stale/marks.ts';

/** Shows or hides a tournament. Returns false if it does not exist. A later feed can change `published` again. */
export async function setPublished(pool: Pool, slug: string, published: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ changed: boolean }>(
      `update record.tournament t set published = $2 from record.tournament before
        where t.slug = $1 and before.id = t.id returning before.published <> $2 as changed`,
      [slug, published],
    );
    const [row] = rows;
    if (row?.changed) {
      const action = published ? 'tournament shown' : 'tournament hidden';
      await noteEntry(client, { action, kind: 'tournament', thing: slug });
      const marks = new Marks();
      marks.add('tournament', slug);
      await marks.append(client);
    }
    return row !== undefined;
  });
}
