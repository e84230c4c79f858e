// Turns facts into documents: the exact JSON text of every public resource, checked against the contract.
import { Battle, BattleDetail } from '../../contract/battle.ts';
import { Club } from '../../contract/club.ts';
import { Participant } from '../../contract/participant.ts';
import { type BoardRow, BoardStandings, BracketStandings } from '../../contract/standings.ts';
import { Tournament, type Stage } from '../../contract/tournament.ts';
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
import { type Board, boardDetails, boardRows, boards, type Ranked } from './boards/board.ts';
import { bracketMatches } from './brackets/bracket.ts';
import { clubResource } from './documents/club.ts';
import { guestEntry, stageEntries } from './documents/entries.ts';
import { stageNow } from './now/current-round.ts';
import { finalStandings, hasRecordedPlacements } from './boards/final-standings.ts';
import { finalistsOf, leaderOf, leadersOf } from './now/leader.ts';
import { rowFactions } from './factions/faction.ts';
import { documentOf, unaddressedDocumentOf } from './documents/checked-document.ts';
import { participantResource } from './documents/participant.ts';
import { alphabetically, guestName, shownName } from './documents/people.ts';
import { playOf } from './now/play.ts';
import type { Leader, Result } from './now/play-shape.ts';
import { type PlayerTournament, playerTournaments } from './documents/player-tournaments.ts';
import { sortKey } from '../../text/fold.ts';
import { defaultStage } from './documents/stages.ts';
import { type Outcome, Tallies } from './boards/tally.ts';
import { type TournamentFactions, tournamentFactions } from './factions/tournament-factions.ts';
import { tournamentResource } from './documents/tournament.ts';

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
  /** Its end (else its start) or its newest battle, for the pages. Null without any day. */
  lastDay: string | null;
  /** The tournament resource. */
  document: string;
  /** Stage ids in the order shown, with `standings` when finished. */
  stages: string[];
  /** The stage whose standings we send when the caller names none. */
  defaultStage: string | null;
  /** For each stage, the whole standings answer, and what the pages show beside it. */
  standings: { stage: string; document: string; play: string; details: string }[];
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
  const { documents, finalPlacements, results } = withStandings(facts);
  return {
    ...documents,
    participants: participantDocuments(facts, finalPlacements, results),
    battles: facts.battles.map((battle) => battleDocuments(battle, context)),
  };
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
  const { standings, ranked, rows, leader } = standingsOf(facts, tournament.stages, factions);
  const finalPlacements = new Map(
    facts.placementsRecorded ? ranked.map(({ participant, rank }) => [participant.id, rank]) : [],
  );
  const documents = {
    slug: facts.slug,
    name: facts.name,
    startDate: facts.startDate,
    status: facts.status,
    organizer: facts.organizer,
    country: facts.country,
    leader,
    lastDay: lastDayOf(facts),
    document: asTournament(`tournament ${facts.slug}`, tournament),
    stages: tournament.stages.map(({ id }) => id),
    defaultStage: defaultStage(facts),
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

function lastDayOf({ startDate, endDate, battles }: TournamentOutline): string | null {
  const days = [endDate ?? startDate, ...battles.map(({ date }) => date)];
  return days.reduce((last, day) => ((day ?? '') > (last ?? '') ? day : last), null);
}

/** One battle of a tournament. `battleContext(facts)` makes the context. */
export function battleDocuments(battle: BattleFacts, context: BattleContext): BattleDocuments {
  const { listing, full } = battleResources(battle, context);
  const players = playersOf(battle);
  const guestOf = ({ participant }: SideFacts) => guestEntry(context.participants, participant);
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
    entries: [guestOf(battle.sides[0]), guestOf(battle.sides[1])],
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
const asBoard = documentOf(BoardStandings);
const asBracket = documentOf(BracketStandings);
const asParticipant = documentOf(Participant);
const asBattle = unaddressedDocumentOf(Battle);
const asBattleDetail = unaddressedDocumentOf(BattleDetail);
const asClub = unaddressedDocumentOf(Club);

/** The answers of all stages, and the places and rows of the final standings (empty before the end). */
function standingsOf(
  facts: TournamentOutline,
  stages: Stage[],
  factions: ReadonlyMap<string, string>,
): Pick<TournamentDocuments, 'standings' | 'leader'> & { ranked: Ranked[]; rows: BoardRow[] } {
  let leader: string | null = null;
  let rows: BoardRow[] = [];
  const shown = facts.status === 'planned' ? undefined : defaultStage(facts);
  const people = new Map(facts.participants.map((participant) => [participant.id, participant]));
  const made = boards(facts);
  const final = facts.status === 'finished' ? finalBoard(facts, made) : undefined;
  const known = new Map(facts.stages.map((stage) => [stage.id, stage]));
  const battles = new Map(facts.battles.map((battle) => [battle.id, battle]));
  const standings = stages.map(({ id, name, type }) => {
    const what = `the standings (${id}) of tournament ${facts.slug}`;
    const stage = known.get(id);
    const board = made.get(id) ?? final;
    const now = stage && facts.status === 'ongoing' ? stageNow(facts, stage) : undefined;
    const play = (leaders: Leader[]) =>
      playOf(facts, stage, people, now && { ...now, leaders }, board?.ranked, factions);
    if (type === 'bracket' && stage) {
      const data = bracketMatches(facts, stage, people);
      return {
        stage: id,
        document: asBracket(what, { stage: { id, name, type }, data }),
        play: play(finalistsOf(stage, facts.matches, people)),
        details: JSON.stringify(stageEntries(facts, stage, people)),
      };
    }
    // A player may have an open game of an earlier round, too: the newest tells the table.
    const open = now?.now.flatMap((round) => round.open ?? []).toReversed() ?? [];
    const games = open.flatMap((game) => battles.get(game) ?? []);
    const guests = stageEntries(facts, stage, people, board?.ranked);
    const details = JSON.stringify({
      ...(board && boardDetails(board, facts.tieBreaks, games)),
      ...guests,
    });
    const data = board ? boardRows(board, factions, stage?.grouped ?? false) : [];
    if (board === final) rows = data;
    // The first of those who are out of the knockout does not lead.
    if (id === shown && id !== 'placement-swiss') leader = leaderOf(data);
    return {
      stage: id,
      document: asBoard(what, { stage: { id, name, type: 'board' }, data }),
      play: play(id === 'placement-swiss' ? [] : leadersOf(data, guests.entries?.rows)),
      details,
    };
  });
  return { standings, ranked: final?.ranked ?? [], rows, leader };
}

/** Over all stages. */
function finalBoard(
  facts: TournamentOutline,
  made: ReadonlyMap<string, Board>,
): Pick<Board, 'ranked' | 'tallies'> {
  const tallies = new Tallies(facts, new Set(facts.stages.map(({ id }) => id)));
  const ranked = finalStandings(facts, made, tallies);
  const [only, another] = facts.stages;
  if (!only || another || only.grouped || hasRecordedPlacements(facts)) return { ranked, tallies };
  // The order is that of the only board. Where several stages make it, the sums that a row shows did not decide.
  const own = new Map(made.get(only.id)?.ranked.map((place) => [place.participant.id, place]));
  return { ranked: ranked.map((place) => ({ ...own.get(place.participant.id), ...place })), tallies };
}

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
