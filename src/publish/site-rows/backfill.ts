import type { ClientBase } from 'pg';
import { lockNames, settleNames } from './names.ts';
import { SearchRows } from './search-rows.ts';

// Repairs rows of `published` that no publisher of a thing looks at, because nothing leads from the thing to
// them. They are wrong only after a change by hand.

const inABatch = 5_000;

/**
 * Deletes the index rows of things that are not published, and restores the rows that exist once per list or
 * kind. A publisher writes a thing and its rows in one transaction, so no statement sees such a row while a
 * publisher is working. Returns the number of search rows that were deleted.
 */
export async function removeOrphans(client: ClientBase): Promise<number> {
  await client.query(`
    delete from published.battle_detail x where not exists (select from published.battle b where b.id = x.id);
    delete from published.player_battle x where not exists (select from published.battle b where b.id = x.battle);
    delete from published.club_battle x where not exists (select from published.battle b where b.id = x.battle);
    delete from published.player_tournament x
      where not exists (select from published.tournament t where t.slug = x.tournament);
    insert into published.list_revision (list, revision)
      select list, published.next_revision(null) from unnest(array['tournaments', 'search', 'factions']) as list
      on conflict do nothing;
    insert into published.derivation (kind, version) values ('club', 0), ('battle', 0) on conflict do nothing;
    insert into published.change_list (revision, epoch, last)
      select published.next_revision(null), left(replace(gen_random_uuid()::text, '-', ''), 12), coalesce(max(sequence), 0)
      from published.change on conflict do nothing`);
  const { rowCount } = await client.query(`
    delete from published.search x where not case kind
      when 'tournament' then exists (select from published.tournament t where t.slug = x.key)
      when 'club' then exists (select from published.club c where c.slug = x.key)
      when 'player' then exists (select from published.player p where p.id = x.key and p.name is not null)
      else exists (select from published.participant p
        where p.tournament = split_part(x.key, '/', 1) and p.sort_key = x.sort_key and p.id = split_part(x.key, '/', 2)
          and starts_with(p.document, format('{"player":%s,"playerId":null', to_json(x.label)))) end`);
  return rowCount ?? 0;
}

/**
 * Gives players the names and the search rows that they should have. Returns the number of search rows that
 * changed.
 */
export async function backfillNames(client: ClientBase): Promise<number> {
  let found = 0;
  const { rows: wrong } = await client.query<{ id: string }>(`
    select p.id from published.player p join record.player r on r.id = p.id
    where p.name is distinct from r.name and (p.name is not null
      or exists (select from published.player_tournament t where t.player = p.id)
      or exists (select from published.player_battle b where b.player = p.id))
    order by p.id`);
  for (let start = 0; start < wrong.length; start += inABatch) {
    const ids = wrong.slice(start, start + inABatch).map(({ id }) => id);
    found += (await settleNames(client, await lockNames(client, ids))).found;
  }
  const { rows: unfound } = await client.query<{ id: string; name: string }>(`
    select p.id, p.name from published.player p where p.name is not null
      and not exists (select from published.search s where s.kind = 'player' and s.key = p.id)`);
  for (let start = 0; start < unfound.length; start += inABatch) {
    const search = new SearchRows();
    for (const { id, name } of unfound.slice(start, start + inABatch))
      search.rename('player', id, name, name);
    found += await search.write(client);
  }
  return found;
}
