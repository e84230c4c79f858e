// The parts of a tournament in the feed. Every element is complete: it replaces the element with the same
// identity, and an absent member has its default. Members use the words of the domain.
import { Type, type Static, type TProperties } from 'typebox';
import {
  CalendarDate,
  Count,
  Id,
  LongText,
  Name,
  nullable,
  oneOf,
  Ordinal,
  Points,
  record,
  shape,
  Slug,
  StageId,
  Word,
} from './scalars.ts';

const { Optional } = Type;

export const knownTieBreaks = [
  'battlePoints',
  'wins',
  'victoryPointsDiff',
  'victoryPoints',
  'opponentsBattlePoints',
  'opponentsWins',
  'opponentsWinRate',
  'headToHead',
] as const;
export type TieBreak = (typeof knownTieBreaks)[number];

/** The order of a tournament that does not name its tie-breaks. */
export const defaultTieBreaks: readonly TieBreak[] = [
  'battlePoints',
  'wins',
  'victoryPointsDiff',
  'victoryPoints',
  'opponentsBattlePoints',
];

export const isKnownTieBreak = (name: string): name is TieBreak =>
  knownTieBreaks.some((known) => known === name);

/** Any name is accepted in a tournament whose boards all have a ranking (see check-rankings.ts). */
export const TieBreakName = Type.String({
  ...Name,
  description: `one of ${knownTieBreaks.join(', ')}; another name if every board has a ranking`,
});

/**
 * A value that the organiser tracks besides the score. Numbers are summed over the rounds, and each yes
 * counts as one.
 */
export const MetricEntry = shape({ name: Name, type: oneOf('number', 'yesNo') });
export type MetricEntry = Static<typeof MetricEntry>;

/** A whole list, or `subFaction` alone if it is known without a list or the list was erased. */
export const ArmyListEntry = shape({
  faction: Optional(Name),
  subFaction: Word,
  points: Optional(Count),
  battleTacticCards: Optional(Type.Array(Word, { maxItems: 100 })),
  text: Optional(LongText),
});
export type ArmyListEntry = Static<typeof ArmyListEntry>;

/** The label of a grouped `swiss`, in the words of the specification. */
export const groupStage = 'Group Stage';

const ranking = {
  /** 0 means before the first round. */
  afterRound: Count,
  /**
   * Participants who are not in it have no rank yet. Several may share a rank. With groups, each group has
   * ranks of its own.
   */
  ranks: Type.Array(shape({ participant: Id, rank: Ordinal })),
};
const rankingMembers = { stage: StageId, ...ranking };
/**
 * The organiser's own ranking of a board, identified by stage and round. The newest one decides the order of
 * the board.
 */
export const RankingEntry = shape(rankingMembers);
export type RankingEntry = Static<typeof RankingEntry>;

/** A stage, identified by `id` within the tournament. The order of the array is the running order. */
export const StageEntry = shape({
  id: StageId,
  /** Required, except for a grouped `swiss`, whose default is `groupStage`. */
  label: Optional(nullable(Name)),
  type: oneOf('board', 'bracket'),
  /** Stages that run side by side share a phase. The default is 1 for `swiss` and 2 for all others. */
  phase: Optional(Ordinal),
  rounds: Count,
  grouped: Optional(Type.Boolean()),
  /** The participants who play in it. Absent or null means all participants of the tournament. */
  members: Optional(nullable(Type.Array(shape({ participant: Id, seed: Optional(nullable(Ordinal)) })))),
  /** The earlier stage whose battles also count here. */
  carriesOver: Optional(nullable(StageId)),
  /** The newest ranking of a board. Absent means unchanged, and null means none. */
  ranking: Optional(nullable(shape(ranking))),
});
export type StageEntry = Static<typeof StageEntry>;

const participantMembers = {
  id: Id,
  /**
   * The public id of a registered player. A guest has `name` instead, and an erased guest has `erased`.
   * Exactly one of the three is given.
   */
  player: Optional(nullable(Id)),
  name: Optional(nullable(Name)),
  erased: Optional(Type.Boolean()),
  club: Optional(nullable(Slug)),
  group: Optional(nullable(Name)),
  dropped: Optional(Type.Boolean()),
  noShow: Optional(Type.Boolean()),
  faction: Optional(nullable(Name)),
  list: Optional(nullable(ArmyListEntry)),
  finalPlacement: Optional(nullable(Ordinal)),
  /**
   * A stable random number, which is the last tie-break. If absent, it is derived from the slug and the id.
   */
  lot: Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'a whole number between 0 and 2147483647',
      }),
    ),
  ),
};
/** A participant, identified by `id` within the tournament. */
export const ParticipantEntry = shape(participantMembers);
export type ParticipantEntry = Static<typeof ParticipantEntry>;

const byeMembers = {
  stage: StageId,
  round: Ordinal,
  participant: Id,
  /** True if the platform counted it as a win. */
  win: Type.Boolean(),
  battlePoints: Optional(Points),
  victoryPoints: Optional(Points),
  victoryPointsDiff: Optional(Points),
};
/** A bye, identified by stage, round and participant. */
export const ByeEntry = shape(byeMembers);
export type ByeEntry = Static<typeof ByeEntry>;

/** Points that the organiser added or, if negative, took away. Identified by the position in the array. */
export const AdjustmentEntry = shape({
  stage: StageId,
  participant: Id,
  battlePoints: Optional(Points),
  victoryPoints: Optional(Points),
  victoryPointsDiff: Optional(Points),
  reason: Optional(nullable(Word)),
});
export type AdjustmentEntry = Static<typeof AdjustmentEntry>;

