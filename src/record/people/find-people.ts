import { fold } from '../../text/fold.ts';
import type { Pool } from '../../database/pool.ts';

/** A person with the name, or with it as a part of their name. */
export interface FoundPerson {
  /** Null for a guest. */
  player: string | null;
  name: string;
  /** Given for a guest: the tournament, or otherwise the casual battle. */
  tournament: string | null;
  battle: string | null;
}

const people = `select id as player, name, null as tournament, null as battle from record.player where not erased
  union all select null, p.name, t.slug, null from record.participant p
    join record.tournament t on t.id = p.tournament_id where p.name <> ''
  union all select null, first_name, null, id from record.battle where first_name <> ''
  union all select null, second_name, null, id from record.battle where second_name <> ''
  order by player nulls last, name, tournament, battle`;

/**
 * Looks for whole words, in any case, with or without accents. It reads every name once, a batch at a time.
 */
export async function findPeople(pool: Pool, name: string): Promise<FoundPerson[]> {
  const wanted = wordsOf(name);
  const found: FoundPerson[] = [];
  const client = await pool.connect();
  try {
    await client.query(`begin read only; declare people no scroll cursor for ${people}`);
    for (;;) {
      const { rows } = await client.query<FoundPerson>('fetch 10000 from people');
      found.push(...rows.filter((person) => wordsOf(person.name).includes(wanted)));
      if (rows.length === 0) return found;
    }
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

const wordsOf = (name: string): string =>
  ` ${fold(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
