// Takes over battles that are recorded elsewhere and that a record now has as its own: a tournament got
// another slug, or a casual battle turned out to belong to a tournament. It must have the same two people to
// be the same battle, so that a platform that numbers the battles of each tournament from 1 does not take
// those of another. A guest who was erased there has no name to compare, so the id of the participant is
// compared instead. What belongs to another source is never taken.
import type { Recording } from '../recording/recording.ts';
import type { TournamentRow } from '../tables.ts';

/**
 * Deletes the recorded battles that move here. Call it after the participants were written, and before the
 * battles.
 */
export async function takeBattles(recording: Recording, rows: TournamentRow<'battles'>[]): Promise<void> {
  if (!recording.takesBattles || rows.length === 0) return;
  const { client, marks, source } = recording;
  // Lock the tournaments before asking for their owner, so that none changes hands before the battles are
  // gone. Casual battles are locked one by one below.
  await client.query({
    text: `select from record.tournament where source = $1
      and id in (select tournament_id from record.battle where id = any($2::text[])) order by slug for no key update`,
    values: [source, rows.map(({ id }) => id)],
  });
  const { rows: taken } = await client.query<{
    id: string;
    tournament_id: number | null;
    slug: string | null;
  }>({
    text: `with sent as materialized (
        select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::text[]) s (${columns.join(', ')}))
      select b.id, b.tournament_id, t.slug from sent s
      join record.battle b on b.id = s.id and b.tournament_id is distinct from s.tournament_id
      left join record.tournament t on t.id = b.tournament_id
      where coalesce(b.source, t.source) = $9 and (${peopleOf('b')}) = (${peopleOf('s')})
      for update of b`,
    values: [...columns.map((column) => rows.map((row) => row[column])), source],
  });
  if (taken.length === 0) return;
  const ids = taken.map(({ id }) => id);
  await client.query({
    text: `update record.match m set battle = null from record.battle b
      where b.id = any($1::text[]) and m.tournament_id = b.tournament_id and m.battle = b.id`,
    values: [ids],
  });
  await client.query({ text: 'delete from record.battle where id = any($1::text[])', values: [ids] });
  for (const { id, slug } of taken) {
    if (slug === null) marks.add('battle', id);
    else marks.add('tournament', slug);
  }
}

const columns = [
  'tournament_id',
  'id',
  'first_participant',
  'second_participant',
  'first_player',
  'second_player',
  'first_name',
  'second_name',
] as const;

/** SQL for both people of a battle in a fixed order: players by id, guests by name. */
const peopleOf = (battle: string): string => `select array_agg(person order by person) from (values
    (coalesce('player ' || ${battle}.first_player, 'guest ' || ${battle}.first_name, ${entered(battle, 'first')})),
    (coalesce('player ' || ${battle}.second_player, 'guest ' || ${battle}.second_name, ${entered(battle, 'second')}))
  ) people (person)`;

/** SQL for a participant. `b` is the recorded battle, even in the expression for the battle that was sent. */
const entered = (battle: string, side: string): string =>
  `(select coalesce('player ' || p.player, (select 'erased ' || erased.id from record.participant erased
      where erased.tournament_id = b.tournament_id and erased.id = p.id and erased.name = ''), 'guest ' || p.name)
    from record.participant p
    where p.tournament_id = ${battle}.tournament_id and p.id = ${battle}.${side}_participant)`;