/** One battle round of one side. */
export const RoundEntry = shape({
  round: Ordinal,
  victoryPoints: Optional(Points),
  objectivePoints: Optional(Points),
  objectives: Optional(Type.Array(Word, { maxItems: 100 })),
  battleTactic: Optional(Word),
  battleTacticScored: Optional(Type.Boolean()),
  priority: Optional(Type.Boolean()),
  /** Values by metric name: a number, or true/false for a yes/no metric. */
  metrics: Optional(
    Type.Record(Type.String(), Type.Unsafe<number | boolean>({ type: ['number', 'boolean'] })),
  ),
});
export type RoundEntry = Static<typeof RoundEntry>;

const sideMembers = {
  faction: Optional(nullable(Name)),
  subFaction: Optional(nullable(Word)),
  battlePoints: Optional(nullable(Points)),
  /** If absent, it is the sum of the rounds. */
  victoryPoints: Optional(nullable(Points)),
  objectivePoints: Optional(nullable(Points)),
  battleTacticsScored: Optional(nullable(Count)),
  grandStrategy: Optional(nullable(Word)),
  grandStrategyScored: Optional(nullable(Type.Boolean())),
  drops: Optional(nullable(Count)),
  role: Optional(nullable(oneOf('attacker', 'defender'))),
  /** Totals by metric name. A metric given here is not summed from the rounds. */
  metrics: Optional(Type.Record(Type.String(), Points)),
  /** The list used in this battle, if it is not the participant's own. */
  list: Optional(nullable(ArmyListEntry)),
  rounds: Optional(Type.Array(RoundEntry, { maxItems: 100 })),
};
export const TournamentSide = shape({ participant: Id, ...sideMembers });
export type TournamentSide = Static<typeof TournamentSide>;

/** Has exactly one of `player` (a registered one), `name` (a guest) and `erased` (an erased guest). */
export const CasualSide = shape({
  player: Optional(nullable(Id)),
  name: Optional(nullable(Name)),
  erased: Optional(Type.Boolean()),
  club: Optional(nullable(Slug)),
  ...sideMembers,
});
export type CasualSide = Static<typeof CasualSide>;

const SideOrName = Type.Unsafe<string | number | null>({
  ...Name,
  type: ['string', 'integer', 'null'],
  minimum: 1,
  maximum: 2,
  description: "the player's id, the guest's name, or 1 or 2 for the side",
});

const battleMembers = {
  id: Id,
  date: Optional(nullable(CalendarDate)),
  scenario: Optional(nullable(Word)),
  /** In a tournament, absent or null means the value of the tournament. */
  battlePack: Optional(nullable(Name)),
  /** The default is false. */
  finished: Optional(Type.Boolean()),
  victorySize: Optional(nullable(oneOf('major', 'minor'))),
  archived: Optional(Type.Boolean()),
};
const tournamentBattleMembers = {
  ...battleMembers,
  stage: StageId,
  round: Ordinal,
  table: Optional(nullable(Count)),
  /** Absent or null means the value of the tournament. */
  battleSize: Optional(nullable(Count)),
  /** The participant who won. Absent or null in a draw and while unfinished. */
  winner: Optional(nullable(Id)),
  sides: Type.Array(TournamentSide),
};
/** A battle of a tournament, identified by `id`, which is unique among all battles, even casual ones. */
export const BattleEntry = shape(tournamentBattleMembers);
export type BattleEntry = Static<typeof BattleEntry>;

const matchMembers = {
  stage: StageId,
  round: Ordinal,
  position: Ordinal,
  /** The name of the round, for example "Final". The default depends on the rounds still to come. */
  name: Optional(nullable(Name)),
  table: Count,
  /** The participants known so far: none, one or two. */
  players: Optional(Type.Array(Id, { maxItems: 2 })),
  /** The participant who advanced. */
  winner: Optional(nullable(Id)),
  battle: Optional(nullable(Id)),
};
/** A match of a bracket, identified by stage, round and position. */
export const MatchEntry = shape(matchMembers);
export type MatchEntry = Static<typeof MatchEntry>;

const part = <Kind extends string, Members extends TProperties>(kind: Kind, members: Members) =>
  record(kind, { tournament: Slug, ...members });

export const ParticipantRecord = part('participant', participantMembers);
export type ParticipantRecord = Static<typeof ParticipantRecord>;
export const ByeRecord = part('bye', byeMembers);
export type ByeRecord = Static<typeof ByeRecord>;
export const MatchRecord = part('match', matchMembers);
export type MatchRecord = Static<typeof MatchRecord>;
export const RankingRecord = part('ranking', rankingMembers);
export type RankingRecord = Static<typeof RankingRecord>;
export const TournamentBattleRecord = part('battle', tournamentBattleMembers);
export type TournamentBattleRecord = Static<typeof TournamentBattleRecord>;

/** A battle outside of any tournament: it has no `tournament`, and its sides are players or guests. */
export const CasualBattleRecord = record('battle', {
  ...battleMembers,
  /** The club that the battle was logged under. */
  club: Optional(nullable(Slug)),
  battleSize: Count,
  /** The winning side: the player's id, the guest's name, or 1 or 2. */
  winner: Optional(SideOrName),
  sides: Type.Array(CasualSide),
});
export type CasualBattleRecord = Static<typeof CasualBattleRecord>;
