// The setup of one event: the organizer's choices, and what its platform records and how. Platforms differ:
// some record totals and others rounds, and factions may be on the sides or only on the lists.
import type { ByeEntry, MetricEntry, TieBreak } from '../../record/feed/tournament-records.ts';
import { type WorldClub, inventClub, type Community } from '../people/community.ts';
import { yearOf } from '../dates.ts';
import { cutOf, type Format, laterRounds } from './format.ts';
import { anyPack, type Pack, type PointSystem } from '../people/lore.ts';
import { eventName, type Named } from '../people/cities.ts';
import { at, type Random, stream } from '../chance/random.ts';

export interface Habits {
  readonly dates: boolean;
  readonly rounds: boolean;
  /**
   * True if victory points are recorded as totals. Otherwise only the rounds have them, if there are rounds.
   */
  readonly totals: boolean;
  readonly sideFactions: boolean;
  readonly participantFactions: boolean;
  readonly roles: boolean;
  readonly drops: boolean;
  readonly tables: boolean;
  readonly lots: boolean;
  readonly objectiveNames: boolean;
  readonly metricTotals: boolean;
  readonly roundNames: boolean;
  readonly phases: boolean;
  readonly listPerBattle: boolean;
  /** The way in which final placements were recorded. "legacy" events state that they never were. */
  readonly placements: 'recorded' | 'left to the merge' | 'legacy';
}

type Bye = Pick<ByeEntry, 'win' | 'battlePoints' | 'victoryPoints' | 'victoryPointsDiff'>;

/** The tie-breaks that the invented platforms know. */
export type WorldTieBreak = Exclude<TieBreak, 'opponentsWins' | 'opponentsWinRate'>;

export interface EventSetup extends Named, EventPlan {
  readonly community: Community;
  readonly cut: number;
  readonly days: number;
  readonly sessionsPerDay: number;
  readonly pack: Pack;
  readonly scoring: PointSystem;
  readonly bye: Bye;
  readonly tieBreaks: WorldTieBreak[] | undefined;
  readonly metrics: MetricEntry[];
  readonly battleSize: number;
  readonly club: WorldClub;
  readonly published: boolean;
  readonly habits: Habits;
}

export interface EventPlan {
  /**
   * The number of the event in its community. It makes the random streams of the event different from others.
   */
  readonly number: number;
  readonly size: number;
  readonly rounds: number;
  readonly format: Format;
  /** The first day. */
  readonly start: number;
}

export function setUp(community: Community, plan: EventPlan): EventSetup {
  const random = stream(community.seed, 'setup', community.number, plan.number);
  const pack = anyPack(random);
  const scoring = random.pick(pack.scorings);
  const host = inventClub(community, random.below(community.clubs));
  const { name, slug } = eventName(random, host.town, yearOf(plan.start));
  const cut = cutFor(random, plan);
  const sessions = plan.rounds + laterRounds(plan.format, cut);
  const days = sessions <= 4 ? 1 : sessions <= 8 ? 2 : 3;
  return {
    ...plan,
    community,
    name,
    slug: `${slug}-${community.tag}-${plan.number.toString(36)}`,
    cut,
    days,
    sessionsPerDay: Math.ceil(sessions / days),
    pack,
    scoring,
    bye: byeFor(random, scoring),
    tieBreaks: tieBreaksFor(random),
    metrics: metricsFor(random),
    battleSize: random.pick([2000, 2000, 2000, 1000, 1500]),
    club: host,
    published: !random.chance(0.03),
    habits: habitsFor(random),
  };
}

// A quarter of the knockouts with at least eight players, and without placements, have a field that is not a
// power of two, so the best seeds skip a round.
function cutFor(random: Random, { size, format }: EventPlan): number {
  const cut = Math.min(cutOf(size), size);
  return !format.placements && cut >= 8 && random.chance(0.25) ? (cut * 3) / 4 : cut;
}

function byeFor(random: Random, scoring: PointSystem): Bye {
  const win = random.chance(0.85);
  const battlePoints = { '3/1/0': win ? 3 : 1, '20-0': win ? 14 : 10, '6/5/2/1/0': win ? 5 : 2 }[scoring];
  const victoryPoints = random.pick([0, 25, 30]);
  return {
    win,
    ...(random.chance(0.95) ? { battlePoints } : {}),
    ...(victoryPoints > 0 ? { victoryPoints } : {}),
    ...(victoryPoints > 0 && random.chance(0.5) ? { victoryPointsDiff: 7.5 } : {}),
  };
}

export const usualTieBreaks: WorldTieBreak[] = [
  'battlePoints',
  'wins',
  'victoryPointsDiff',
  'victoryPoints',
  'opponentsBattlePoints',
];

function tieBreaksFor(random: Random): WorldTieBreak[] | undefined {
  if (random.chance(0.6)) return undefined;
  return random.pick<WorldTieBreak[]>([
    ['battlePoints', 'headToHead', 'victoryPointsDiff', 'victoryPoints'],
    ['wins', 'opponentsBattlePoints', 'victoryPoints'],
    ['battlePoints', 'opponentsBattlePoints', 'headToHead', 'victoryPoints'],
    usualTieBreaks,
  ]);
}

function metricsFor(random: Random): MetricEntry[] {
  const known: MetricEntry[] = [
    { name: 'Units lost', type: 'number' },
    { name: 'First blood', type: 'yesNo' },
  ];
  return random.chance(0.8) ? [] : known.slice(0, random.between(1, 2));
}

/** Returns what a platform records of an event, or of a game outside of one. */
export function habitsFor(random: Random): Habits {
  return {
    dates: random.chance(0.96),
    rounds: random.chance(0.85),
    totals: random.chance(0.7),
    sideFactions: random.chance(0.75),
    participantFactions: random.chance(0.6),
    roles: random.chance(0.8),
    drops: random.chance(0.85),
    tables: random.chance(0.9),
    lots: random.chance(0.7),
    objectiveNames: random.chance(0.5),
    metricTotals: random.chance(0.4),
    roundNames: random.chance(0.5),
    phases: random.chance(0.2),
    listPerBattle: random.chance(0.04),
    placements: at(['recorded', 'left to the merge', 'legacy'], random.weighted([85, 10, 5])),
  };
}

/** Returns the day of a session (0, 1, 2 …). A session is one round of every stage that runs at the time. */
export function sessionDay({ start, sessionsPerDay }: EventSetup, session: number): number {
  return start + Math.floor(session / sessionsPerDay);
}

/** Returns a random stream for this event only. */
export function eventStream(
  { community, number }: EventSetup,
  purpose: string,
  ...indexes: number[]
): Random {
  return stream(community.seed, purpose, community.number, number, ...indexes);
}
