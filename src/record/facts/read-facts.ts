// Reads the facts of one tournament or of many for the publisher, always with about a dozen statements. In a
// repeatable-read transaction, all statements see the same moment.
import type { ClientBase } from 'pg';
import type { Pool } from '../../database/pool.ts';
import type {
  BattlePackFacts,
  ClubFacts,
  ParticipantFacts,
  Person,
  StageFacts,
  TournamentFacts,
} from './facts.ts';
import { integer, of, or, type Table, text } from '../columns.ts';
import { club, player, type StoredList, tournament, tournamentTables, type WholeList } from '../tables.ts';
import { readBattlePacks } from './read-battle-packs.ts';
import { arrivedOf, playerOrGuest, tournamentBattle } from './read-battles.ts';
import { readByKey, readFacts, readRows } from './read-table.ts';

/** The facts to read. The default is all. */
interface FactsOptions {
  /** Reads only these battles. */
  onlyBattles?: string[];
  /** Reads only the army lists of those who play in these battles. */
  onlyListsOf?: string[];
}

/** Returns the tournaments in no particular order. Slugs that are not recorded are left out. */
export async function readTournaments(
  client: ClientBase,
  slugs: string[],
  { onlyBattles, onlyListsOf }: FactsOptions = {},
): Promise<TournamentFacts[]> {
  const packs = await readBattlePacks(client);
  const tournaments = await readHeaders(client, slugs, packs);
  const ids = [...tournaments.keys()];
  if (ids.length === 0) return [];
  const find = (tournamentId: number | null): TournamentFacts => {
    const facts = tournaments.get(tournamentId ?? 0);
    if (!facts) throw new Error(`no header of tournament ${tournamentId}`);
    return facts;
  };
  const read = <Of extends Table>(table: Of, order: string, join = '') =>
    readFacts(client, table, [`${join} ${ofTournaments} order by t.tournament_id, ${order}`, [ids]]);
  const { groups, byes, adjustments, matches } = tournamentTables;
  for (const row of await readOrganizers(client, ids))
    find(row.tournamentId).tournamentOrganizers.push(playerOrGuest(row.player, row.name, row.erased));
  for (const row of await read(groups, 'position')) find(row.tournamentId).groups.push(row.name);
  const lists = await readLists(client, ids, onlyListsOf);
  for (const row of await readParticipants(client, ids)) {
    const { tournamentId, player: id, name, current, erased, ...facts } = row;
    const list = lists.get(`${tournamentId} ${facts.id}`);
    find(tournamentId).participants.push({
      ...facts,
      ...playerOrGuest(id, name ?? current, erased),
      list: list ? { faction: facts.faction ?? '', ...list } : null,
    });
  }
  for (const { tournamentId, position: _, members, ...facts } of await readStages(client, ids)) {
    const { participants, stages } = find(tournamentId);
    const everybody = () => participants.map(({ id }) => ({ participant: id, seed: null }));
    stages.push({ ...facts, members: facts.everybody ? everybody() : (members ?? []) });
  }
  for (const { tournamentId, ...ranking } of await readRankings(client, ids))
    find(tournamentId).rankings.push(ranking);
  for (const { tournamentId, ...bye } of await read(byes, 's.position, t.round, t.participant', withStage))
    find(tournamentId).byes.push(bye);
  for (const { tournamentId, position: _, ...facts } of await read(adjustments, 'position'))
    find(tournamentId).adjustments.push(facts);
  await readBattles(client, ids, find, packs, onlyBattles);
  for (const row of await read(matches, 's.position, t.round, t.position', withStage)) {
    const { tournamentId, firstParticipant, secondParticipant, ...match } = row;
    const players = [firstParticipant, secondParticipant].filter((each) => each !== null);
    find(tournamentId).matches.push({ ...match, players });
  }
  return [...tournaments.values()];
}

const ofTournaments = 'where t.tournament_id = any($1::integer[])';
const withStage = 'join record.stage s on s.tournament_id = t.tournament_id and s.id = t.stage';

/** Returns the number of battles of each of these tournaments. */
export async function countBattles(pool: Pool, slugs: string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ slug: string; battles: number }>({
    text: `select t.slug, count(b.id)::integer as battles
      from record.tournament t left join record.battle b on b.tournament_id = t.id
      where t.slug = any($1::text[]) group by t.slug`,
    values: [slugs],
  });
  return new Map(rows.map((row) => [row.slug, row.battles]));
}

