import type { PoolClient } from 'pg';
import { inTransaction } from '../database/pool.ts';
import { readClubs } from '../record/facts/read-facts.ts';
import { clubDocument } from './derive/documents.ts';
import { lockKind, readMarks, settleMarks } from '../record/backlog/drain.ts';
import { sendNotices } from './send-notices.ts';
import { sortKey } from '../text/fold.ts';
import { derive, type KindPublisher, notDerived, nothingPublished } from './kind-publisher.ts';
import { lowerDerivation } from './mark-all.ts';
import { nameFrom, nameInDocument } from './site-rows/in-documents.ts';
import { SearchRows } from './site-rows/search-rows.ts';
import { holdOwners, moveSearch } from './revisions.ts';
import { inSnapshot } from './transactions.ts';

export const clubPublisher: KindPublisher = {
  kind: 'club',
  max: 500,
  publish: (pool, slugs) =>
    inTransaction(pool, async (writer) => {
      const result = nothingPublished();
      if (!(await lockKind(writer, 'club'))) return result;
      const { marks, clubs } = await inSnapshot(pool, async (reader) => ({
        marks: await readMarks(reader, 'club', slugs),
        clubs: await readClubs(reader, slugs),
      }));
      const documents: ClubDocuments = new Map();
      for (const club of clubs) {
        const document = derive(result, 'club', club.slug, () => clubDocument(club));
        if (document !== notDerived) documents.set(club.slug, { document, key: sortKey(club.name) });
      }
      await settleMarks(writer, marks, result);
      await holdOwners(writer);
      await lowerDerivation(writer, 'club');
      const names = await lockClubs(writer, slugs);
      const written = await writeClubs(writer, documents);
      const present = new Set(clubs.map((club) => club.slug));
      const gone = await removeClubs(
        writer,
        slugs.filter((slug) => !present.has(slug)),
      );
      const search = new SearchRows();
      for (const { slug, name } of clubs) {
        if (documents.has(slug)) search.rename('club', slug, names.get(slug), name);
      }
      for (const [slug] of gone) search.rename('club', slug, names.get(slug), null);
      const found = await search.write(writer);
      const moved = new Map([...written, ...gone]);
      await sendNotices(writer, { club: moved, search: found > 0 ? await moveSearch(writer) : undefined });
      result.things = slugs.length - result.failed.length;
      result.rows = moved.size + found;
      return result;
    }),
};

/**
 * Locks the clubs in the order of their keys, as all publishers do, so that there is no deadlock. Returns the
 * names.
 */
async function lockClubs(writer: PoolClient, slugs: string[]): Promise<Map<string, string | undefined>> {
  const { rows } = await writer.query<{ slug: string; name: string | null }>({
    text: `select slug, ${nameInDocument} as name from published.club
      where slug = any($1::text[]) order by slug for update`,
    values: [slugs],
  });
  return new Map(rows.map(({ slug, name }) => [slug, nameFrom(name)]));
}

type ClubDocuments = Map<string, { document: string; key: string }>;

/**
 * Writes the clubs. Returns those whose document or position in the list changed, with their new revisions.
 */
async function writeClubs(
  writer: PoolClient,
  documents: Readonly<ClubDocuments>,
): Promise<[string, bigint][]> {
  const { rows } = await writer.query<{ slug: string; revision: string }>({
    text: `insert into published.club as club (slug, revision, document, sort_key)
      select slug, published.next_revision(null), document, key
      from unnest($1::text[], $2::text[], $3::text[]) as fresh (slug, document, key) order by slug collate "C"
      on conflict (slug) do update
        set revision = case when club.document <> excluded.document
            then published.next_revision(club.revision) else club.revision end,
          document = excluded.document,
          sort_key = excluded.sort_key
        where (club.document, club.sort_key) <> (excluded.document, excluded.sort_key)
      returning slug, revision`,
    values: [
      [...documents.keys()],
      [...documents.values()].map(({ document }) => document),
      [...documents.values()].map(({ key }) => key),
    ],
  });
  return rows.map((row) => [row.slug, BigInt(row.revision)]);
}

async function removeClubs(writer: PoolClient, slugs: string[]): Promise<[string, bigint][]> {
  const { rows } = await writer.query<{ slug: string; revision: string }>({
    text: `delete from published.club where slug = any($1::text[])
      returning slug, published.next_revision(revision) as revision`,
    values: [slugs],
  });
  return rows.map((row) => [row.slug, BigInt(row.revision)]);
}
