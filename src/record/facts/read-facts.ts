// Reads the facts for the publisher: all of one tournament, or of many, always with about a dozen statements. In a
// repeatable-read transaction all statements see the same moment.
import type { ClientBase } from 'pg';
import type { Pool } from '../../database/pool.ts';
import type {
  AdjustmentFacts,
  BattlePackFacts,
  ByeFacts,
  ClubFacts,
  MatchFacts,
  ParticipantFacts,
  Person,
  StageFacts,
  TournamentFacts,
} from './facts.ts';
import { club as clubTable, tournamentTables } from '../tables.ts';
import { factColumns, storedColumns } from './fact-columns.ts';
import { readBattlePacks } from './read-battle-packs.ts';
import { tournamentBattle, type BattleRow } from './read-battles.ts';
import { type TournamentHeader, tournamentHeaderColumns } from './tournament-header.ts';

/**
 * In no particular order. Leaves out slugs that are not recorded. With `onlyBattles`, it reads only these battles and
 * only the lists of their participants.
 */
export async function readTournaments(
  client: ClientBase,
  slugs: string[],
  onlyBattles?: string[],
): Promise<TournamentFacts[]> {
  const packs = await readBattlePacks(client);
  const tournaments = await readHeaders(client, slugs, packs);
  const ids = [...tournaments.keys()];
  if (ids.length === 0) return [];
  const of = (row: { tournament_id: number }): TournamentFacts => {
    const facts = tournaments.get(row.tournament_id);
    if (!facts) throw new Error(`no header of tournament ${row.tournament_id}`);
    return facts;
  };
  for (const row of await readOrganizers(client, ids)) of(row).tournamentOrganizers.push(person(row));
  for (const row of await readGroups(client, ids)) of(row).groups.push(row.name);
  for (const row of await readParticipants(client, ids, onlyBattles))
    of(row).participants.push(participant(row));
  for (const row of await readStages(client, ids)) of(row).stages.push(stage(row, of(row)));
  for (const { tournament_id, ...bye } of await readByes(client, ids)) of({ tournament_id }).byes.push(bye);
  for (const { tournament_id, ...adjustment } of await readAdjustments(client, ids)) {
    of({ tournament_id }).adjustments.push(adjustment);
  }
  await readBattles(client, ids, of, packs, onlyBattles);
  for (const { tournament_id, ...match } of await readMatches(client, ids)) {
    of({ tournament_id }).matches.push(match);
  }
  return [...tournaments.values()];
}

/** How many battles each of these tournaments has. */
export async function countBattles(pool: Pool, slugs: string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ slug: string; battles: number }>({
    text: `select t.slug, count(b.id)::integer as battles
      from record.tournament t left join record.battle b on b.tournament_id = t.id
      where t.slug = any($1::text[]) group by t.slug`,
    values: [slugs],
  });
  return new Map(rows.map((row) => [row.slug, row.battles]));
}

export async function readClubs(client: ClientBase, slugs: string[]): Promise<ClubFacts[]> {
  const { rows } = await client.query<ClubFacts>({
    text: `select ${factColumns(clubTable)} from record.club where slug = any($1::text[]) order by slug`,
    values: [slugs],
  });
  return rows;
}

export async function readPlayers(client: ClientBase, ids: string[]): Promise<Person[]> {
  const { rows } = await client.query<PersonRow>({
    text: 'select id as player, name, erased from record.player where id = any($1::text[])',
    values: [ids],
  });
  return rows.map(person);
}

async function readHeaders(
  client: ClientBase,
  slugs: string[],
  packs: Map<string, BattlePackFacts>,
): Promise<Map<number, TournamentFacts>> {
  const { rows } = await client.query<TournamentHeader & { id: number }>({
    text: `select id, ${tournamentHeaderColumns}
      from record.tournament where slug = any($1::text[])`,
    values: [slugs],
  });
  return new Map(
    rows.map(({ id, ...header }) => [
      id,
      {
        ...header,
        battlePack: packs.get(header.battlePack ?? '') ?? null,
        tournamentOrganizers: [],
        groups: [],
        stages: [],
        participants: [],
        byes: [],
        adjustments: [],
        battles: [],
        matches: [],
      },
    ]),
  );
}

interface PersonRow {
  player: string | null;
  name: string | null;
  erased: boolean | null;
}
const person = ({ player, name, erased }: PersonRow): Person => ({
  playerId: player,
  // An erased guest has the empty name.
  name: name || null,
  erased: erased ?? name === '',
});

const readOrganizers = (client: ClientBase, ids: number[]) =>
  read<PersonRow & { tournament_id: number }>(
    client,
    `select o.tournament_id, o.player, p.name, p.erased from record.tournament_organizer o
      join record.player p on p.id = o.player where o.tournament_id = any($1::integer[])
      order by o.tournament_id, o.player`,
    ids,
  );

const readGroups = (client: ClientBase, ids: number[]) =>
  read<{ tournament_id: number; name: string }>(
    client,
    `select tournament_id, name from record.tournament_group where tournament_id = any($1::integer[])
      order by tournament_id, position`,
    ids,
  );

interface ParticipantRow extends PersonRow {
  tournament_id: number;
  id: string;
  club: string | null;
  group: string | null;
  dropped: boolean;
  noShow: boolean;
  faction: string | null;
  finalPlacement: number | null;
  lot: number;
  listed: boolean;
  subFaction: string;
  /** These three are null in an erased list. */
  points: number;
  battleTacticCards: string[];
  text: string | null;
}

