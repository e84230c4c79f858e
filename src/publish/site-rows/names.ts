import type { ClientBase } from 'pg';
import { SearchRows } from './search-rows.ts';

// A player has a name in published.player while a published battle or tournament names them. Two publishers
// may insert and delete the last such row at the same time. The player's row is therefore locked first, and
// only a later statement checks whether a battle or tournament is left, so that it sees what the other
// publisher committed. The same statement reads the recorded name. A rename that it does not see has a mark,
// and the publisher of that mark waits for the lock.

/** The names of players whose rows this transaction has locked, by id. Null if a player has none. */
export type NamesBefore = ReadonlyMap<string, string | null>;

/**
 * Adds, changes and removes names, with the search rows. Returns the moved revisions and the number of search
 * rows that changed.
 */
export async function settleNames(
  client: ClientBase,
  before: NamesBefore,
): Promise<{ moved: Map<string, bigint>; found: number }> {
  if (before.size === 0) return { moved: new Map(), found: 0 };
  const { rows } = await client.query<{ id: string; name: string | null; revision: string }>({
    text: `update published.player p set name = wanted.name, revision = published.next_revision(p.revision)
      from (select r.id, case when not r.erased and (
            exists (select from published.player_tournament t where t.player = r.id)
            or exists (select from published.player_battle b where b.player = r.id)) then r.name end as name
          from record.player r where r.id = any($1::text[])) wanted
      where p.id = wanted.id and p.name is distinct from wanted.name
      returning p.id, p.name, p.revision`,
    values: [[...before.keys()]],
  });
  const search = new SearchRows();
  for (const { id, name } of rows) search.rename('player', id, before.get(id), name);
  return {
    moved: new Map(rows.map(({ id, revision }) => [id, BigInt(revision)])),
    found: await search.write(client),
  };
}

/** Locks the rows in the order of their ids, as all publishers do. Returns the names. */
export async function lockNames(client: ClientBase, ids: string[]): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ id: string; name: string | null }>({
    text: 'select id, name from published.player where id = any($1::text[]) order by id for no key update',
    values: [ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Deletes the search rows of players whose own rows were deleted. Returns their number. */
export async function forgetNames(client: ClientBase, names: NamesBefore): Promise<number> {
  const search = new SearchRows();
  for (const [id, name] of names) search.rename('player', id, name, null);
  return search.write(client);
}

/** Returns those of these players who exist and have no name. */
export async function readNameless(client: ClientBase, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ id: string }>({
    text: 'select id from published.player where id = any($1::text[]) and name is null',
    values: [ids],
  });
  return rows.map(({ id }) => id);
}
