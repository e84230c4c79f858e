import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** A property of the published documents, and how often it was checked and violated. */
export interface Finding {
  property: string;
  looked: number;
  broken: number;
  /** Some of the violations. */
  examples: unknown[];
}

/**
 * Checks the properties that must hold for any published data, as listed at the end of the description of the
 * domain. It uses the documents and the index rows, and of the facts only what no document shows: byes,
 * adjustments, archived battles, no-shows. It shares nothing with src/publish.
 */
export async function checkProperties(client: pg.ClientBase): Promise<Finding[]> {
  await client.query('begin');
  try {
    await client.query('set local jit = off');
    await client.query(await readFile(new URL('shown.sql', import.meta.url), 'utf8'));
    const findings: Finding[] = [];
    for (const [property, text] of Object.entries(properties)) {
      const { rows } = await client.query<{ looked: string; broken: string; examples: unknown[] | null }>(
        `with cases as (${text}) select count(*) as looked, count(*) filter (where not coalesce(holds, false)) as broken,
          (select jsonb_agg(to_jsonb(few)) from (select * from cases where not coalesce(holds, false) limit 5) few) as examples
        from cases`,
      );
      const [row] = rows;
      findings.push({
        property,
        looked: Number(row?.looked),
        broken: Number(row?.broken),
        examples: row?.examples ?? [],
      });
    }
    return findings;
  } finally {
    await client.query('rollback');
  }
}

const numbers = ['battle_points', 'wins', 'draws', 'losses', 'victory_points', 'victory_points_diff'];

/** A condition that everybody whose battles a board `b` counts has a row on it. */
const amongThemselves = `not exists (
  select from shown_result x where x.tournament = b.tournament and x.board = b.stage and not exists (
    select from shown_row y where y.tournament = x.tournament and y.stage = x.board and y.person = x.person
  )
) and not exists (
  -- Two of the same name, one of them on the board: the documents do not say whose battles they are.
  select from shown_participant p where p.tournament = b.tournament group by p.person
  having count(*) <> (
    select count(*) from shown_row y where y.tournament = b.tournament and y.stage = b.stage and y.person = p.person
  ) and exists (
    select from shown_row y where y.tournament = b.tournament and y.stage = b.stage and y.person = p.person
  )
)`;

const placementsRecorded = `t.placements_recorded and exists (
  select from record.participant p where p.tournament_id = t.id and p.final_placement is not null
)`;

/**
 * Builds a condition that the organiser has recorded a ranking for a board, or for one from which the merged
 * table takes its ranks.
 */
const ranking = (tournament: string, stage: string) => `exists (
  select from record.ranking k where k.tournament_id = ${tournament} and ${stage} in (k.stage, 'standings')
)`;

