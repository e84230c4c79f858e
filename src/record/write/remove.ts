// Removes things. A thing that something refers to is not removed, and the refusal names what refers to it.
// Removing a thing that is not recorded does nothing.
import type { ClientBase } from 'pg';
import { knownTieBreaks } from '../feed/tournament-records.ts';
import type { RemoveRecord, RemoveThingRecord } from '../feed/records.ts';
import type { Warning } from '../feed/warning.ts';
import { expected, found, type Problem } from '../feed/problem.ts';
import { eraseDataOfPlayers } from '../people/erase.ts';
import { fitRankings } from './fit-rankings.ts';
import { findOwned, type OwnedThing, writeForeign } from '../sources/ownership.ts';
import type { Recording } from '../recording/recording.ts';
import { camel, type Table } from '../columns.ts';
import { tournamentParts, tournamentTables } from '../tables.ts';

export async function remove(recording: Recording, record: RemoveRecord): Promise<void> {
  const thing = await ownedThing(recording.client, record);
  if (thing === undefined || thing.owner === recording.source) return removeOwned(recording, record);
  await writeForeign(recording, record, thing, (trial) => removeOwned(trial, record));
}

async function ownedThing(client: ClientBase, record: RemoveRecord): Promise<OwnedThing | undefined> {
  if ('tournament' in record) return findOwned(client, 'tournament', record.tournament);
  // Removing a player erases them, and an erasure is obeyed from every source.
  return record.of === 'player' ? undefined : findOwned(client, record.of, record.id);
}

async function removeOwned(recording: Recording, record: RemoveRecord): Promise<void> {
  switch (record.of) {
    case 'club':
    case 'battlePack':
      return removeReferred(recording, record, record.of);
    case 'tournament':
      return removeTournament(recording, record);
    case 'battle':
      return removeBattle(recording, record);
    case 'player':
      return erasePlayer(recording, record);
    default:
      return removeElement(recording, record);
  }
}

const referrers = {
  club: {
    delete: 'delete from record.club where slug = $1',
    noun: 'a club that nothing refers to',
    asked: `(select format('tournament "%s"', slug) as what from record.tournament where organizer = $1 limit 1)
      union all (select format('participant "%s" of "%s"', p.id, t.slug) from record.participant p
        join record.tournament t on t.id = p.tournament_id where p.club = $1 limit 1)
      union all (select format('battle "%s"', id) from record.battle where club = $1 limit 1)
      union all (select format('battle "%s"', id) from record.battle where first_club = $1 limit 1)
      union all (select format('battle "%s"', id) from record.battle where second_club = $1 limit 1) limit 1`,
  },
  battlePack: {
    delete: 'delete from record.battle_pack where name = $1',
    noun: 'a battle pack that nothing refers to',
    asked: `(select format('tournament "%s"', slug) as what from record.tournament where battle_pack = $1 limit 1)
      union all (select format('battle "%s"', id) from record.battle where battle_pack = $1 limit 1) limit 1`,
  },
};

async function removeReferred(
  recording: Recording,
  record: RemoveThingRecord,
  of: keyof typeof referrers,
): Promise<void> {
  const { client, marks, known } = recording;
  const { asked, noun, delete: text } = referrers[of];
  const problem = await referred(client, asked, [record.id], noun, record.id);
  if (problem) return recording.refuse(record, [problem]);
  const { rowCount } = await client.query(text, [record.id]);
  known.forget();
  if (!rowCount) return;
  marks.add(of, record.id);
  recording.changed.add(record);
}

async function referred(
  client: ClientBase,
  asked: string,
  values: unknown[],
  noun: string,
  id: string,
): Promise<Problem | undefined> {
  const { rows } = await client.query<{ what: string }>(asked, values);
  if (!rows[0]) return undefined;
  const problem = expected('id', noun, id);
  return { ...problem, message: `${problem.message}, which ${rows[0].what} refers to` };
}

/**
 * Deletes the name, lists and reasons, but keeps the battles, because they are the opponent's battles, too.
 * An unknown player is recorded as erased, because a later feed may still name them.
 */
async function erasePlayer(recording: Recording, record: RemoveThingRecord): Promise<void> {
  const { client, marks, remarks } = recording;
  const { id } = record;
  const warnings = await namedWarnings(client, id);
  if (remarks.isStrict && warnings.length > 0) return recording.refuse(record, warnings);
  remarks.warnings.set(record, warnings);
  const text = `insert into record.player as p (id, name, erased, source) values ($1, null, true, $2)
    on conflict (id) do update set name = null, erased = true where not p.erased`;
  const { rowCount } = await client.query(text, [id, recording.source]);
  if (!rowCount) return;
  marks.add('player', id);
  recording.changed.add(record);
  await eraseDataOfPlayers(client, [id]);
}

/**
 * Warns if something published names the player. Other things are not removed while something refers to them,
 * so removing a player may be a mistake. The lateral join uses an index, because after a large import the
 * planner has no statistics yet.
 */
