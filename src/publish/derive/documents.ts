// Turns facts into documents: the exact JSON text of every public resource, checked against the contract.
import { Battle, BattleDetail } from '../../contract/battle.ts';
import { Club } from '../../contract/club.ts';
import { Participant } from '../../contract/participant.ts';
import type { BoardRow } from '../../contract/standings.ts';
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
import { type PlayerTournament, playerTournaments } from './documents/player-tournaments.ts';
import { sortKey } from '../../text/fold.ts';
import { defaultStage } from './brackets/stages.ts';
import { type StandingsDocuments, standingsOf } from './standings.ts';
import { type TournamentFactions, tournamentFactions } from './factions/tournament-factions.ts';
import { tournamentResource } from './documents/tournament.ts';
import type { Outcome, Result } from '../../published/views.ts';

export interface TournamentDocuments {
  slug: string;
  name: string;
  startDate: string | null;
  status: 'planned' | 'ongoing' | 'finished';
  /** The club's slug. */
  organizer: string | null;
  country: string | null;
  /** Who won or leads, for lists: JSON. */
  leader: string | null;
  /** Its end, else its start or the day of its last result, whichever is later: for the pages. Null without any day. */
  lastDay: string | null;
  /** The day on which its last result arrived, else was played. */
  lastResult: string | null;
  /** The tournament resource. */
  document: string;
  /** Stage ids in the order shown, with `standings` when finished. */
  stages: string[];
  /** The stage whose standings we send when the caller names none. */
  defaultStage: string | null;
  /** JSON: the `TournamentView`. */
  view: string;
  standings: StandingsDocuments[];
  /** For the pages of players. */
  players: PlayerTournament[];
  /** For the pages of factions. Null: it does not count. */
  factions: TournamentFactions | null;
  participants: ParticipantDocument[];
  battles: BattleDocuments[];
}

interface ParticipantDocument {
  id: string;
  sortKey: string;
  document: string;
  /** The name of a guest, for the search. Null: a registered player, or erased. */
  guest: string | null;
  /** Its place in the list of a finished tournament, from 1: by place, those who dropped last. 0 before the end. */
  listOrder: number;
  /** JSON: the `Result`. */
  result: string;
}

export interface BattleDocuments {
  id: string;
  tournament: string | null;
  date: string | null;
  /** Both 0 in a casual battle. */
  stageOrder: number;
  round: number;
  /** The players whose lists show it: no guests, no erased players, and none when it is archived. */
  players: string[];
  /** For the pages of these players, in the same order: what each played, and the result. */
  playerSides: { faction: string | null; outcome: Outcome | null }[];
  /** Slugs of the clubs it is connected to, each once, sorted. */
  clubs: string[];
  /** The number of the table. Only the pages show it. */
  table: number | null;
  /** The ids of the sides that are guests. */
  entries: [string | null, string | null];
  /** `listing` is for lists, `full` for the answer by id. */
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

/** Everything of a tournament besides the documents of its battles. It needs only battle totals. */
export function documentsWithoutBattles(facts: TournamentOutline): Omit<TournamentDocuments, 'battles'> {
  const { documents, finalPlacements, results } = withStandings(facts);
  return { ...documents, participants: participantDocuments(facts, finalPlacements, results) };
}

/**
 * All documents besides the battle's that a result of a running tournament can change. It needs only battle totals.
 * `players`: those whose rows the result can change.
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
    players: playerTournaments(facts, factions, finalPlacements, players),
    factions: tournamentFactions(facts, factions, ranked),
  };
  return { documents, finalPlacements, results: resultsOf(ranked, rows) };
}

/** By participant, in the order of the list. */
function resultsOf(ranked: readonly Ranked[], rows: readonly BoardRow[]): Map<string, Result> {
  const left = ({ participant }: Ranked) => Number(participant.dropped || participant.noShow);
  return new Map(
    ranked
      .map((place, index) => ({ place, row: rows[index] }))
      .toSorted((a, b) => left(a.place) - left(b.place))
      .map(({ place: { participant, rank }, row }) => {
        const { faction = null, wins = 0, draws = 0, losses = 0 } = row ?? {};
        return [participant.id, { rank, faction, wins, draws, losses }];
      }),
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

/** One battle of a tournament. `battleContext(facts)` makes the context. */
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

/** In the order of the list: by sort key, then id. */
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
    result: JSON.stringify(results.get(participant.id) ?? {}),
  }));
}
