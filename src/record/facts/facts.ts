// The facts as the publisher reads them: plain objects in the words of the domain, complete and ordered, nothing
// derived. Their types come from the descriptions of the tables. Participants and stages have the ids of the feed.
import type { RoundEntry } from '../feed/tournament-records.ts';
import type { FactsOf, MembersOf } from '../columns.ts';
import type {
  battleColumns,
  battlePack,
  club,
  sideColumns,
  StoredList,
  TournamentPart,
  tournamentTables,
} from '../tables.ts';
import type { TournamentHeader } from './tournament-header.ts';

export type ClubFacts = FactsOf<typeof club>;

export type BattlePackFacts = FactsOf<typeof battlePack>;

/** A part of a tournament, in its place. */
type PartFacts<Part extends TournamentPart> = Omit<FactsOf<(typeof tournamentTables)[Part]>, 'tournamentId'>;

/** A registered player (`playerId`, current display name), a guest (a name only), or an erased one of both (no name). */
export interface Person {
  playerId: string | null;
  /** Null if and only if the person is erased. */
  name: string | null;
  erased: boolean;
}

export interface TournamentFacts extends Omit<TournamentHeader, 'battlePack'> {
  battlePack: BattlePackFacts | null;
  /** By player id. Documents sort them by name. */
  tournamentOrganizers: Person[];
  /** In the order in which they are shown. */
  groups: string[];
  /** In running order. Without `standings`, which is derived. */
  stages: StageFacts[];
  /** By id. */
  participants: ParticipantFacts[];
  /** By stage order and round: the last of a stage is the newest. */
  rankings: RankingFacts[];
  /** By stage order, round, participant. */
  byes: PartFacts<'byes'>[];
  adjustments: Omit<PartFacts<'adjustments'>, 'position'>[];
  /** By stage order, round, id. */
  battles: BattleFacts[];
  /** By stage order, round, position. */
  matches: MatchFacts[];
}

export interface StageFacts extends Omit<PartFacts<'stages'>, 'position'> {
  /** Always complete, by participant id. */
  members: Omit<PartFacts<'members'>, 'stage'>[];
}

interface RankingFacts extends PartFacts<'rankings'> {
  /** The digest of the results that it ranks. */
  results: string;
}

export interface ParticipantFacts extends Person, Omit<PartFacts<'participants'>, 'player' | 'name'> {
  /** If the participant and its list give a faction, they agree. */
  list: ListFacts | null;
}

/** Of the list of an erased person only faction and sub-faction are left: boards and battles show them. */
export type ListFacts = StoredList & { faction: string };

export interface BattleFacts extends Omit<
  MembersOf<typeof battleColumns>,
  'tournamentId' | 'battlePack' | 'battleSize' | 'winner'
> {
  /** Slug, stage and round are all null for a casual battle. */
  tournament: string | null;
  /** From the battle, otherwise from its tournament. */
  battlePack: BattlePackFacts | null;
  battleSize: number;
  /** The index of the side. Null on a draw and while unfinished. */
  winner: 0 | 1 | null;
  /** When the result came in, in ISO 8601, in UTC. Null: unknown, or there is none. */
  arrived: string | null;
  sides: [SideFacts, SideFacts];
}

/** Enough for all documents except those of the battles: each battle has only the values that boards need. */
export interface TournamentOutline extends Omit<TournamentFacts, 'published' | 'metrics' | 'battles'> {
  battles: BattleOutline[];
}

/** The values of a battle that boards need. Complete facts fit this type, too. */
export interface BattleOutline extends Pick<
  BattleFacts,
  'id' | 'stage' | 'round' | 'table' | 'scenario' | 'date' | 'finished' | 'winner' | 'arrived'
> {
  sides: [SideOutline, SideOutline];
}

export interface SideOutline extends Pick<
  SideFacts,
  'participant' | 'faction' | 'battlePoints' | 'victoryPoints'
> {
  /** Used only when the side itself names no faction. Recorded sides always name that of their list. */
  list?: SideFacts['list'];
  /** Used only when there is no total of the victory points. */
  rounds?: SideFacts['rounds'];
}

/** Without `participant` in a casual battle. In a tournament the club is the participant's. */
export interface SideFacts
  extends Person, Omit<MembersOf<typeof sideColumns>, 'player' | 'name' | 'metrics' | 'list' | 'rounds'> {
  /** Recorded totals by name. The rounds give the totals that are missing here. */
  metrics: Record<string, number>;
  /** The list of this battle only. The participant has its own list. */
  list: ListFacts | null;
  /** By number. */
  rounds: RoundFacts[];
}

export type RoundFacts = Required<RoundEntry>;

export interface MatchFacts extends Omit<PartFacts<'matches'>, 'firstParticipant' | 'secondParticipant'> {
  /** The participants known so far: none, one or two. */
  players: string[];
}
