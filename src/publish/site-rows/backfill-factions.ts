import type { ClientBase } from 'pg';

/** Marks every month, and corrects the counts and placements that were changed by hand. */
export async function markMonths(client: ClientBase): Promise<void> {
  await client.query(`
    delete from published.tournament_factions x
      where not exists (select from published.tournament t where t.slug = x.tournament);
    insert into published.faction_mark select month from published.tournament_factions
      union select month from published.faction_month;
    insert into published.faction_placement
      select listed.faction, f.start_date, f.tournament, (listed.number - 1)::smallint
      from published.tournament_factions f
      cross join json_array_elements_text(f.top) with ordinality as listed (faction, number)
      where listed.faction is not null
      on conflict do nothing`);
  // This must be a statement of its own, so that it sees what another publisher committed while the insert
  // waited for it.
  await client.query(`
    delete from published.faction_placement p where not exists (
      select from published.tournament_factions f
      where f.tournament = p.tournament and f.start_date = p.start_date and f.top ->> p."row"::integer = p.faction)`);
}
