// Reads from the database what was played in tournaments. One statement reads many of them.
import type { ClientBase } from 'pg';
import type { Games } from './feed/tournament-warnings.ts';

export interface GamesQuery {
  slug: string;
  /**
   * Also reads the battles, byes and matches. Otherwise only the participants are read, which costs much
   * less.
   */
  everything: boolean;
}

export interface RecordedGames extends Games {
  slug: string;
  isFinished: boolean;
  isPublished: boolean;
  /**
   * Number of rounds whose battles all have a result, in the Swiss stage or, if there is none, in all stages
   * except the knockout.
   */
  rounds: number;
  plannedRounds: number;
  /** Number of rounds of the knockout whose matches all have a winner. */
  knockoutRounds: number;
  /** Null if there is no knockout. */
  plannedKnockoutRounds: number | null;
}

interface GamesRow extends Omit<RecordedGames, 'active'> {
  active: string[];
}

// The lateral joins use indexes, because after a large import the planner has no statistics yet and would
// choose a bad join.
const text = `select t.slug, t.status = 'finished' as "isFinished", t.published as "isPublished", entered.participants,
    played.battles, played.unfinished, complete.rounds, planned.rounds as "plannedRounds",
    complete.knockout as "knockoutRounds", planned.knockout as "plannedKnockoutRounds", played.by || met.by as active, planned.knockout is not null as "hasKnockout", final.winner as "finalWinner"
  from unnest($1::text[], $2::boolean[]) with ordinality asked (slug, everything, at)
  join record.tournament t on t.slug = asked.slug
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', p.id, 'name', coalesce(nullif(p.name, ''), player.name), 'noShow', p.no_show,
      'finalPlacement', p.final_placement) order by p.id), '[]') as participants
    from record.participant p left join record.player on player.id = p.player where p.tournament_id = t.id
  ) entered
  cross join lateral (
    select count(*)::integer as battles, (count(*) filter (where not b.finished))::integer as unfinished,
      coalesce(array_agg(b.first_participant) || array_agg(b.second_participant), '{}') as by
    from record.battle b where b.tournament_id = t.id and asked.everything
  ) played
  cross join lateral (
    select coalesce(max(s.rounds) filter (where s.id = 'swiss'), sum(s.rounds) filter (where s.id <> 'knockout'), 0)::integer as rounds,
      max(s.rounds) filter (where s.id = 'swiss') as swiss, max(s.rounds) filter (where s.id = 'knockout') as knockout
    from record.stage s where s.tournament_id = t.id
  ) planned
  cross join lateral (
    select
      (select count(*)::integer from (
        select from record.battle b
        where b.tournament_id = t.id and asked.everything and b.stage is distinct from 'knockout'
          and (b.stage = 'swiss' or planned.swiss is null)
        group by b.stage, b.round having bool_and(b.finished)
      ) over) as rounds,
      (select count(*)::integer from (
        select from record.match m where m.tournament_id = t.id and m.stage = 'knockout' and asked.everything
        group by m.round having bool_and(m.winner is not null)
      ) over) as knockout
  ) complete
  cross join lateral (
    select array(
      select b.participant from record.bye b where b.tournament_id = t.id and asked.everything
      union all select m.first_participant from record.match m where m.tournament_id = t.id and asked.everything
      union all select m.second_participant from record.match m where m.tournament_id = t.id and asked.everything
    ) as by
  ) met
  left join lateral (
    select m.winner, m.round from record.match m where m.tournament_id = t.id and m.stage = 'knockout' and asked.everything
    order by m.round desc, m.position limit 1
  ) final on final.round >= planned.knockout
  order by asked.at`;

export async function readGames(client: ClientBase, asked: GamesQuery[]): Promise<RecordedGames[]> {
  const { rows } = await client.query<GamesRow>({
    text,
    values: [asked.map(({ slug }) => slug), asked.map(({ everything }) => everything)],
  });
  return rows.map((row) => ({ ...row, active: new Set(row.active) }));
}
