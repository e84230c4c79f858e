import type { ClientBase } from 'pg';
import {
  guestInDocument,
  nameFrom,
  nameInDocument,
  playerInDocument,
  playersInDocument,
} from './site-rows/in-documents.ts';
import {
  type PlayerTournamentKey,
  readPlayerTournaments,
  type StoredPlayers,
} from './site-rows/player-tournaments.ts';
import { factionsDigest } from './site-rows/tournament-factions.ts';

// Reads what is published now, as far as compare.ts needs it: digests instead of documents.

export interface StoredTournament {
  startDate: string;
  lastDay: string;
  status: string;
  organizer: string | null;
  stages: string[];
  defaultStage: string | null;
  derivation: number;
  battleDerivation: number;
  revision: bigint;
  digest: string;
  /** The digest of the view. */
  view: string;
  /** Undefined if no name can be read from the document. */
  name: string | undefined;
  /** The digests of the standings by stage. They include what is stored beside the document. */
  standings: Map<string, string>;
  /** The participants by id. Undefined if they were not read. */
  participants: Map<string, StoredParticipant> | undefined;
  /** The players by id. Empty if participants were not read. */
  players: StoredPlayers;
  /** The digest of what the tournament adds to the faction statistics. Null if it adds nothing. */
  factions: string | null;
  battles: Map<string, StoredBattle>;
}

interface StoredParticipant {
  sortKey: string;
  digest: string;
  /** The name of a guest, or null for anybody else. */
  guest: string | null;
}

export interface StoredBattle {
  id: string;
  tournament: string | null;
  date: string;
  stageOrder: number;
  round: number;
  players: string[];
  clubs: string[];
  table: number | null;
  entries: (string | null)[];
  revision: bigint;
  listing: string;
  full: string | null;
}

/** Says how much of a tournament to read. */
interface StoredOptions {
  /** The ids of the battles to read. The default is all of them. */
  onlyBattles?: string[];
  /** The default is true. */
  withParticipants?: boolean;
  /** Also checks that lists have the rows that the rows of battles promise. */
  isThorough?: boolean;
}

/**
 * Reads the tournaments that are published. A tournament whose own row was deleted by hand counts as
 * published as long as other rows of it are left, so that the comparison removes or replaces them.
 */
export async function readStoredTournaments(
  client: ClientBase,
  slugs: string[],
  { onlyBattles, withParticipants = true, isThorough }: StoredOptions = {},
): Promise<Map<string, StoredTournament>> {
  const { rows } = await client.query<StoredRow>({
    text: `select slug, start_date::text as "startDate", last_day::text as "lastDay", status, organizer, stages, default_stage as "defaultStage",
        derivation, battle_derivation as "battleDerivation", revision, md5(document) as digest, md5(view) as view, ${nameInDocument} as name, ${playersInDocument} as organizers,
        ${factionsDigest} as factions
      from published.tournament where slug = any($1::text[])`,
    values: [slugs],
  });
  const stored = new Map<string, StoredTournament>();
  const seen = rows.flatMap(({ slug, startDate, organizers }) =>
    organizers.map((player) => ({ tournament: slug, startDate, player })),
  );
  for (const { slug, revision, organizers: _, ...row } of rows) {
    stored.set(slug, {
      ...withoutHead(withParticipants),
      ...row,
      name: nameFrom(row.name),
      revision: BigInt(revision),
    });
  }
  const headless = slugs.filter((slug) => !stored.has(slug));
  for (const slug of headless) stored.set(slug, withoutHead(withParticipants));
  await readStandings(client, slugs, stored);
  if (withParticipants) {
    seen.push(...(await readParticipants(client, slugs, stored)));
    for (const { tournament, ...row } of await readPlayerTournaments(client, seen)) {
      stored.get(tournament)?.players.set(row.player, row);
    }
  }
  const battles =
    onlyBattles === undefined
      ? await readStoredBattles(client, 'tournament', slugs, isThorough)
      : await readStoredBattles(client, 'id', onlyBattles, isThorough);
  for (const battle of battles) stored.get(battle.tournament ?? '')?.battles.set(battle.id, battle);
  for (const slug of headless) if (isEmpty(stored.get(slug))) stored.delete(slug);
  return stored;
}