const readParticipants = (client: ClientBase, ids: number[], onlyBattles?: string[]) =>
  read<ParticipantRow>(
    client,
    `select p.tournament_id, p.id, p.player, coalesce(p.name, q.name) as name, q.erased, p.club, p.group_name as "group",
        p.dropped, p.no_show as "noShow", p.faction, p.final_placement as "finalPlacement", p.lot,
        l.participant is not null as listed, l.sub_faction as "subFaction", l.points,
        l.battle_tactic_cards as "battleTacticCards", l.text
      from record.participant p left join record.player q on q.id = p.player
      left join record.participant_list l on l.tournament_id = p.tournament_id and l.participant = p.id
        ${onlyBattles ? `and p.id in (${participantsOfBattles})` : ''}
      where p.tournament_id = any($1::integer[]) order by p.tournament_id, p.id`,
    ids,
    onlyBattles,
  );

const participantsOfBattles = `select unnest(array[first_participant, second_participant]) from record.battle
  where id = any($2::text[])`;

function participant(row: ParticipantRow): ParticipantFacts {
  const { id, club, group, dropped, noShow, faction, finalPlacement, lot } = row;
  const { subFaction, points, battleTacticCards, text } = row;
  const rest = text === null ? {} : { points, battleTacticCards, text };
  const list = row.listed ? { faction: faction ?? '', subFaction, ...rest } : null;
  return { id, ...person(row), club, group, dropped, noShow, faction, list, finalPlacement, lot };
}

interface StageRow extends Omit<StageFacts, 'members'> {
  tournament_id: number;
  members: StageFacts['members'] | null;
}

const readStages = (client: ClientBase, ids: number[]) =>
  read<StageRow>(
    client,
    `select s.tournament_id, s.id, s.label, s.type, s.phase, s.rounds, s.grouped, s.carries_over as "carriesOver",
        s.everybody, (
          select jsonb_agg(jsonb_build_object('participant', m.participant, 'seed', m.seed) order by m.participant)
          from record.stage_member m where m.tournament_id = s.tournament_id and m.stage = s.id) as members
      from record.stage s where s.tournament_id = any($1::integer[]) order by s.tournament_id, s.position`,
    ids,
  );

function stage(row: StageRow, { participants }: TournamentFacts): StageFacts {
  const { tournament_id: _, members, ...facts } = row;
  if (!facts.everybody) return { ...facts, members: members ?? [] };
  return { ...facts, members: participants.map(({ id }) => ({ participant: id, seed: null })) };
}

const points = (table: string): string => `${table}.battle_points::float8 as "battlePoints",
  ${table}.victory_points::float8 as "victoryPoints", ${table}.victory_points_diff::float8 as "victoryPointsDiff"`;

const readByes = (client: ClientBase, ids: number[]) =>
  read<ByeFacts & { tournament_id: number }>(
    client,
    `select b.tournament_id, b.stage, b.round, b.participant, b.win, ${points('b')}
      from record.bye b join record.stage s on s.tournament_id = b.tournament_id and s.id = b.stage
      where b.tournament_id = any($1::integer[]) order by b.tournament_id, s.position, b.round, b.participant`,
    ids,
  );

const readAdjustments = (client: ClientBase, ids: number[]) =>
  read<AdjustmentFacts & { tournament_id: number }>(
    client,
    `select a.tournament_id, a.stage, a.participant, ${points('a')}, a.reason
      from record.adjustment a where a.tournament_id = any($1::integer[]) order by a.tournament_id, a.position`,
    ids,
  );

async function readBattles(
  client: ClientBase,
  ids: number[],
  of: (row: { tournament_id: number }) => TournamentFacts,
  packs: Map<string, BattlePackFacts>,
  onlyBattles?: string[],
): Promise<void> {
  const rows = await read<BattleRow & { tournament_id: number }>(
    client,
    `select ${storedColumns(tournamentTables.battles, 'b')} from record.battle b
      join record.stage s on s.tournament_id = b.tournament_id and s.id = b.stage
      where b.tournament_id = any($1::integer[]) ${onlyBattles ? 'and b.id = any($2::text[])' : ''}
      order by b.tournament_id, s.position, b.round, b.id`,
    ids,
    onlyBattles,
  );
  const people = new Map<TournamentFacts, Map<string, ParticipantFacts>>();
  for (const row of rows) {
    const facts = of(row);
    const known = people.get(facts) ?? new Map(facts.participants.map((each) => [each.id, each]));
    people.set(facts, known);
    facts.battles.push(tournamentBattle(row, facts, known, packs));
  }
}

const readMatches = (client: ClientBase, ids: number[]) =>
  read<MatchFacts & { tournament_id: number }>(
    client,
    `select m.tournament_id, m.stage, m.round, m.position, m.name, m.table_number as table,
        array_remove(array[m.first_participant, m.second_participant], null) as players, m.winner, m.battle
      from record.match m join record.stage s on s.tournament_id = m.tournament_id and s.id = m.stage
      where m.tournament_id = any($1::integer[]) order by m.tournament_id, s.position, m.round, m.position`,
    ids,
  );

async function read<Read extends object>(
  client: ClientBase,
  text: string,
  ids: number[],
  onlyBattles?: string[],
) {
  const { rows } = await client.query<Read>({ text, values: onlyBattles ? [ids, onlyBattles] : [ids] });
  return rows;
}