async function namedWarnings(client: ClientBase, id: string): Promise<Warning[]> {
  const { rows } = await client.query<{ tournaments: number; battles: number; first: string }>(
    `with entered as materialized (
        select p.tournament_id, p.id from record.participant p
        join record.tournament t on t.id = p.tournament_id and t.published where p.player = $1),
      named (is_tournament, what) as (
        select true, format('tournament "%s"', t.slug) from record.tournament t
          where t.published and t.id in (select tournament_id from entered
            union select tournament_id from record.tournament_organizer where player = $1)
        union all select false, format('battle "%s"', b.id) from entered cross join lateral (
          select id from record.battle where tournament_id = entered.tournament_id
            and entered.id in (first_participant, second_participant) offset 0) b
        union all select false, format('battle "%s"', id) from record.battle where first_player = $1
        union all select false, format('battle "%s"', id) from record.battle where second_player = $1)
      select (count(*) filter (where is_tournament))::integer as tournaments,
        (count(*) filter (where not is_tournament))::integer as battles,
        (array_agg(what order by is_tournament desc, what))[1] as first
      from named where exists (select from record.player where id = $1 and not erased) having count(*) > 0`,
    [id],
  );
  return rows.map(({ tournaments, battles, first }) => {
    const wanted = 'a player that nothing published names, because remove erases their name everywhere';
    const where = `${counted(tournaments, 'tournament')} and ${counted(battles, 'battle')}`;
    const message = `expected ${wanted}, found ${found(id)} in ${where}, such as ${first}`;
    return { kind: 'removed', path: 'id', message };
  });
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

async function removeTournament(recording: Recording, record: RemoveThingRecord): Promise<void> {
  const { client, marks, changed } = recording;
  const { id: slug } = record;
  const { rows } = await client.query<{ id: number }>(
    'select id from record.tournament where slug = $1 for update',
    [slug],
  );
  if (!rows[0]) return;
  for (const part of tournamentParts.toReversed()) {
    await client.query(`delete from ${tournamentTables[part].name} where tournament_id = $1`, [rows[0].id]);
  }
  await client.query('delete from record.tournament where id = $1', [rows[0].id]);
  marks.add('tournament', slug);
  changed.add(record);
}

async function removeBattle(recording: Recording, record: RemoveThingRecord): Promise<void> {
  const { client, marks } = recording;
  const asked = `select format('the match at %s, round %s, position %s', m.stage, m.round, m.position) as what
    from record.battle b join record.match m on m.tournament_id = b.tournament_id and m.battle = b.id
    where b.id = $1 limit 1`;
  const problem = await referred(client, asked, [record.id], 'a battle that no match refers to', record.id);
  if (problem) return recording.refuse(record, [problem]);
  const { rows } = await client.query<{ slug: string | null }>(
    `with gone as (delete from record.battle where id = $1 returning tournament_id)
      select t.slug from gone left join record.tournament t on t.id = gone.tournament_id`,
    [record.id],
  );
  if (!rows[0]) return;
  recording.changed.add(record);
  if (rows[0].slug === null) marks.add('battle', record.id);
  else marks.add('tournament', rows[0].slug, record.id);
}

const referrersOfParticipant = `
  (select format('battle "%s"', id) as what from record.battle
    where tournament_id = $1 and $2 in (first_participant, second_participant) order by id limit 1)
  union all (select 'a bye' from record.bye where tournament_id = $1 and participant = $2 limit 1)
  union all (select 'an adjustment' from record.adjustment where tournament_id = $1 and participant = $2 limit 1)
  union all (select 'stage ' || stage from record.stage_member where tournament_id = $1 and participant = $2 limit 1)
  union all (select format('the match at %s, round %s, position %s', stage, round, position) from record.match
    where tournament_id = $1 and $2 in (first_participant, second_participant) limit 1) limit 1`;

/**
 * Selects a tie-break that needs the ranking. The only ranking of a board must stay while the tournament has
 * tie-breaks that we do not know.
 */
const referrersOfRanking = `
  select format('the tie-break "%s"', tie_break) as what from record.tournament t cross join unnest(t.tie_breaks) tie_break
  where t.id = $1 and tie_break <> all($4::text[]) and (
    select array_agg(after_round) from record.ranking where tournament_id = $1 and stage = $2) = array[$3::integer] limit 1`;

const tables: Record<'participant' | 'bye' | 'match' | 'ranking', Table> = {
  participant: tournamentTables.participants,
  bye: tournamentTables.byes,
  match: tournamentTables.matches,
  ranking: tournamentTables.rankings,
};

async function removeElement(
  recording: Recording,
  record: Exclude<RemoveRecord, RemoveThingRecord>,
): Promise<void> {
  const { client, marks } = recording;
  const { rows } = await client.query<{ id: number }>(
    'select id from record.tournament where slug = $1 for no key update',
    [record.tournament],
  );
  const id = rows[0]?.id;
  if (id === undefined) return;
  if (record.of === 'participant') {
    const noun = 'a participant that nothing refers to';
    const problem = await referred(client, referrersOfParticipant, [id, record.id], noun, record.id);
    if (problem) return recording.refuse(record, [problem]);
    const text = 'delete from record.participant_list where tournament_id = $1 and participant = $2';
    await client.query(text, [id, record.id]);
  }
  if (record.of === 'ranking') {
    const { stage, afterRound } = record;
    const noun = 'a ranking that no tie-break needs';
    const values = [id, stage, afterRound, knownTieBreaks];
    const problem = await referred(client, referrersOfRanking, values, noun, `${stage} ${afterRound}`);
    if (problem) return recording.refuse(record, [{ ...problem, path: 'afterRound' }]);
  }
  const { name, key } = tables[record.of];
  const row: Record<string, unknown> = { ...record, tournamentId: id };
  const { rowCount } = await client.query(
    `delete from ${name} where ${key.map((column, at) => `${column} = $${at + 1}`).join(' and ')}`,
    key.map((column) => row[camel(column)]),
  );
  if (!rowCount) return;
  if (record.of === 'participant') await fitRankings(client, [id]);
  marks.add('tournament', record.tournament);
  recording.changed.add(record);
}
