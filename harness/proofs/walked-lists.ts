// Every list of the contract with its filters, and the rows that it must show, computed from the feed.
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { bigEvent, stages, type WalkedWorld } from './walked-world.ts';

export interface List {
  target: string;
  rowOf: (shown: Shown) => Row;
  /** Returns a number below 0 if the first of the two comes first, and 0 if nothing in the answer decides. */
  compare: (a: Row, b: Row) => number;
  /** The rows that are always there, in order. */
  expected: Row[];
}

export interface Row {
  id: string;
  /** The sort key, most significant first. */
  place: (string | number)[];
}

/** The members that list items in documents and in the feed have in common. */
export interface Shown {
  slug?: string;
  startDate?: string | null;
  id?: string;
  date?: string | null;
  stage?: string | null;
  round?: number | null;
  player?: string;
  playerId?: string | null;
}

const window = { from: '2024-01-03', to: '2024-01-12' };

export function walkedLists(world: WalkedWorld): Record<string, List> {
  const { tournaments } = world;
  const ofClub = tournaments.filter(({ organizer }) => organizer === 'club-0');
  const finished = tournaments.filter(({ status }) => status === 'finished');
  const battles = battlesIn(world);
  const ofEvent = battles.filter(({ tournament }) => tournament === bigEvent);
  const ofClub0 = battles.filter(({ clubs }) => clubs.includes('club-0'));
  const ofClub1 = battles.filter(({ clubs }) => clubs.includes('club-1'));
  const ofPlayer = battles.filter(({ players }) => players.includes('p_1'));
  const inWindow = `from=${window.from}&to=${window.to}`;
  return {
    tournaments: tournamentList('tournaments', tournaments),
    'tournaments by status': tournamentList('tournaments?status=finished', finished),
    'tournaments of a window': tournamentList(`tournaments?${inWindow}`, within(tournaments, window)),
    'tournaments of a club': tournamentList('clubs/club-0/tournaments', ofClub),
    'tournaments of a club and a window': tournamentList(
      `clubs/club-0/tournaments?${inWindow}`,
      within(ofClub, window),
    ),
    'participants of a tournament': participantList(world),
    'battles of a tournament': battleList(`tournaments/${bigEvent}/battles`, ofEvent),
    'battles of a club': battleList('clubs/club-1/battles', ofClub1),
    'battles of a club since a day': battleList(
      'clubs/club-0/battles?from=2024-01-02',
      within(ofClub0, { from: '2024-01-02' }),
    ),
    'battles of a club until a day': battleList(
      'clubs/club-0/battles?to=2024-01-08',
      within(ofClub0, { to: '2024-01-08' }),
    ),
    'battles of a player': battleList('users/p_1/battles', ofPlayer),
    'battles of a player and a window': battleList(`users/p_1/battles?${inWindow}`, within(ofPlayer, window)),
  };
}

function tournamentList(target: string, shown: Shown[]): List {
  const rowOf = ({ slug = '', startDate }: Shown): Row => ({ id: slug, place: [startDate ?? '', slug] });
  return list(target, rowOf, (a, b) => comparePlaces(b, a), shown.map(rowOf));
}

function battleList(target: string, shown: Shown[]): List {
  const rowOf = ({ id = '', date, stage, round }: Shown): Row => ({
    id,
    place: [date ?? '', stages.findIndex((each) => each.id === stage), round ?? 0, id],
  });
  return list(target, rowOf, (a, b) => comparePlaces(b, a), shown.map(rowOf));
}

/**
 * Participants with equal names are ordered by their id, which answers do not show. The input is already in
 * order.
 */
function participantList({ players, tournaments }: WalkedWorld): List {
  const nameOf = new Map(players.map(({ id, name }) => [id, name ?? '']));
  const rowOf = ({ player = '', playerId }: Shown): Row => ({
    id: playerId ?? player,
    place: [player.toLowerCase()],
  });
  const event = tournaments.find(({ slug }) => slug === bigEvent);
  const rows = (event?.participants ?? []).map(({ player }) =>
    rowOf({ player: nameOf.get(player ?? '') ?? '', playerId: player ?? null }),
  );
  return list(`tournaments/${bigEvent}/participants`, rowOf, comparePlaces, rows);
}

function list(target: string, rowOf: List['rowOf'], compare: List['compare'], rows: Row[]): List {
  return { target: `/api/v1/${target}`, rowOf, compare, expected: rows.toSorted(compare) };
}

function comparePlaces(a: Row, b: Row): number {
  for (const [index, left] of a.place.entries()) {
    const right = b.place[index] ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Returns the items inside the window. Items without a date are in no window. */
function within<T extends Shown>(shown: T[], { from = '', to = '9999-12-31' }): T[] {
  return shown.filter((each) => {
    const date = each.startDate ?? each.date ?? '';
    return date !== '' && date >= from && date <= to;
  });
}

interface WorldBattle extends Shown {
  tournament: string | null;
  players: string[];
  clubs: string[];
}

/** Returns all battles, each with the players and clubs whose lists show it. */
function battlesIn({ tournaments, casualBattles }: WalkedWorld): WorldBattle[] {
  const casual = casualBattles.map(({ id, date = null, club, sides }) => ({
    id,
    date,
    tournament: null,
    players: known(sides.map(({ player }) => player)),
    clubs: known([club]),
  }));
  return [...tournaments.flatMap(tournamentBattles), ...casual];
}

function tournamentBattles({
  slug,
  organizer,
  participants = [],
  battles = [],
}: TournamentRecord): WorldBattle[] {
  const entries = new Map(participants.map((each) => [each.id, each]));
  return battles.map(({ id, date = null, stage, round, sides }) => {
    const both = sides.map(({ participant }) => entries.get(participant));
    return {
      id,
      date,
      stage,
      round,
      tournament: slug,
      players: known(both.map((each) => each?.player)),
      clubs: known([organizer, ...both.map((each) => each?.club)]),
    };
  });
}

function known(names: (string | null | undefined)[]): string[] {
  return names.flatMap((name) => name ?? []);
}
