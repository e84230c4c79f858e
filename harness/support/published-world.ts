import type { ArmyList } from '../../src/contract/army-list.ts';
import type { Battle, BattleDetail, BattlePlayer } from '../../src/contract/battle.ts';
import type { Club } from '../../src/contract/club.ts';
import { club as exampleClub } from './example-world.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { BoardRow, Standings } from '../../src/contract/standings.ts';
import type { Stage, Tournament } from '../../src/contract/tournament.ts';
import type { Pool } from '../../src/database/pool.ts';
import { type PageOnlyStandings, storedStandings, type TournamentView } from '../../src/published/views.ts';

/**
 * Sizes of a world of documents in the shapes of the contract, written directly into `published`, for tests
 * of the server. The server does not depend on how documents are made. The same sizes always give the same
 * world.
 */
export interface WorldSize {
  tournaments: number;
  players: number;
  clubs: number;
  /** Battles of each tournament. */
  battles: number;
  participants: number;
  casualBattles: number;
}

const usual: WorldSize = {
  tournaments: 60,
  players: 40,
  clubs: 5,
  battles: 24,
  participants: 16,
  casualBattles: 30,
};

export async function publishWorld(pool: Pool, given: Partial<WorldSize> = {}): Promise<Rows> {
  const rows = worldRows({ ...usual, ...given });
  await insertRows(pool, rows);
  return rows;
}

export interface Rows {
  club: { slug: string; revision: number; document: string; sort_key: string }[];
  player: { id: string; revision: number }[];
  tournament: {
    slug: string;
    start_date: string;
    status: string;
    organizer: string | null;
    last_day: string;
    stages: string[];
    default_stage: string | null;
    derivation: number;
    battle_derivation: number;
    revision: number;
    document: string;
    view: string;
  }[];
  standings: {
    tournament: string;
    stage: string;
    document: string;
    view: string;
    entries: string[];
    rounds: number[];
  }[];
  participant: {
    tournament: string;
    sort_key: string;
    id: string;
    document: string;
    list_order: number;
    result: string;
  }[];
  battle: BattleRow[];
  battle_detail: { id: string; document: string }[];
  player_battle: (Place & { player: string })[];
  club_battle: (Place & { club: string })[];
  player_tournament: {
    player: string;
    start_date: string;
    tournament: string;
    plays: boolean;
    organizes: boolean;
    is_placed: boolean;
    won: number;
    drawn: number;
    lost: number;
  }[];
}

interface Place {
  date: string;
  stage_order: number;
  round: number;
  battle: string;
}

interface BattleRow extends Omit<Place, 'battle'> {
  id: string;
  tournament: string | null;
  players: string[];
  clubs: string[];
  revision: number;
  document: string;
}

export function noRows(): Rows {
  return {
    club: [],
    player: [],
    tournament: [],
    standings: [],
    participant: [],
    battle: [],
    battle_detail: [],
    player_battle: [],
    club_battle: [],
    player_tournament: [],
  };
}

export async function insertRows(pool: Pick<Pool, 'query'>, rows: Partial<Rows>): Promise<void> {
  for (const [table, records] of Object.entries(rows)) {
    // Other columns are null, because only the pages show them.
    const columns = Object.keys(records[0] ?? {}).join(', ');
    for (let start = 0; start < records.length; start += 5_000) {
      await pool.query(
        `insert into published.${table} (${columns})
          select ${columns} from json_populate_recordset(null::published.${table}, $1)`,
        [JSON.stringify(records.slice(start, start + 5_000))],
      );
    }
  }
}

