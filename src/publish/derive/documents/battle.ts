// Derives a battle, both as lists show it and in full.
import type {
  Battle,
  BattleDetail,
  BattlePlayer,
  BattlePlayerDetail,
  PlayerRound,
} from '../../../contract/battle.ts';
import type {
  BattleFacts,
  ListFacts,
  ParticipantFacts,
  RoundFacts,
  SideFacts,
  TournamentFacts,
} from '../../../record/facts/facts.ts';
import { armyListDocument } from './participant.ts';
import { filled, type Unaddressed } from '../fragments/checked-document.ts';
import { factionOf } from '../factions/faction.ts';
import { shownName, shownPlayerId } from '../fragments/people.ts';
import { sumOfPoints, victoryPointsOf } from '../boards/points.ts';
import { compareText } from '../../../text/fold.ts';
import { outcomeOf } from '../boards/tally.ts';

/** The facts of the tournament that the documents of a battle need. */
export interface BattleContext {
  /** The slug of the club that runs the tournament. */
  organizer: string | null;
  /** The metrics in the order in which the documents list them. */
  metrics: TournamentFacts['metrics'];
  /** The position of each stage in running order, from 1. */
  stageOrder: ReadonlyMap<string, number>;
  /** The participants by id. At least those on the two sides of the battle have their lists. */
  participants: ReadonlyMap<string, ParticipantFacts>;
}

export function battleContext(
  facts: Pick<TournamentFacts, 'organizer' | 'metrics' | 'stages' | 'participants'>,
): BattleContext {
  return {
    organizer: facts.organizer,
    metrics: facts.metrics,
    stageOrder: new Map(facts.stages.map(({ id }, index) => [id, index + 1])),
    participants: new Map(facts.participants.map((participant) => [participant.id, participant])),
  };
}

export const casual: BattleContext = {
  organizer: null,
  metrics: [],
  stageOrder: new Map(),
  participants: new Map(),
};

/** Returns both forms at once, because they differ only in the sides. */
export function battleResources(
  battle: BattleFacts,
  context: BattleContext,
): { listing: Unaddressed<Battle>; full: Unaddressed<BattleDetail> } {
  const first = battlePlayer(battle, 0, context);
  const second = battlePlayer(battle, 1, context);
  const fullSides = [inFull(first, battle.sides[0], context), inFull(second, battle.sides[1], context)];
  return {
    listing: battleWith([first, second], battle),
    full: battleWith(fullSides, battle),
  };
}

/**
 * Returns the players whose lists show the battle: no guests, no erased players, and nobody if it is
 * archived.
 */
export function playersOf({ archived, sides }: BattleFacts): string[] {
  if (archived) return [];
  return sides.flatMap((side) => shownPlayerId(side) ?? []);
}

/**
 * Returns the clubs that the battle is connected to. In a tournament, these are the club that runs it and the
 * clubs of the two sides; otherwise, the club that the battle was logged under.
 */
export function clubsOf({ tournament, club, sides }: BattleFacts, { organizer }: BattleContext): string[] {
  const named = tournament === null ? [club] : [organizer, sides[0].club, sides[1].club];
  const connected = named.filter((slug) => slug !== null);
  return [...new Set(connected)].toSorted(compareText);
}

/** Lists each field explicitly. */
function battleWith<Side>(players: Side[], battle: BattleFacts) {
  return {
    id: battle.id,
    date: battle.date,
    tournament: battle.tournament,
    stage: battle.stage,
    round: battle.round,
    scenario: battle.scenario,
    battlePack: battle.battlePack?.name ?? null,
    battleSize: battle.battleSize,
    winner: battle.finished && battle.winner !== null ? shownName(battle.sides[battle.winner]) : null,
    victorySize: battle.finished ? battle.victorySize : null,
    players,
  };
}

/** Lists each field explicitly. Some exist only when the battle pack scores them. */
function battlePlayer(battle: BattleFacts, index: 0 | 1, context: BattleContext): BattlePlayer {
  const side = battle.sides[index];
  const pack = battle.battlePack;
  return filled<BattlePlayer>()({
    player: shownName(side),
    playerId: shownPlayerId(side),
    faction: factionOf(side, context.participants.get(side.participant ?? '')),
    subFaction: subFactionOf(side, listOf(side, context)),
    outcome: battle.finished ? outcomeOf(battle.winner, index) : null,
    battlePoints: battle.finished ? side.battlePoints : null,
    victoryPoints: victoryPointsOf(side),
    ...(pack?.objectives && { objectivePoints: objectivePoints(side) }),
    ...(pack?.battleTactics && { battleTacticsScored: battleTacticsScored(side) }),
    ...(pack?.grandStrategies && {
      grandStrategy: side.grandStrategy,
      grandStrategyScored: side.grandStrategyScored ?? false,
    }),
    drops: side.drops,
    role: side.role,
    metrics: metrics(side, context),
  });
}

function inFull(player: BattlePlayer, side: SideFacts, context: BattleContext): BattlePlayerDetail {
  const list = listOf(side, context);
  return filled<BattlePlayerDetail>()({
    ...player,
    list: list && armyListDocument(list),
    rounds: side.rounds.toSorted((a, b) => a.round - b.round).map(playerRound),
  });
}

/** Lists each field explicitly. */
function playerRound(round: RoundFacts): PlayerRound {
  return {
    round: round.round,
    victoryPoints: round.victoryPoints,
    objectivePoints: round.objectivePoints,
    objectives: round.objectives,
    battleTactic: round.battleTactic,
    battleTacticScored: round.battleTacticScored,
    priority: round.priority,
  };
}

/** Returns the list used in the battle, otherwise the participant's. */
function listOf({ list, participant }: SideFacts, { participants }: BattleContext): ListFacts | null {
  return list ?? participants.get(participant ?? '')?.list ?? null;
}

/**
 * Returns the sub-faction of a whole list, even if it is empty. Without a whole list, an empty sub-faction
 * says nothing, so the side's own is used instead.
 */
function subFactionOf({ subFaction }: SideFacts, list: ListFacts | null): string | null {
  if (list && 'text' in list) return list.subFaction;
  return list?.subFaction || subFaction || null;
}

function objectivePoints(side: SideFacts): number {
  return side.objectivePoints ?? sumOfPoints(side.rounds.map((round) => round.objectivePoints));
}

function battleTacticsScored(side: SideFacts): number {
  return side.battleTacticsScored ?? side.rounds.filter((round) => round.battleTacticScored).length;
}

/**
 * Returns the metrics by name: the recorded total, otherwise the sum or count over the rounds. A metric
 * without any value is absent.
 */
function metrics(side: SideFacts, context: BattleContext): Record<string, number> {
  const values = new Map<string, number[]>();
  for (const round of side.rounds) {
    for (const [name, value] of Object.entries(round.metrics)) {
      const counted = typeof value === 'boolean' ? Number(value) : value;
      const before = values.get(name);
      if (before) before.push(counted);
      else values.set(name, [counted]);
    }
  }
  for (const [name, total] of Object.entries(side.metrics)) values.set(name, [total]);
  if (values.size === 0) return {};
  const order = new Map(context.metrics.map(({ name }, index) => [name, index]));
  const position = (name: string): number => order.get(name) ?? order.size;
  return Object.fromEntries(
    [...values]
      .toSorted(([a], [b]) => position(a) - position(b) || compareText(a, b))
      .map(([name, each]) => [name, sumOfPoints(each)]),
  );
}