/** The properties. Each query selects its cases with `holds`. */
const properties: Record<string, string> = {
  'a board is the sum of the battles shown, the byes and the adjustments': `
    select b.*, r.*, (${numbers.map((each) => `b.${each} = coalesce(r.${each}, 0)`).join(' and ')}) as holds
    from (
      select tournament, stage, person, count(*) as rows, ${numbers.map((each) => `sum(${each}) as ${each}`).join(', ')}
      from shown_row group by 1, 2, 3
    ) b
    left join (
      select tournament, board, person, ${numbers.map((each) => `sum(${each}) as ${each}`).join(', ')}
      from shown_result group by 1, 2, 3
    ) r on r.tournament = b.tournament and r.board = b.stage and r.person = b.person
    where b.rows = (
      select count(*) from shown_participant p where p.tournament = b.tournament and p.person = b.person
    )`,

  'where a board counts only battles between its own rows, wins are losses and winning byes': `
    select b.tournament, b.stage, b.wins, b.losses, r.byes, b.wins = b.losses + coalesce(r.byes, 0) as holds
    from (select tournament, stage, sum(wins) as wins, sum(losses) as losses from shown_row group by 1, 2) b
    left join (
      select tournament, board, sum(wins) as byes from shown_result where kind = 'bye' group by 1, 2
    ) r on r.tournament = b.tournament and r.board = b.stage
    where ${amongThemselves}`,

  'there, victory point differences from battles add up to nothing': `
    select b.tournament, b.stage, b.total, r.given, b.total = coalesce(r.given, 0) as holds
    from (select tournament, stage, sum(victory_points_diff) as total from shown_row group by 1, 2) b
    left join (
      select tournament, board, sum(victory_points_diff) as given from shown_result where kind <> 'battle' group by 1, 2
    ) r on r.tournament = b.tournament and r.board = b.stage
    where ${amongThemselves}`,

  'derived ranks are 1 to n without a gap, in the order of the rows, group by group': `
    select r.tournament, r.stage, r.position, r.rank, r.rank = row_number() over (
      partition by r.tournament, r.stage, r.group_name order by r.position
    ) as holds
    from shown_row r join record.tournament t on t.slug = r.tournament
    where r.rank is not null and not (r.stage = 'standings' and ${placementsRecorded}) and not ${ranking('t.id', 'r.stage')}`,

  'a recorded ranking is shown as recorded, and sorts the rows group by group': `
    select r.tournament, r.stage, r.person, r.rank is not distinct from (k.ranks ->> p.id)::integer and coalesce(
      r.rank, 1000000) >= coalesce(lag(coalesce(r.rank, 1000000)) over (
      partition by r.tournament, r.stage, r.group_name order by r.position), 0) as holds
    from shown_row r join record.tournament t on t.slug = r.tournament
    join lateral (select ranks from record.ranking k where k.tournament_id = t.id and k.stage = r.stage
      order by after_round desc limit 1) k on true
    join record.participant p on p.tournament_id = t.id and r.person = 'id ' || p.player`,

  'the final standings rank nobody better than somebody above': `
    select tournament, position, rank >= coalesce(lag(rank) over (partition by tournament order by position), 0) as holds
    from shown_row where stage = 'standings' and rank is not null`,

  'recorded placements are the ranks, best first': `
    select r.tournament, r.position, r.rank, r.rank >= coalesce(lag(r.rank) over (
      partition by r.tournament order by r.position
    ), 0) as holds
    from shown_row r join record.tournament t on t.slug = r.tournament
    where r.stage = 'standings' and r.rank is not null and ${placementsRecorded}`,

  'no row without a rank stands above one with a rank, group by group': `
    select tournament, stage, group_name,
      coalesce(max(position) filter (where rank is not null) < min(position) filter (where rank is null), true) as holds
    from shown_row group by 1, 2, 3`,

  'a group stands in one piece': `
    select tournament, stage, group_name, max(position) - min(position) + 1 = count(*) as holds
    from shown_row group by 1, 2, 3`,

  'only no-shows have no rank once one row has one': `
    select b.tournament, b.stage, b.group_name, b.unranked, b.unranked = (
      select count(*) from record.tournament t
      join record.participant p on p.tournament_id = t.id
      join record.stage s on s.tournament_id = t.id
      left join record.stage_member m on m.tournament_id = t.id and m.stage = s.id and m.participant = p.id
      where t.slug = b.tournament and p.no_show and s.id = b.stage and (s.everybody or m.participant is not null)
        and (not s.grouped or p.group_name = b.group_name)
    ) as holds
    from (
      select tournament, stage, group_name, count(*) filter (where rank is null) as unranked
      from shown_row where stage <> 'standings' group by 1, 2, 3 having count(rank) > 0
    ) b join record.tournament own on own.slug = b.tournament where not ${ranking('own.id', 'b.stage')}`,

  'everybody in participants is in exactly one place of the final standings': `
    select coalesce(p.tournament, b.tournament) as tournament, coalesce(p.person, b.person) as person, p.number, b.rows,
      (p.number = b.rows) is true as holds
    from (
      select tournament, person, count(*) as number from shown_participant p
      where exists (select from published.standings s where s.tournament = p.tournament and s.stage = 'standings')
      group by 1, 2
    ) p
    full join (
      select tournament, person, count(*) as rows from shown_row where stage = 'standings' group by 1, 2
    ) b on b.tournament = p.tournament and b.person = p.person`,

  'a final placement is the rank in the final standings': `
    select p.tournament, p.person, p.placements, b.ranks,
      p.placements = case when t.placements_recorded then b.ranks else array_fill(null::integer, array[cardinality(b.ranks)]) end
        as holds
    from (
      select tournament, person, array_agg(final_placement order by final_placement) as placements
      from shown_participant group by 1, 2
    ) p
    join (
      select tournament, person, array_agg(rank order by rank) as ranks
      from shown_row where stage = 'standings' group by 1, 2
    ) b on b.tournament = p.tournament and b.person = p.person
    join record.tournament t on t.slug = p.tournament`,

  'nobody has a final placement before the end': `
    select p.tournament, p.id, p.final_placement is null as holds
    from shown_participant p join published.tournament t on t.slug = p.tournament where t.status <> 'finished'`,

  'a participant and the row on a group board name the same group': `
    select r.tournament, r.person, r.groups, p.groups = r.groups as holds
    from (
      select tournament, person, array_agg(group_name order by group_name) as groups from shown_participant group by 1, 2
    ) p
    join (
      select tournament, person, array_agg(group_name order by group_name) as groups from shown_row
      where stage = 'swiss' and group_name is not null group by 1, 2
    ) r on r.tournament = p.tournament and r.person = p.person
    where cardinality(p.groups) = cardinality(r.groups)`,

  'players is the number of participants': `
    select t.slug, ((t.document || '"}')::jsonb ->> 'players')::integer = (
      select count(*) from published.participant p where p.tournament = t.slug
    ) as holds
    from published.tournament t`,

  'every stage of a tournament has its standings, under its own name, and no other has': `
    select coalesce(t.slug, s.tournament) as tournament, coalesce(t.stage ->> 'id', s.stage) as stage,
      s.document::jsonb -> 'stage' = jsonb_build_object(
        'id', t.stage -> 'id', 'name', t.stage -> 'name', 'type', t.stage -> 'type'
      ) and t.stages[t.position] = s.stage as holds
    from (
      select slug, stages, stage, position from published.tournament
      cross join lateral jsonb_array_elements((document || '"}')::jsonb -> 'stages') with ordinality as listed (stage, position)
    ) t
    full join published.standings s on s.tournament = t.slug and s.stage = t.stage ->> 'id'`,

  'the stage shown when none is asked for is the final standings, else the one furthest along': `
    select t.slug, p.default_stage, furthest.stage, p.default_stage is not distinct from furthest.stage as holds
    from record.tournament t
    join published.tournament p on p.slug = t.slug
    left join lateral (
      select s.id as stage from record.stage s
      cross join lateral (select
        exists (select from record.battle b where b.tournament_id = t.id and b.stage = s.id)
        or exists (select from record.bye b where b.tournament_id = t.id and b.stage = s.id)
        or exists (select from record.match m
          where m.tournament_id = t.id and m.stage = s.id and m.second_participant is not null)
      ) as far (begun)
      where s.tournament_id = t.id
      order by begun desc, case when begun then s.phase end desc,
        case when begun then array_position(array['knockout', 'swiss', 'placement-swiss'], s.id) end,
        case when begun then substring(s.id from '^placement-([0-9]+)')::integer end,
        case when begun then s.id end collate "C", s.position limit 1
    ) as running on true
    cross join lateral (
      select case when t.status = 'finished' then 'standings' else running.stage end
    ) as furthest (stage)
    where t.published`,

  'every battle of a published tournament and every casual one is published, listed and in full': `
    select coalesce(r.id, b.id, d.id) as battle, r.id is not null and b.id is not null and d.id is not null as holds
    from (
      select b.id from record.battle b left join record.tournament t on t.id = b.tournament_id
      where b.tournament_id is null or t.published
    ) r
    full join published.battle b on b.id = r.id
    full join published.battle_detail d on d.id = coalesce(r.id, b.id)`,

  'a battle in full is the battle listed, with lists and rounds': `
    select b.id, b.shown = jsonb_set(d.shown, '{players}', jsonb_build_array(
      d.shown -> 'players' -> 0 #- '{list}' #- '{rounds}', d.shown -> 'players' -> 1 #- '{list}' #- '{rounds}'
    )) as holds
    from shown_battle b
    join (select id, (document || '"}')::jsonb as shown from published.battle_detail offset 0) d on d.id = b.id`,

  "with a list, a player's faction and sub-faction are the list's; without one, no text is empty": `
    select d.id as battle, side ->> 'player' as player,
      case when side -> 'list' = 'null' then '' is distinct from side ->> 'faction' and '' is distinct from side ->> 'subFaction'
        else (side -> 'faction', side -> 'subFaction') = (side -> 'list' -> 'faction', side -> 'list' -> 'subFaction') end as holds
    from (select id, (document || '"}')::jsonb as shown from published.battle_detail offset 0) d
    cross join lateral jsonb_array_elements(d.shown -> 'players') side`,

  "a battle's place in the lists is its date, the place of its stage, its round": `
    select b.id, b.date = coalesce((shown ->> 'date')::date, '-infinity') and b.round = coalesce((shown ->> 'round')::integer, 0)
      and b.tournament is not distinct from shown ->> 'tournament'
      and (b.tournament is null) = (b.stage_order = 0) as holds
    from shown_battle b`,

  'stages are listed in their running order': `
    select tournament, stage, stage_order, stage_order > coalesce(lag(stage_order) over (
      partition by tournament order by position
    ), 0) as holds
    from (
      select b.tournament, s.id as stage, s.position, b.stage_order from shown_battle b
      join record.tournament t on t.slug = b.tournament
      join record.stage s on s.tournament_id = t.id and s.id = b.shown ->> 'stage'
      group by 1, 2, 3, 4
    ) listed`,

  "a player's list holds each of their battles once, without the archived ones": `
    select coalesce(e.player, i.player) as player, coalesce(e.battle, i.battle) as battle,
      e.battle is not null and i.battle is not null and (i.date, i.stage_order, i.round) = (e.date, e.stage_order, e.round)
        as holds
    from (
      select player ->> 'playerId' as player, b.id as battle, b.date, b.stage_order, b.round
      from shown_battle b join record.battle r on r.id = b.id and not r.archived
      cross join lateral jsonb_array_elements(b.shown -> 'players') player
      where player ->> 'playerId' is not null
    ) e
    full join published.player_battle i on i.player = e.player and i.battle = e.battle`,

  "a player's row of a battle has the faction and the outcome of the player's side": `
    select i.player, i.battle, (i.faction, i.outcome) is not distinct from (side ->> 'faction', side ->> 'outcome') as holds
    from published.player_battle i join shown_battle b on b.id = i.battle
    cross join lateral jsonb_array_elements(b.shown -> 'players') side where side ->> 'playerId' = i.player`,

  "a player's row of a tournament has the faction of the player's row on each board": `
    select i.player, i.tournament, r.stage, i.faction is not distinct from r.faction as holds
    from published.player_tournament i
    join shown_row r on r.tournament = i.tournament and r.person = 'id ' || i.player`,

  "a player's row of a tournament counts what the battles shown say, archived ones too": `
    select i.player, i.tournament, (i.won, i.drawn, i.lost) is not distinct from
      (coalesce(s.won, 0)::integer, coalesce(s.drawn, 0)::integer, coalesce(s.lost, 0)::integer) as holds
    from published.player_tournament i
    left join (
      select b.tournament, side ->> 'playerId' as player, count(*) filter (where side ->> 'outcome' = 'win') as won,
        count(*) filter (where side ->> 'outcome' = 'draw') as drawn,
        count(*) filter (where side ->> 'outcome' = 'loss') as lost
      from shown_battle b cross join lateral jsonb_array_elements(b.shown -> 'players') side
      group by 1, 2
    ) s on s.tournament = i.tournament and s.player = i.player`,

  'no player has a battle twice': `
    select player, battle, count(*) = 1 as holds from published.player_battle group by 1, 2`,

  "a club's list holds what it ran, what was played for it and what was logged under it": `
    select coalesce(e.club, i.club) as club, coalesce(e.battle, i.battle) as battle,
      e.battle is not null and i.battle is not null and (i.date, i.stage_order, i.round) = (b.date, b.stage_order, b.round)
        as holds
    from (
      select t.organizer as club, b.id as battle from record.battle b join record.tournament t on t.id = b.tournament_id
      where t.published and t.organizer is not null
      union
      select p.club, b.id from record.battle b join record.tournament t on t.id = b.tournament_id
      join record.participant p on p.tournament_id = t.id and p.id in (b.first_participant, b.second_participant)
      where t.published and p.club is not null
      union
      select club, id from record.battle where tournament_id is null and club is not null
    ) e
    full join published.club_battle i on i.club = e.club and i.battle = e.battle
    left join published.battle b on b.id = e.battle`,

  'no club has a battle twice': `
    select club, battle, count(*) = 1 as holds from published.club_battle group by 1, 2`,

  'a battle says in whose lists it stands': `
    select b.id, array(select unnest(b.players) order by 1) = coalesce(p.players, '{}')
      and array(select unnest(b.clubs) order by 1) = coalesce(c.clubs, '{}') as holds
    from published.battle b
    left join (
      select battle, array_agg(player order by player) as players from published.player_battle group by 1
    ) p on p.battle = b.id
    left join (
      select battle, array_agg(club order by club) as clubs from published.club_battle group by 1
    ) c on c.battle = b.id`,

  'exactly the players who are neither unknown nor erased exist': `
    select coalesce(r.id, p.id) as player, r.id is not null and p.id is not null as holds
    from (select id from record.player where not erased) r full join published.player p on p.id = r.id`,
};