/** Returns the clubs, sorted by slug. */
export const readClubs = async (client: ClientBase, slugs: string[]): Promise<ClubFacts[]> => [
  ...(await readByKey(client, club, slugs)).values(),
];

export async function readPlayers(client: ClientBase, ids: string[]): Promise<Person[]> {
  const players = await readByKey(client, player, ids);
  return [...players.values()].map(({ id, name, erased }) => playerOrGuest(id, name, erased));
}

async function readHeaders(
  client: ClientBase,
  slugs: string[],
  packs: Map<string, BattlePackFacts>,
): Promise<Map<number, TournamentFacts>> {
  const headers = await readByKey(client, tournament, slugs, { id: ['t.id', integer] });
  return new Map(
    [...headers.values()].map(({ id, ...header }) => [
      id,
      {
        ...header,
        battlePack: packs.get(header.battlePack ?? '') ?? null,
        tournamentOrganizers: [],
        groups: [],
        stages: [],
        participants: [],
        rankings: [],
        byes: [],
        adjustments: [],
        battles: [],
        matches: [],
      },
    ]),
  );
}

const readOrganizers = (client: ClientBase, ids: number[]) =>
  readFacts(
    client,
    tournamentTables.organizers,
    [`join record.player p on p.id = t.player ${ofTournaments} order by t.tournament_id, t.player`, [ids]],
    { name: ['p.name', player.columns.name], erased: ['p.erased', player.columns.erased] },
  );

/** Reads the participants. `current` is the present name of a registered player, and null for a guest. */
const readParticipants = (client: ClientBase, ids: number[]) =>
  readFacts(
    client,
    tournamentTables.participants,
    [`left join record.player q on q.id = t.player ${ofTournaments} order by t.tournament_id, t.id`, [ids]],
    { current: ['q.name', player.columns.name], erased: ['q.erased', or(player.columns.erased, null)] },
  );

/** Returns the lists by tournament and participant. */
async function readLists(
  client: ClientBase,
  ids: number[],
  battles?: string[],
): Promise<Map<string, StoredList>> {
  const some = `and t.participant in (select unnest(array[first_participant, second_participant])
    from record.battle where id = any($2::text[]))`;
  const rows = await readFacts(client, tournamentTables.lists, [
    `${ofTournaments} ${battles ? some : ''}`,
    battles ? [ids, battles] : [ids],
  ]);
  return new Map(
    rows.map(({ tournamentId, participant, ...list }) => [
      `${tournamentId} ${participant}`,
      isWhole(list) ? list : { subFaction: list.subFaction },
    ]),
  );
}

/** Returns true for a whole list, which always has a text. Only the sub-faction is left of an erased one. */
function isWhole<List extends { text: string | null }>(list: List): list is List & WholeList {
  return list.text !== null;
}

const readRankings = (client: ClientBase, ids: number[]) =>
  readFacts(
    client,
    tournamentTables.rankings,
    [`${withStage} ${ofTournaments} order by t.tournament_id, s.position, t.after_round`, [ids]],
    { results: ['t.results', text] },
  );

const readStages = (client: ClientBase, ids: number[]) =>
  readFacts(
    client,
    tournamentTables.stages,
    [`${ofTournaments} order by t.tournament_id, t.position`, [ids]],
    { members: [stageMembers, or(of<StageFacts['members']>('jsonb'), null)] },
  );

const stageMembers = `(select jsonb_agg(jsonb_build_object('participant', m.participant, 'seed', m.seed)
  order by m.participant) from record.stage_member m where m.tournament_id = t.tournament_id and m.stage = t.id)`;

async function readBattles(
  client: ClientBase,
  ids: number[],
  find: (tournamentId: number | null) => TournamentFacts,
  packs: Map<string, BattlePackFacts>,
  onlyBattles?: string[],
): Promise<void> {
  const some = onlyBattles ? 'and t.id = any($2::text[])' : '';
  const rows = await readRows(
    client,
    tournamentTables.battles,
    [
      `${withStage} ${ofTournaments} ${some} order by t.tournament_id, s.position, t.round, t.id`,
      onlyBattles ? [ids, onlyBattles] : [ids],
    ],
    { arrived: [arrivedOf('t'), or(text, null)] },
  );
  const people = new Map<TournamentFacts, Map<string, ParticipantFacts>>();
  for (const row of rows) {
    const facts = find(row.tournament_id);
    const known = people.get(facts) ?? new Map(facts.participants.map((each) => [each.id, each]));
    people.set(facts, known);
    facts.battles.push(tournamentBattle(row, facts, known, packs));
  }
}
