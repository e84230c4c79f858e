// The facts as the publisher reads them: plain objects in the words of the domain, complete and ordered, with
// nothing derived. Their types come from the descriptions of the tables. Participants and stages have the ids
// of the feed.
import type { RoundEntry } from '../feed/tournament-records.ts';
import type { FactsOf, MembersOf } from '../columns.ts';
import type {
  battleColumns,
  battlePack,
  club,
  battleSideColumns,
  StoredList,
  TournamentPart,
  tournamentTables,
} from '../tables.ts';
import type { TournamentHeader } from './tournament-header.ts';

export type ClubFacts = FactsOf<typeof club>;

export type BattlePackFacts = FactsOf<typeof battlePack>;

/** A part of a tournament, without the tournament's id. */
type PartFacts<Part extends TournamentPart> = Omit<FactsOf<(typeof tournamentTables)[Part]>, 'tournamentId'>;

/**
 * A registered player (`playerId` and current display name), a guest (only a name), or an erased one of
 * either (no name).
 */
export interface Person {
  playerId: string | null;
  /** Null if and only if the person is erased. */
  name: string | null;
  erased: boolean;
}

export interface TournamentFacts extends Omit<TournamentHeader, 'battlePack'> {
  battlePack: BattlePackFacts | null;
  /** Sorted by player id. Documents sort them by name. */
  tournamentOrganizers: Person[];
  /** The groups in the order in which they are shown. */
  groups: string[];
  /** The stages in running order, without `standings`, which is derived. */
  stages: StageFacts[];
  /** Sorted by id. */
  participants: ParticipantFacts[];
  /** Sorted by stage order and round, so that the last one of a stage is the newest. */
  rankings: RankingFacts[];
  /** Sorted by stage order, round and participant. */
  byes: PartFacts<'byes'>[];
  adjustments: Omit<PartFacts<'adjustments'>, 'position'>[];
  /** Sorted by stage order, round and id. */
  battles: BattleFacts[];
  /** Sorted by stage order, round and position. */
  matches: MatchFacts[];
}

export interface StageFacts extends Omit<PartFacts<'stages'>, 'position'> {
  /** Always complete, and sorted by participant id. */
  members: Omit<PartFacts<'members'>, 'stage'>[];
}

interface RankingFacts extends PartFacts<'rankings'> {
  /** The digest of the results that it counts. */
  results: string;
}

export interface ParticipantFacts extends Person, Omit<PartFacts<'participants'>, 'player' | 'name'> {
  /** If both the participant and the list name a faction, they agree. */
  list: ListFacts | null;
}

/**
 * An army list. Only faction and sub-faction are left of an erased person's, because boards and battles show
 * them.
 */
export type ListFacts = StoredList & { faction: string };

export interface BattleFacts extends Omit<
  MembersOf<typeof battleColumns>,
  'tournamentId' | 'battlePack' | 'battleSize' | 'winner'
> {
  /** The slug, which is null for a casual battle, as are stage and round. */
  tournament: string | null;
  /** The battle's own or, if it has none, its tournament's. */
  battlePack: BattlePackFacts | null;
  battleSize: number;
  /** The index of the winning side. Null in a draw and while unfinished. */
  winner: 0 | 1 | null;
  /**
   * The time at which the result came in, in ISO 8601 and UTC. Null if it is unknown or there is no result.
   */
  arrived: string | null;
  sides: [SideFacts, SideFacts];
}

/**
 * The facts for all documents except those of the battles. Each battle has only the values that boards need.
 */
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
  /** Added up only if no total of victory points is recorded. */
  rounds?: SideFacts['rounds'];
}

/**
 * One side of a battle. It has no `participant` in a casual battle. In a tournament, the club is the
 * participant's.
 */
export interface SideFacts
  extends
    Person,
    Omit<MembersOf<typeof battleSideColumns>, 'player' | 'name' | 'metrics' | 'list' | 'rounds'> {
  /** Recorded totals by name. The rounds give the totals that are missing here. */
  metrics: Record<string, number>;
  /** The list of this battle only. The participant has its own list. */
  list: ListFacts | null;
  /** Sorted by number. */
  rounds: RoundFacts[];
}

export type RoundFacts = Required<RoundEntry>;

export interface MatchFacts extends Omit<PartFacts<'matches'>, 'firstParticipant' | 'secondParticipant'> {
  /** The participants known so far: none, one or two. */
  players: string[];
}
