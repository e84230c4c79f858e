import type { PoolClient } from 'pg';
import { Compile } from 'typebox/compile';
import { Club } from '../contract/club.ts';
import { inTransaction, type Pool } from '../database/pool.ts';
import { readClubs } from '../record/read-facts.ts';
import { clubResource } from './club.ts';

/** Publishes everything that is marked as stale; returns how many documents were written or removed. */
export async function publishStale(pool: Pool, siteUrl: string): Promise<number> {
  let written = 0;
  for (;;) {
    const batch = await inTransaction(pool, (client) => publishClubBatch(client, siteUrl));
    if (batch === undefined) return written;
    written += batch;
  }
}

const batchSize = 500;
const clubShape = Compile(Club);

/** Undefined when no mark was left. */
async function publishClubBatch(client: PoolClient, siteUrl: string): Promise<number | undefined> {
  // The marks go before the facts are read: a fact recorded in between leaves a mark of its own.
  const { rows: marks } = await client.query<{ slug: string }>(
    `with drained as (
       delete from record.stale
       where kind = 'club' and key in (select distinct key from record.stale where kind = 'club' order by key limit $1)
       returning key
     )
     select distinct key as slug from drained`,
    [batchSize],
  );
  if (marks.length === 0) return undefined;
  const slugs = marks.map((mark) => mark.slug);
  const clubs = await readClubs(client, slugs);
  const documents = clubs.map((facts) => clubDocument(facts.slug, clubResource(facts, siteUrl)));
  return (
    (await writeClubs(
      client,
      clubs.map((facts) => facts.slug),
      documents,
    )) +
    (await removeClubs(
      client,
      slugs,
      clubs.map((facts) => facts.slug),
    ))
  );
}

/** The document is checked before it is stored, so that a server never has to. */
function clubDocument(slug: string, club: Club): string {
  if (!clubShape.Check(club)) {
    const [first] = clubShape.Errors(club);
    throw new Error(
      `The document of club ${slug} does not fit the contract at ${first?.instancePath}: ${first?.message}`,
    );
  }
  return JSON.stringify(club);
}

async function writeClubs(client: PoolClient, slugs: string[], documents: string[]): Promise<number> {
  const { rowCount } = await client.query(
    `insert into published.club as club (slug, revision, document)
     select slug, published.next_revision(null), document from unnest($1::text[], $2::text[]) as fresh (slug, document)
     on conflict (slug) do update
       set revision = published.next_revision(club.revision), document = excluded.document
       where club.document <> excluded.document`,
    [slugs, documents],
  );
  return rowCount ?? 0;
}

async function removeClubs(client: PoolClient, marked: string[], present: string[]): Promise<number> {
  const { rowCount } = await client.query(
    'delete from published.club where slug = any ($1) and slug <> all ($2)',
    [marked, present],
  );
  return rowCount ?? 0;
}
