// The feed is newline-delimited JSON: one record per line, each with a `kind`. docs/feed.md explains it.
//
// In `club`, `player`, `battlePack` and `tournament`, an absent member means unchanged (its default when the
// thing is new), and null means none. A part of a tournament (an array) replaces the whole part when present.
// The small records (`participant`, `battle`, `bye`, `match`) are one complete element each.
import { Type, type Static, type TProperties } from 'typebox';
import {
  AdjustmentEntry,
  BattleEntry,
  ByeEntry,
  type ByeRecord,
  type CasualBattleRecord,
  MatchEntry,
  type MatchRecord,
  MetricEntry,
  ParticipantEntry,
  type ParticipantRecord,
  type RankingRecord,
  StageEntry,
  TieBreakName,
  type TournamentBattleRecord,
} from './tournament-records.ts';
import {
  CalendarDate,
  Count,
  Id,
  LongText,
  Name,
  nullable,
  oneOf,
  Ordinal,
  record,
  Slug,
  StageId,
  Word,
} from './scalars.ts';

const { Optional } = Type;

/** A club, identified by `slug`. A new one needs a name. */
export const ClubRecord = record('club', {
  slug: Slug,
  /**
   * Leaves a club alone that is already recorded. A sheet can name a club, but it doesn't know what else
   * there is about it.
   */
  onlyIfNew: Optional(Type.Boolean()),
  name: Optional(Name),
  description: Optional(nullable(LongText)),
  city: Optional(nullable(Word)),
  country: Optional(nullable(Word)),
  website: Optional(
    nullable(
      Type.String({
        pattern: '^https?://[^\\s]{1,500}$',
        description: 'an http or https address of up to 500 characters',
      }),
    ),
  ),
  members: Optional(Count),
});
export type ClubRecord = Static<typeof ClubRecord>;

/**
 * A registered player, identified by `id`. A new one needs a name. Only `erased: false` together with a name
 * undoes an erasure.
 */
export const PlayerRecord = record('player', {
  id: Id,
  name: Optional(Name),
  erased: Optional(Type.Boolean()),
});
export type PlayerRecord = Static<typeof PlayerRecord>;

/** A battle pack, identified by `name`. The other members say what it scores, and default to false. */
export const BattlePackRecord = record('battlePack', {
  name: Name,
  objectives: Optional(Type.Boolean()),
  battleTactics: Optional(Type.Boolean()),
  grandStrategies: Optional(Type.Boolean()),
});
export type BattlePackRecord = Static<typeof BattlePackRecord>;

/**
 * The rule for `published`. The schema cannot know which tournaments are new, so its description states the
 * rule.
 */
export const publishedWanted =
  'true or false (a new tournament must say which: nothing becomes public by omission)';

/** A tournament, identified by `slug`. A new one needs `name`, `status`, `battleSize` and `published`. */
export const TournamentRecord = record('tournament', {
  slug: Slug,
  /** An unpublished tournament is recorded but not shown. */
  published: Optional(Type.Boolean({ description: publishedWanted })),
  name: Optional(Name),
  status: Optional(oneOf('planned', 'ongoing', 'finished')),
  startDate: Optional(nullable(CalendarDate)),
  endDate: Optional(nullable(CalendarDate)),
  description: Optional(nullable(LongText)),
  city: Optional(nullable(Word)),
  country: Optional(nullable(Word)),
  battleSize: Optional(Count),
  battlePack: Optional(nullable(Name)),
  /** The club that runs it. */
  organizer: Optional(nullable(Slug)),
  /** The players who run it. */
  tournamentOrganizers: Optional(Type.Array(Id, { maxItems: 100 })),
  /** The tie-breaks in order. The lot always comes last and is not listed. */
  tieBreaks: Optional(Type.Array(TieBreakName, { maxItems: 20 })),
  metrics: Optional(Type.Array(MetricEntry, { maxItems: 100 })),
  /** The default is "Final Standings". */
  standingsLabel: Optional(nullable(Name)),
  /** The default is true. False for a tournament whose final placements were never recorded. */
  placementsRecorded: Optional(Type.Boolean()),
  /** The names of the groups, in the order in which they are shown. */
  groups: Optional(Type.Array(Name, { maxItems: 1000 })),
  stages: Optional(Type.Array(StageEntry, { maxItems: 100 })),
  participants: Optional(Type.Array(ParticipantEntry)),
  byes: Optional(Type.Array(ByeEntry)),
  adjustments: Optional(Type.Array(AdjustmentEntry)),
  battles: Optional(Type.Array(BattleEntry)),
  matches: Optional(Type.Array(MatchEntry)),
});
export type TournamentRecord = Static<typeof TournamentRecord>;

const removal = <Of extends string, Members extends TProperties>(of: Of, members: Members) =>
  record('remove', { of: Type.Literal(of), tournament: Slug, ...members });

/**
 * Removes a thing by its slug, id or name. Removing a player erases the player, and the player's battles
 * stay.
 */
export const RemoveThingRecord = record('remove', {
  of: oneOf('club', 'player', 'battlePack', 'tournament', 'battle'),
  id: Name,
});
export type RemoveThingRecord = Static<typeof RemoveThingRecord>;
export const RemoveParticipantRecord = removal('participant', { id: Id });
export type RemoveParticipantRecord = Static<typeof RemoveParticipantRecord>;
export const RemoveByeRecord = removal('bye', { stage: StageId, round: Ordinal, participant: Id });
export type RemoveByeRecord = Static<typeof RemoveByeRecord>;
export const RemoveMatchRecord = removal('match', { stage: StageId, round: Ordinal, position: Ordinal });
export type RemoveMatchRecord = Static<typeof RemoveMatchRecord>;
export const RemoveRankingRecord = removal('ranking', { stage: StageId, afterRound: Count });
export type RemoveRankingRecord = Static<typeof RemoveRankingRecord>;
export type RemoveRecord =
  | RemoveThingRecord
  | RemoveParticipantRecord
  | RemoveByeRecord
  | RemoveMatchRecord
  | RemoveRankingRecord;

/**
 * Says that the thing with this name has another one now. The pages lead from the old address to the new one.
 */
export const MovedRecord = record('moved', { of: oneOf('tournament', 'club', 'player'), id: Name, to: Name });
export type MovedRecord = Static<typeof MovedRecord>;

/**
 * The last line of a feed, which says how many records came before it. An import ignores it; a comparison
 * needs it.
 */
export const EndRecord = record('end', {
  records: Type.Integer({ minimum: 0, description: 'the number of records before it' }),
});
export type EndRecord = Static<typeof EndRecord>;

/** One line of the feed. */
export type FeedRecord =
  | ClubRecord
  | PlayerRecord
  | BattlePackRecord
  | TournamentRecord
  | ParticipantRecord
  | ByeRecord
  | MatchRecord
  | RankingRecord
  | TournamentBattleRecord
  | CasualBattleRecord
  | RemoveRecord
  | MovedRecord
  | EndRecord;
