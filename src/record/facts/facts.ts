// The facts as the publisher reads them: plain objects in the words of the domain, complete and ordered, nothing
// derived. Participants and stages have the ids of the feed.
import type { Club } from '../../contract/club.ts';
import type { BattlePackRecord } from '../feed/records.ts';
import type {
  AdjustmentEntry,
  ArmyListEntry,
  ByeEntry,
  MatchEntry,
  RoundEntry,
  StageEntry,
} from '../feed/tournament-records.ts';
import type { TournamentHeader } from './tournament-header.ts';

/** A club is published as it is recorded. Only the address of its page is not recorded. */
export type ClubFacts = Omit<Club, 'url'>;

export type BattlePackFacts = Required<Omit<BattlePackRecord, 'kind'>>;

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
  /** By stage order, round, participant. */
  byes: ByeFacts[];
  adjustments: AdjustmentFacts[];
  /** By stage order, round, id. */
  battles: BattleFacts[];
  /** By stage order, round, position. */
  matches: MatchFacts[];
}

export interface StageFacts extends Required<Omit<StageEntry, 'label' | 'members'>> {
  label: string;
  /** The feed lists no members: all participants are. */
  everybody: boolean;
  /** Always complete, by participant id. */
  members: { participant: string; seed: number | null }[];
}

export interface ParticipantFacts extends Person {
  id: string;
  club: string | null;
  group: string | null;
  dropped: boolean;
  noShow: boolean;
  /** From the participant or from its list. If both give one, they agree. */
  faction: string | null;
  list: ListFacts | null;
  finalPlacement: number | null;
  lot: number;
}

/** Of the list of an erased person only this is left: boards and battles show it. */
export type ErasedListFacts = Pick<ArmyListFacts, 'faction' | 'subFaction'>;
export type ListFacts = ArmyListFacts | ErasedListFacts;

export type ArmyListFacts = Required<ArmyListEntry>;

export type ByeFacts = Required<ByeEntry>;

export type AdjustmentFacts = Required<AdjustmentEntry>;

export interface BattleFacts {
  id: string;
  /** Slug, stage and round are all null for a casual battle. */
  tournament: string | null;
  stage: string | null;
  round: number | null;
  table: number | null;
  date: string | null;
  scenario: string | null;
  /** From the battle, otherwise from its tournament. */
  battlePack: BattlePackFacts | null;
  battleSize: number;
  /** The club a casual battle was logged under. */
  club: string | null;
  finished: boolean;
  /** The index of the side. Null on a draw and while unfinished. */
  winner: 0 | 1 | null;
  victorySize: 'major' | 'minor' | null;
  archived: boolean;
  sides: [SideFacts, SideFacts];
}

/** Enough for all documents except those of the battles: each battle has only the values that boards need. */
export interface TournamentOutline extends Omit<TournamentFacts, 'published' | 'metrics' | 'battles'> {
  battles: BattleOutline[];
}

/** The values of a battle that boards need. Complete facts fit this type, too. */
export interface BattleOutline extends Pick<
  BattleFacts,
  'id' | 'stage' | 'round' | 'table' | 'scenario' | 'date' | 'finished' | 'winner'
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

export interface SideFacts extends Person {
  /** Null in a casual battle. */
  participant: string | null;
  /** The club that the player represents. In a tournament it is the participant's. */
  club: string | null;
  /** From the side or from its own list. */
  faction: string | null;
  subFaction: string | null;
  battlePoints: number | null;
  victoryPoints: number | null;
  objectivePoints: number | null;
  battleTacticsScored: number | null;
  grandStrategy: string | null;
  grandStrategyScored: boolean | null;
  drops: number | null;
  role: 'attacker' | 'defender' | null;
  /** Recorded totals by name. The rounds give the totals that are missing here. */
  metrics: Record<string, number>;
  /** The list of this battle only. The participant has its own list. */
  list: ListFacts | null;
  /** By number. */
  rounds: RoundFacts[];
}

export type RoundFacts = Required<RoundEntry>;

export type MatchFacts = Required<MatchEntry>;
