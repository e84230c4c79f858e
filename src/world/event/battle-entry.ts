// Writes a battle as a feed entry, in the style of the platform that recorded it.
import type {
  BattleEntry,
  MetricEntry,
  RoundEntry,
  TournamentSide,
} from '../../record/feed/tournament-records.ts';
import type { Fought } from './battle.ts';
import { dateOf } from '../dates.ts';
import type { EventParticipant } from './participants.ts';
import { grandStrategies, objectives, type Pack, tactics } from '../people/lore.ts';
import { at, type Random } from '../chance/random.ts';
import type { EventSetup, Habits } from './setup.ts';

export interface BattleSlot {
  readonly id: string;
  readonly stage: string;
  readonly round: number;
  readonly table: number;
  readonly day: number;
  readonly scenario: string;
}

export function battleEntry(
  setup: EventSetup,
  slot: BattleSlot,
  sides: readonly [EventParticipant, EventParticipant],
  fought: Fought,
  random: Random,
): BattleEntry {
  const { habits } = setup;
  const side = (which: 0 | 1): TournamentSide => {
    const { id, faction, list } = sides[which];
    return {
      participant: id,
      ...(habits.sideFactions ? { faction, subFaction: list.subFaction } : {}),
      ...sideScore(random, fought, which, setup.pack, habits, setup.metrics),
      ...(habits.listPerBattle ? { list } : {}),
    };
  };
  return {
    id: slot.id,
    stage: slot.stage,
    round: slot.round,
    ...(habits.tables ? { table: slot.table } : {}),
    ...(habits.dates ? { date: dateOf(slot.day) } : {}),
    scenario: slot.scenario,
    // Sometimes a table uses another pack and size than the other tables.
    ...(random.chance(0.004) ? { battlePack: setup.pack.name, battleSize: setup.battleSize / 2 } : {}),
    finished: true,
    ...(fought.winner === null ? {} : { winner: sides[fought.winner].id }),
    ...(fought.victorySize === null ? {} : { victorySize: fought.victorySize }),
    ...(random.chance(0.01) ? { archived: true } : {}),
    sides: [side(0), side(1)],
  };
}

type Score = Omit<TournamentSide, 'participant' | 'list'>;

/** Returns the recorded values of one side, without its identity. */
export function sideScore(
  random: Random,
  fought: Fought,
  which: 0 | 1,
  pack: Pack | undefined,
  habits: Habits,
  metrics: readonly MetricEntry[],
): Score {
  const rounds = habits.rounds ? roundEntries(random, fought, which, pack, habits, metrics) : undefined;
  const score: Score = { battlePoints: fought.battlePoints[which] };
  if (habits.totals || !habits.rounds) score.victoryPoints = fought.victoryPoints[which];
  if (pack?.objectives) {
    score.objectivePoints = fought.rounds.reduce((sum, round) => sum + round.held[which], 0);
  }
  if (pack?.battleTactics) {
    score.battleTacticsScored = fought.rounds.filter((round) => round.tactic[which]).length;
  }
  if (pack?.grandStrategies) {
    score.grandStrategy = random.pick(grandStrategies);
    score.grandStrategyScored = fought.grand[which];
  }
  if (habits.drops) score.drops = fought.drops[which];
  if (habits.roles) score.role = fought.attacker === which ? 'attacker' : 'defender';
  if (metrics.length > 0 && habits.metricTotals) score.metrics = metricTotals(random, metrics);
  if (rounds) score.rounds = rounds;
  return score;
}

function roundEntries(
  random: Random,
  fought: Fought,
  which: 0 | 1,
  pack: Pack | undefined,
  habits: Habits,
  metrics: readonly MetricEntry[],
): RoundEntry[] {
  // The members are set one by one because this runs ten times per battle, and spreading conditional objects
  // costs three times as much.
  return fought.rounds.map((round, index) => {
    const scored = round.tactic[which];
    const held = round.held[which];
    const entry: RoundEntry = { round: index + 1, victoryPoints: round.points[which] };
    if (pack?.objectives) entry.objectivePoints = held;
    if (pack?.objectives && habits.objectiveNames)
      entry.objectives = objectives.slice(0, Math.ceil(held / 2));
    if (pack?.battleTactics) {
      entry.battleTactic = random.pick(tactics);
      entry.battleTacticScored = scored;
    }
    entry.priority = round.priority === which;
    if (metrics.length > 0 && !habits.metricTotals) entry.metrics = roundMetrics(random, metrics);
    return entry;
  });
}

function roundMetrics(random: Random, metrics: readonly MetricEntry[]): Record<string, number | boolean> {
  return Object.fromEntries(
    metrics.map(({ name, type }) => [name, type === 'number' ? random.below(4) : random.chance(0.2)]),
  );
}

function metricTotals(random: Random, metrics: readonly MetricEntry[]): Record<string, number> {
  return Object.fromEntries(
    metrics.map(({ name, type }) => [name, type === 'number' ? random.below(20) / 2 : random.below(3)]),
  );
}

/** Returns the battle as it is when it has been paired, without any result. */
export function pairedEntry(entry: BattleEntry): BattleEntry {
  const { finished: _f, winner: _w, victorySize: _v, archived: _a, ...known } = entry;
  return {
    ...known,
    finished: false,
    sides: entry.sides.map(({ participant, faction, subFaction, list }) => ({
      participant,
      ...(faction === undefined ? {} : { faction }),
      ...(subFaction === undefined ? {} : { subFaction }),
      ...(list === undefined ? {} : { list }),
    })),
  };
}

/** Returns the battle after two of its rounds, if rounds are recorded. */
export function halfwayEntry(entry: BattleEntry): BattleEntry {
  const paired = pairedEntry(entry);
  return {
    ...paired,
    sides: paired.sides.map((side, which) => ({
      ...side,
      rounds: at(entry.sides, which).rounds?.slice(0, 2) ?? [],
    })),
  };
}
