import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';

// The last day of a tournament without an end date depends on the time at which its results arrived.
const lastDay = `case when document not like '%"endDate":null%' then last_day end as last_day`;

/**
 * Returns every row of every published table, without its revision. Two ways of publishing must give the same
 * rows.
 */
export async function publishedRows(client: ClientBase): Promise<string[]> {
  const tables = {
    club: 'slug, document, sort_key',
    tournament: `slug, start_date, status, organizer, country, leader, ${lastDay}, stages, default_stage, derivation, battle_derivation, document`,
    standings: '*',
    participant: '*',
    battle:
      'id, tournament, date, stage_order, round, players, clubs, table_number, first_entry, second_entry, document',
    battle_detail: '*',
    player: 'id, name',
    player_battle: '*',
    player_tournament: '*',
    search: '*',
    club_battle: '*',
    tournament_factions: '*',
    faction_placement: '*',
    faction_month: 'pack, is_long, month, tournaments, packs, counts',
  };
  const all: string[] = [];
  for (const [table, columns] of Object.entries(tables)) {
    const { rows } = await client.query<{ row: string }>(
      `select '${table} ' || row(t.*)::text as row from (select ${columns} from published.${table}) t order by 1`,
    );
    all.push(...rows.map(({ row }) => row));
  }
  return all;
}

/** Returns all published rows as one text for each tournament and each casual battle. */
export async function rowsByThing(client: ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ thing: string; rows: string }>(`
    with part (thing, row) as (
      select slug, row(slug, start_date, status, organizer, country, leader, last_day, stages, default_stage, derivation, battle_derivation, document)::text
        from published.tournament
      union all select tournament, row(s.*)::text from published.standings s
      union all select tournament, row(p.*)::text from published.participant p
      union all select coalesce(tournament, id), row(id, date, stage_order, round, players, clubs, table_number, first_entry, second_entry, document)::text
        from published.battle
      union all select coalesce(b.tournament, b.id), row(d.*)::text
        from published.battle_detail d left join published.battle b on b.id = d.id
      union all select tournament, row(x.*)::text from published.player_tournament x
      union all select tournament, row(x.*)::text from published.tournament_factions x
      union all select tournament, row(x.*)::text from published.faction_placement x
      union all select split_part(key, '/', 1), row(x.*)::text from published.search x where kind in ('tournament', 'guest')
      union all select coalesce(b.tournament, b.id), row(x.*)::text
        from published.player_battle x left join published.battle b on b.id = x.battle
      union all select coalesce(b.tournament, b.id), row(x.*)::text
        from published.club_battle x left join published.battle b on b.id = x.battle)
    select thing, string_agg(row, e'\\n' order by row collate "C") as rows from part group by thing`);
  return new Map(rows.map(({ thing, rows: all }) => [thing, all]));
}

/** Everything that has a revision, by name: the revision, and a digest of every answer that it covers. */
export type Scopes = Map<string, { revision: string; answers: string }>;

export async function readScopes(client: ClientBase): Promise<Scopes> {
  const { rows } = await client.query<{ name: string; revision: string; answers: string | null }>(
    scopesQuery,
  );
  return new Map(
    rows.map(({ name, revision, answers }) => [name, { revision, answers: hash('md5', answers ?? '') }]),
  );
}

/**
 * Returns the scopes whose answers changed, or that are new or gone, and the scopes whose revision changed.
 */
export function changedScopes(before: Scopes, after: Scopes): { answers: string[]; revisions: string[] } {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return {
    answers: names.filter((name) => before.get(name)?.answers !== after.get(name)?.answers),
    revisions: names.filter((name) => before.get(name)?.revision !== after.get(name)?.revision),
  };
}

// Follows the design of revisions, not the code of the publisher. A tournament covers its document,
// standings, participants and battles. A club covers its document, tournaments and battles. A player covers
// the player's battles. What only the pages show counts, too: the views of a tournament and of its standings,
// the table and the guests of a battle and the lists that show it, the name, the tournaments and the sides of
// a player, the search, the months of factions.
const battleOrder = 'x.date desc, x.stage_order desc, x.round desc, x.battle desc';
const scopesQuery = `
  select 'tournament ' || t.slug as name, t.revision::text, concat_ws(e'\\n', t.document, t.default_stage, t.stages, t.view,
    (select string_agg(concat(s.stage, s.document, s.view, s.entries, s.rounds, s.pairings), e'\\n' order by s.stage) from published.standings s where s.tournament = t.slug),
    (select string_agg(concat_ws(' ', p.document, p.list_order, p.result), e'\\n' order by p.sort_key, p.id) from published.participant p where p.tournament = t.slug),
    (select string_agg(concat(b.document, ' ', b.table_number, ' ', b.first_entry, ' ', b.second_entry), e'\\n'
        order by b.date desc, b.stage_order desc, b.round desc, b.id desc)
      from published.battle b where b.tournament = t.slug)) as answers
  from published.tournament t
  union all
  select 'club ' || c.slug, c.revision::text, concat_ws(e'\\n', c.document,
    (select string_agg(t.document, e'\\n' order by t.start_date desc, t.slug desc)
      from published.tournament t where t.organizer = c.slug),
    (select string_agg(b.document, e'\\n' order by ${battleOrder})
      from published.club_battle x join published.battle b on b.id = x.battle where x.club = c.slug))
  from published.club c
  union all
  select 'player ' || p.id, p.revision::text, concat_ws(e'\\n', p.id, p.name,
    (select string_agg(row(t.*)::text, e'\\n' order by t.start_date, t.tournament)
      from published.player_tournament t where t.player = p.id),
    (select string_agg(concat_ws(' ', b.document, x.faction, x.outcome), e'\\n' order by ${battleOrder})
      from published.player_battle x join published.battle b on b.id = x.battle where x.player = p.id))
  from published.player p
  union all
  select 'battle ' || b.id, b.revision::text, concat(d.document, ' ', b.table_number, ' ', b.first_entry, ' ', b.second_entry, ' ', b.players)
  from published.battle b join published.battle_detail d on d.id = b.id
  union all
  select 'tournaments', l.revision::text,
    (select string_agg(t.document, e'\\n' order by t.start_date desc, t.slug desc) from published.tournament t)
  from published.list_revision l where l.list = 'tournaments'
  union all
  select 'search', n.revision::text,
    (select string_agg(row(s.*)::text, e'\\n' order by s.folded, s.kind, s.key) from published.search s)
  from published.list_revision n where n.list = 'search'
  union all
  select 'factions', n.revision::text, (select string_agg(concat_ws(' ', m.pack, m.is_long, m.month, m.tournaments, m.packs, m.counts::text),
    e'\\n' order by m.pack, m.is_long, m.month) from published.faction_month m)
  from published.list_revision n where n.list = 'factions'`;