function worldRows(size: WorldSize): Rows {
  const rows = noRows();
  for (let i = 0; i < size.clubs; i += 1) addClub(rows, club({ slug: clubSlug(i) }));
  for (let i = 0; i < size.players; i += 1) rows.player.push({ id: playerId(i), revision: revision() });
  for (let i = 0; i < size.tournaments; i += 1) {
    const organizer = i % 4 === 3 ? null : clubSlug(i % size.clubs);
    const date = i % 9 === 8 ? null : dayOf(i);
    const slug = `event-${i}`;
    const status = (['finished', 'finished', 'ongoing', 'planned'] as const)[i % 4] ?? 'planned';
    addTournament(rows, tournament({ slug, status, startDate: date, endDate: date, organizer }));
    for (let k = 0; k < size.participants; k += 1) {
      const who = (i + k) % size.players;
      addParticipant(rows, slug, `e${k}`, participant({ player: `Player ${who}`, playerId: playerId(who) }));
    }
    for (let k = 0; k < size.battles; k += 1) {
      const sides = [(i + k) % size.players, (i + k + 1) % size.players];
      addBattle(
        rows,
        battle(`b_${i}_${k}`, { tournament: slug, date, round: 1 + (k % 5), players: sides.map(side) }),
        organizer === null ? [] : [organizer],
      );
    }
  }
  for (let k = 0; k < size.casualBattles; k += 1) {
    const casual = {
      tournament: null,
      stage: null,
      round: null,
      date: k % 7 === 6 ? null : dayOf(k),
      players: [side(k % size.players), guestSide],
    };
    addBattle(rows, battle(`c_${k}`, casual), [clubSlug(k % size.clubs)]);
  }
  return rows;
}

export function addClub(rows: Rows, document: Club): void {
  rows.club.push({
    slug: document.slug,
    revision: revision(),
    document: stored(document),
    sort_key: document.name.toLowerCase(),
  });
}

export function addTournament(rows: Rows, document: Tournament, standings = standingsOf(document)): void {
  rows.tournament.push({
    slug: document.slug,
    start_date: document.startDate ?? '-infinity',
    status: document.status,
    organizer: document.organizer,
    last_day: 'infinity',
    stages: document.stages.map((stage) => stage.id),
    default_stage: document.stages.at(-1)?.id ?? null,
    derivation: 1,
    battle_derivation: 1,
    revision: revision(),
    document: stored(document),
    view: JSON.stringify(viewOf(document)),
  });
  for (const each of standings) {
    rows.standings.push({
      tournament: document.slug,
      stage: each.stage.id,
      document: JSON.stringify(each),
      view: storedStandings(emptyBoard(each)),
      entries: each.data.map(() => ''),
      rounds: [1],
    });
  }
}

/** Returns a view in which nothing is being played, even if the tournament is running. */
function viewOf({ status, stages }: Tournament): TournamentView {
  return {
    hasFactions: false,
    stages: stages.map(({ id }) => ({ id, begun: 0, byes: [] })),
    ...(status === 'ongoing' && { now: [] }),
    latest: [],
  };
}

const emptyBoard = ({ data }: Standings): PageOnlyStandings => ({
  type: 'board',
  tieBreaks: [],
  rows: data.map(() => ({})),
});

export function addParticipant(rows: Rows, slug: string, id: string, document: Participant): void {
  rows.participant.push({
    tournament: slug,
    sort_key: document.player.toLowerCase(),
    id,
    document: JSON.stringify(document),
    list_order: 0,
    result: '{}',
  });
}

/**
 * Adds twelve participants with lists of a megabyte, more than the kernel takes for a caller who does not
 * read.
 */
export function addHeavyTournament(rows: Rows): void {
  addTournament(rows, tournament({ slug: 'heavy' }));
  for (let i = 0; i < 12; i += 1) {
    const list = { ...listWithoutText, text: String(i % 10).repeat(1_000_000) };
    addParticipant(rows, 'heavy', `e${i}`, participant({ player: `Player ${i}`, list }));
  }
}

export const listWithoutText = {
  faction: 'Lanternsworn',
  subFaction: '',
  points: 2_000,
  battleTacticCards: [],
};

function addBattle(rows: Rows, document: BattleDetail, clubs: string[]): void {
  const place = {
    date: document.date ?? '-infinity',
    stage_order: document.tournament === null ? 0 : 1,
    round: document.round ?? 0,
  };
  const players = document.players.flatMap((each) => (each.playerId === null ? [] : [each.playerId]));
  rows.battle.push({
    id: document.id,
    tournament: document.tournament,
    ...place,
    players,
    clubs,
    revision: revision(),
    document: stored(listing(document)),
  });
  rows.battle_detail.push({ id: document.id, document: stored(document) });
  for (const player of new Set(players)) rows.player_battle.push({ player, ...place, battle: document.id });
  for (const each of clubs) rows.club_battle.push({ club: each, ...place, battle: document.id });
}

