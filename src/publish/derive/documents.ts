// Turns facts into documents: the exact JSON text of every public resource, checked against the contract.
import { Battle, BattleDetail } from '../../contract/battle.ts';
import { Club } from '../../contract/club.ts';
import { Participant } from '../../contract/participant.ts';
import { Tournament } from '../../contract/tournament.ts';
import type {
  BattleFacts,
  ClubFacts,
  SideFacts,
  TournamentFacts,
  TournamentOutline,
} from '../../record/facts/facts.ts';
import {
  battleContext,
  battleResources,
  casual,
  clubsOf,
  playersOf,
  type BattleContext,
} from './documents/battle.ts';
import type { Ranked } from './boards/board.ts';
import { clubResource } from './documents/club.ts';
import { rowFactions } from './factions/faction.ts';
import { documentOf, unaddressedDocumentOf } from './fragments/checked-document.ts';
import { participantResource } from './documents/participant.ts';
import { alphabetically, guestName, shownEntry, shownName } from './fragments/people.ts';
import { type PlayerTournamentRow, playerTournaments } from './documents/player-tournaments.ts';
import { sortKey } from '../../text/fold.ts';
import { defaultStage } from './brackets/stages.ts';
import { type StandingsDocuments, standingsOf } from './standings.ts';
import { type TournamentFactions, tournamentFactions } from './factions/tournament-factions.ts';
import { tournamentResource } from './documents/tournament.ts';
import type { Outcome, Result, RowView } from '../../published/views.ts';

export interface TournamentDocuments {
  slug: string;
  name: string;
  startDate: string | null;
  status: 'planned' | 'ongoing' | 'finished';
  /** The slug of the club that runs the tournament. */
  organizer: string | null;
  country: string | null;
  /** The winner or leader as JSON, for lists. */
  leader: string | null;
  /**
   * The end date, otherwise the start date or the day of the last result, whichever is later. Null if there
   * is none of these. Only pages use it.
   */
  lastDay: string | null;
  /**
   * The latest day of a result: the day on which it arrived or, if that is unknown, on which it was played.
   */
  lastResult: string | null;
  /** The tournament resource as JSON. */
  document: string;
  /** The stage ids in the order shown, with `standings` if the tournament is finished. */
  stages: string[];
  /** The stage whose standings are sent when the caller names none. */
  defaultStage: string | null;
  /** The `TournamentView` as JSON. */
  view: string;
  standings: StandingsDocuments[];
  /** Rows for the pages of players. */
  players: PlayerTournamentRow[];
  /** The row for the pages of factions. Null if the tournament does not count. */
  factions: TournamentFactions | null;
  participants: ParticipantDocument[];
  battles: BattleDocuments[];
}

interface ParticipantDocument {
  id: string;
  sortKey: string;
  document: string;
  /** The name of a guest, for the search. Null for a registered or erased player. */
  guest: string | null;
  /**
   * The position in the list of a finished tournament, counted from 1. The list is ordered by placement, with
   * those who dropped out or never played at the end. 0 before the tournament is finished.
   */
  listOrder: number;
  /** The `Result` as JSON. */
  result: string;
}

export interface BattleDocuments {
  id: string;
  tournament: string | null;
  date: string | null;
  /** This and `round` are 0 in a casual battle. */
  stageOrder: number;
  round: number;
  /** The players whose lists show the battle: no guests, no erased players, and nobody if it is archived. */
  players: string[];
  /**
   * The faction and the outcome of each of these players, in the same order. Only the pages of players use
   * them.
   */
  playerSides: { faction: string | null; outcome: Outcome | null }[];
  /** Slugs of the clubs that the battle is connected to, sorted and without duplicates. */
  clubs: string[];
  /** The number of the table. Only the pages show it. */
  table: number | null;
  /** The participant ids of the two sides. Null for an erased player, and in a casual battle. */
  entries: [string | null, string | null];
  /** `listing` is the document for lists, `full` the one for the answer by id. */
  listing: string;
  full: string;
}

export function tournamentDocuments(facts: TournamentFacts): TournamentDocuments {
  const context = battleContext(facts);
  return {
    ...documentsWithoutBattles(facts),
    battles: facts.battles.map((battle) => battleDocuments(battle, context)),
  };
}

/** Derives everything of a tournament except the documents of its battles. It needs only battle totals. */
export function documentsWithoutBattles(facts: TournamentOutline): Omit<TournamentDocuments, 'battles'> {
  const { documents, finalPlacements, results } = withStandings(facts);
  return { ...documents, participants: participantDocuments(facts, finalPlacements, results) };
}

/**
 * Derives all documents that a result of a running tournament can change, except the battle's own. It needs
 * only battle totals. `players` are those whose rows the result can change.
 */
export function standingsDocuments(
  facts: TournamentOutline,
  players: ReadonlySet<string>,
): Omit<TournamentDocuments, 'participants' | 'battles'> {
  return withStandings(facts, players).documents;
}

