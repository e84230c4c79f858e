import type { ClientBase, Pool } from 'pg';
import type { NamePattern } from './name-pattern.ts';

/** Somebody with the name, or with it as a part of their name. */
export interface FoundPerson {
  /** Null for a guest. */
  player: string | null;
  name: string;
  /** Of a guest: the tournament, or the casual battle. */
  tournament: string | null;
  battle: string | null;
}

/** Reads every name once. */
export async function findPeople(client: ClientBase | Pool, pattern: NamePattern): Promise<FoundPerson[]> {
  const { rows } = await client.query<FoundPerson>(
    `select id as player, name, null as tournament, null as battle from record.player where name ~ $1
      union all select null, p.name, t.slug, null from record.participant p
        join record.tournament t on t.id = p.tournament_id where p.name ~ $1
      union all select null, first_name, null, id from record.battle where first_name ~ $1
      union all select null, second_name, null, id from record.battle where second_name ~ $1
      order by player nulls last, name, tournament, battle`,
    [pattern.source],
  );
  // The database finds a little more than the name.
  return rows.filter(({ name }) => pattern.isIn(name));
}