function listing(document: BattleDetail): Battle {
  const players = document.players.map(({ list: _list, rounds: _rounds, ...shown }): BattlePlayer => shown);
  return { ...document, players };
}

/** Returns the document up to the address, which the server adds. */
function stored({ url: _url, ...document }: { url: string }): string {
  return JSON.stringify({ ...document, url: '' }).slice(0, -'"}'.length);
}

const site = 'https://wartable.example';

export function club(fields: Partial<Club> & { slug: string }): Club {
  return {
    ...exampleClub,
    name: `Club ${fields.slug}`,
    description: 'Tables every Thursday.',
    city: null,
    country: 'Portugal',
    members: 12,
    website: null,
    url: `${site}/clubs/${fields.slug}`,
    ...fields,
  };
}

export function tournament(fields: Partial<Tournament> & { slug: string }): Tournament {
  const swiss: Stage = { id: 'swiss', name: 'Swiss Stage', type: 'board', rounds: 5 };
  const merged: Stage = { id: 'standings', name: 'Final Standings', type: 'board' };
  return {
    name: `Event ${fields.slug}`,
    status: 'finished',
    startDate: '2026-03-14',
    endDate: '2026-03-15',
    description: 'Five rounds.',
    city: 'Aveiro',
    country: 'Portugal',
    players: 16,
    rounds: 5,
    battleSize: 2000,
    battlePack: null,
    organizer: null,
    tournamentOrganizers: [],
    stages: (fields.status ?? 'finished') === 'finished' ? [swiss, merged] : [swiss],
    url: `${site}/tournaments/${fields.slug}`,
    ...fields,
  };
}

/** Returns the standings of all stages, which are boards in this world. */
function standingsOf(document: Tournament): Standings[] {
  return document.stages.map(({ id, name }) => ({
    stage: { id, name, type: 'board' },
    data: [boardRow(1), boardRow(2)],
  }));
}

function boardRow(rank: number): BoardRow {
  return {
    rank,
    player: `Player ${rank}`,
    playerId: playerId(rank),
    faction: 'Lanternsworn',
    battlePoints: 10 - rank,
    wins: 3,
    draws: 0,
    losses: 2,
    victoryPoints: 90.5,
    victoryPointsDiff: -3,
  };
}

export function participant(fields: Partial<Participant> & { player: string }): Participant {
  return {
    playerId: null,
    club: null,
    group: null,
    dropped: false,
    finalPlacement: null,
    list: null,
    ...fields,
  };
}

const armyList: ArmyList = {
  faction: 'Lanternsworn',
  subFaction: 'Beacon Watch',
  points: 1990,
  battleTacticCards: ['Swift Crossing'],
  text: 'Lanternsworn\n\n10 Wick Guard (160)\nTotal: 1990/2000',
};

type Side = BattleDetail['players'][number];

const guestSide: Side = {
  player: 'Maren',
  playerId: null,
  faction: null,
  subFaction: null,
  outcome: 'draw',
  battlePoints: null,
  victoryPoints: 20,
  drops: null,
  role: null,
  metrics: {},
  list: null,
  rounds: [],
};

function side(who: number): Side {
  return { ...guestSide, player: `Player ${who}`, playerId: playerId(who), list: armyList };
}

export function battle(id: string, fields: Partial<BattleDetail> = {}): BattleDetail {
  return {
    id,
    date: '2026-03-14',
    tournament: 'event-0',
    stage: 'swiss',
    round: 1,
    scenario: null,
    battlePack: null,
    battleSize: 2000,
    winner: null,
    victorySize: null,
    players: [side(0), guestSide],
    url: `${site}/battles/${id}`,
    ...fields,
  };
}

function clubSlug(i: number): string {
  return `club-${i}`;
}

function playerId(i: number): string {
  return `p_${i}`;
}

/** Returns a date. Groups of three tournaments share one, so that the rest of the sort key decides. */
export function dayOf(i: number): string {
  return new Date(Date.UTC(2024, 0, 1) + Math.floor(i / 3) * 86_400_000).toISOString().slice(0, 10);
}

let lastRevision = 1_000;
function revision(): number {
  lastRevision += 1;
  return lastRevision;
}
