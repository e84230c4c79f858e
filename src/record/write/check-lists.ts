// Checks a participant's new list against stored battles that are not part of the change, because it may
// contradict them.
import type { ClientBase } from 'pg';
import { elementPath, type TournamentChange } from './tournament-change.ts';
import { expected } from '../feed/problem.ts';
import { RecordRefusal } from '../recording/recording.ts';

/**
 * Throws if a list contradicts a stored battle. `written` has the participants (`<tournament id> <id>`) whose
 * row or list was written. The others did not change.
 */
export async function checkListsAgainstBattles(
  client: ClientBase,
  accepted: { change: TournamentChange }[],
  ids: Map<string, number>,
  written: Set<string>,
): Promise<void> {
  const listed = accepted.flatMap(({ change }) => {
    const tournament = ids.get(change.slug) ?? 0;
    if (change.parts.battles) return [];
    return (change.parts.participants ?? []).flatMap(({ id, list }, index) =>
      list && written.has(`${tournament} ${id}`)
        ? { change, index, tournament, id, faction: list.faction }
        : [],
    );
  });
  if (listed.length === 0) return;
  const { rows } = await client.query<{ at: number; id: string; faction: string }>({
    // There are two joins, because a single one with `or` would compare every battle with every participant.
    text: `with given as materialized (
        select * from unnest($1::integer[], $2::text[], $3::text[]) with ordinality given (tournament_id, id, faction, at))
      select distinct on (at) at::integer, id, faction from (
        select at, b.id, b.first_faction as faction from given join record.battle b
          on b.tournament_id = given.tournament_id and b.first_participant = given.id
          where b.first_list is null and b.first_faction <> given.faction
        union all select at, b.id, b.second_faction from given join record.battle b
          on b.tournament_id = given.tournament_id and b.second_participant = given.id
          where b.second_list is null and b.second_faction <> given.faction) conflict
      order by at, id`,
    values: [
      listed.map(({ tournament }) => tournament),
      listed.map(({ id }) => id),
      listed.map(({ faction }) => faction),
    ],
  });
  const problems = rows.flatMap((conflict) => {
    const entry = listed[conflict.at - 1];
    if (!entry) return [];
    const path = `${elementPath(entry.change, 'participants', entry.index)}list.faction`;
    const played = `the faction played in battle "${conflict.id}" ("${conflict.faction}")`;
    return [expected(path, played, entry.faction)];
  });
  if (problems.length > 0) throw new RecordRefusal(problems);
}