function withStandings(facts: TournamentOutline, players?: ReadonlySet<string>) {
  const tournament = tournamentResource(facts);
  const factions = rowFactions(facts);
  const { standings, ranked, rows, leader, view } = standingsOf(facts, tournament.stages, factions);
  const finalPlacements = new Map(
    facts.placementsRecorded ? ranked.map(({ participant, rank }) => [participant.id, rank]) : [],
  );
  const results = resultsOf(facts, ranked, rows);
  const lastResult = lastResultOf(facts);
  const documents = {
    slug: facts.slug,
    name: facts.name,
    startDate: facts.startDate,
    status: facts.status,
    organizer: facts.organizer,
    country: facts.country,
    leader,
    lastDay: facts.endDate ?? laterDay(facts.startDate, lastResult),
    lastResult,
    document: asTournament(`tournament ${facts.slug}`, tournament),
    stages: tournament.stages.map(({ id }) => id),
    defaultStage: defaultStage(facts),
    view,
    standings,
    players: playerTournaments(facts, factions, { finalPlacements, results }, players),
    factions: tournamentFactions(facts, factions, ranked),
  };
  return { documents, finalPlacements, results };
}

/** Returns the results by participant, in the order of the list. A final placement counts after a drop-out, too. */
function resultsOf(
  { status }: TournamentOutline,
  ranked: readonly Ranked[],
  rows: readonly RowView[],
): Map<string, Result> {
  return new Map(
    ranked
      .map(({ participant, rank }, index) => {
        const { faction = null, wins = 0, draws = 0, losses = 0, isUnplaced = false } = rows[index] ?? {};
        const hasLeft = participant.dropped && status !== 'finished';
        const isLast = isUnplaced || participant.noShow || hasLeft;
        const result: Result = { rank: isUnplaced ? null : rank, faction, wins, draws, losses };
        return { id: participant.id, isLast, result };
      })
      .toSorted((a, b) => Number(a.isLast) - Number(b.isLast))
      .map(({ id, result }) => [id, result]),
  );
}

const laterDay = (a: string | null, b: string | null) => ((a ?? '') > (b ?? '') ? a : b);

function lastResultOf({ battles }: TournamentOutline): string | null {
  let last: string | null = null;
  for (const { finished, arrived, date } of battles) {
    const day = arrived?.slice(0, 10) ?? date;
    if (finished && day !== null && day > (last ?? '')) last = day;
  }
  return last;
}

/** Derives the documents of one battle of a tournament. `battleContext(facts)` makes the context. */
export function battleDocuments(battle: BattleFacts, context: BattleContext): BattleDocuments {
  const { listing, full } = battleResources(battle, context);
  const players = playersOf(battle);
  const entryOf = ({ participant }: SideFacts) => {
    const person = context.participants.get(participant ?? '');
    return person && participant !== null ? shownEntry(person, participant) : null;
  };
  const sideOf = (player: string): BattleDocuments['playerSides'][0] => {
    const { faction = null, outcome = null } = listing.players.find((side) => side.playerId === player) ?? {};
    return { faction, outcome };
  };
  return {
    id: battle.id,
    tournament: battle.tournament,
    date: battle.date,
    stageOrder: context.stageOrder.get(battle.stage ?? '') ?? 0,
    round: battle.round ?? 0,
    players,
    playerSides: players.map(sideOf),
    clubs: clubsOf(battle, context),
    table: battle.table,
    entries: [entryOf(battle.sides[0]), entryOf(battle.sides[1])],
    listing: asBattle(`battle ${battle.id}`, listing),
    full: asBattleDetail(`battle ${battle.id}`, full),
  };
}

export function casualBattleDocuments(battle: BattleFacts): BattleDocuments {
  return battleDocuments(battle, casual);
}

export function clubDocument(facts: ClubFacts): string {
  return asClub(`club ${facts.slug}`, clubResource(facts));
}

const asTournament = unaddressedDocumentOf(Tournament);
const asParticipant = documentOf(Participant);
const asBattle = unaddressedDocumentOf(Battle);
const asBattleDetail = unaddressedDocumentOf(BattleDetail);
const asClub = unaddressedDocumentOf(Club);

/** Returns the participants in the order of the list: by sort key, then by id. */
function participantDocuments(
  facts: TournamentOutline,
  finalPlacements: ReadonlyMap<string, number | null>,
  results: ReadonlyMap<string, Result>,
): ParticipantDocument[] {
  const hasGroups = facts.stages.some(({ grouped }) => grouped);
  const listOrder = new Map([...results.keys()].map((id, index) => [id, index + 1]));
  return alphabetically(facts.participants, ({ id }) => id).map((participant) => ({
    id: participant.id,
    sortKey: sortKey(shownName(participant)),
    document: asParticipant(
      `participant ${participant.id} of tournament ${facts.slug}`,
      participantResource(participant, hasGroups, finalPlacements.get(participant.id) ?? null),
    ),
    guest: guestName(participant),
    listOrder: listOrder.get(participant.id) ?? 0,
    result: JSON.stringify({
      ...results.get(participant.id),
      ...(participant.noShow && { isNoShow: true }),
    } satisfies Result),
  }));
}