/** Returns what to compare with if only other rows of the tournament are left. */
function withoutHead(withParticipants: boolean): StoredTournament {
  return {
    startDate: '-infinity',
    lastDay: '-infinity',
    status: '',
    organizer: null,
    stages: [],
    defaultStage: null,
    derivation: 0,
    battleDerivation: 0,
    revision: 0n,
    digest: '',
    view: '',
    name: undefined,
    standings: new Map(),
    participants: withParticipants ? new Map() : undefined,
    players: new Map(),
    factions: null,
    battles: new Map(),
  };
}

function isEmpty(stored: StoredTournament | undefined): boolean {
  const parts = [stored?.standings, stored?.participants, stored?.battles];
  return parts.every((part) => part === undefined || part.size === 0);
}

export async function readStoredBattles(
  client: ClientBase,
  by: 'id' | 'tournament',
  keys: string[],
  isThorough = false,
): Promise<StoredBattle[]> {
  const { rows } = await client.query<BattleRow>({
    text: `${selectBattles(isThorough)} where b.${by} = any($1::text[])`,
    values: [keys],
  });
  return rows.map((row) => ({ ...row, revision: BigInt(row.revision) }));
}

/**
 * Returns the tournaments of these battles as published, null for a casual battle. Unpublished battles are
 * absent.
 */
export async function readTournamentsOf(
  client: ClientBase,
  ids: string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; tournament: string | null }>({
    text: 'select id, tournament from published.battle where id = any($1::text[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, tournament }) => [id, tournament]));
}

type StoredRow = Omit<
  StoredTournament,
  'name' | 'revision' | 'standings' | 'participants' | 'players' | 'battles'
> & {
  slug: string;
  name: string | null;
  revision: string;
  organizers: string[];
};

type BattleRow = Omit<StoredBattle, 'revision'> & { revision: string };

const selectBattles = (isThorough: boolean) => `
  select b.id, b.tournament, b.date::text as date, b.stage_order as "stageOrder", b.round,
    ${isThorough ? `${ownersWithRow('player')} as players, ${ownersWithRow('club')} as clubs` : 'b.players, b.clubs'},
    b.table_number as "table", array[b.first_entry, b.second_entry] as entries, b.revision, md5(b.document) as listing, md5(d.document) as "full"
  from published.battle b left join published.battle_detail d on d.id = b.id`;

/** SQL for those of a battle's players or clubs whose list has a row for it. */
const ownersWithRow = (owner: 'player' | 'club') => `
  array(select one.owner from unnest(b.${owner}s) with ordinality as one (owner, position)
    where exists (select from published.${owner}_battle x where x.${owner} = one.owner and x.date = b.date
      and x.stage_order = b.stage_order and x.round = b.round and x.battle = b.id)
    order by one.position)`;

async function readStandings(
  client: ClientBase,
  slugs: string[],
  stored: Map<string, StoredTournament>,
): Promise<void> {
  const { rows } = await client.query<{ tournament: string; stage: string; digest: string }>({
    text: `select tournament, stage, md5(concat_ws(e'\\n', document, view, array_to_string(entries, ','),
        array_to_string(rounds, ','), coalesce(pairings, ''))) as digest
      from published.standings where tournament = any($1::text[])`,
    values: [slugs],
  });
  for (const { tournament, stage, digest } of rows) stored.get(tournament)?.standings.set(stage, digest);
}

async function readParticipants(
  client: ClientBase,
  slugs: string[],
  stored: Map<string, StoredTournament>,
): Promise<PlayerTournamentKey[]> {
  const { rows } = await client.query<ParticipantRow>({
    text: `select tournament, id, sort_key as "sortKey", ${playerInDocument} as player, ${guestInDocument} as guest,
        md5(concat_ws(e'\\n', document, list_order, result)) as digest
      from published.participant where tournament = any($1::text[])`,
    values: [slugs],
  });
  return rows.flatMap(({ tournament, id, player, guest, ...rest }) => {
    const known = stored.get(tournament);
    known?.participants?.set(id, { ...rest, guest: nameFrom(guest) ?? null });
    return known && player !== null ? [{ tournament, startDate: known.startDate, player }] : [];
  });
}

interface ParticipantRow extends StoredParticipant {
  tournament: string;
  id: string;
  player: string | null;
}
