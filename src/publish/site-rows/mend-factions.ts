import type { ClientBase } from 'pg';

/** A publisher of the version before leaves the counts of tournaments that it hides. Deleting them marks their months. */
export async function removeFactionOrphans(client: ClientBase): Promise<void> {
  await client.query(`delete from published.tournament_factions x
    where not exists (select from published.tournament t where t.slug = x.tournament)`);
}

/** Marks every month, and corrects the places that were changed by hand. */
export async function markMonths(client: ClientBase): Promise<void> {
  await removeFactionOrphans(client);
  await client.query(`
    insert into published.faction_mark select month from published.tournament_factions
      union select month from published.faction_month;
    with wanted as (
      select place.faction, f.start_date, f.tournament, (place.number - 1)::smallint as "row"
      from published.tournament_factions f
      cross join json_array_elements_text(f.top) with ordinality as place (faction, number)
      where place.faction is not null),
    gone as (
      delete from published.faction_place p where not exists (select from wanted w
        where (w.faction, w.start_date, w.tournament, w."row") = (p.faction, p.start_date, p.tournament, p."row")))
    insert into published.faction_place select * from wanted on conflict do nothing`);
}
