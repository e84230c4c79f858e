// Short functions that create facts for tests. Values that a test does not give are empty.
import type {
  BattleFacts,
  ClubFacts,
  MatchFacts,
  ParticipantFacts,
  SideFacts,
  StageFacts,
  TournamentFacts,
} from '../../src/record/facts/facts.ts';
import type { FactsOf, Table } from '../../src/record/columns.ts';
import * as tables from '../../src/record/tables.ts';
import { resultsDigest } from '../../src/record/facts/results-digest.ts';

export function tournament(facts: Partial<TournamentFacts> = {}): TournamentFacts {
  return {
    ...defaultsOf(tables.tournament),
    slug: 'event',
    published: true,
    name: 'Event',
    status: 'ongoing',
    battleSize: 2000,
    battlePack: null,
    tournamentOrganizers: [],
    groups: [],
    stages: [],
    participants: [],
    rankings: [],
    byes: [],
    adjustments: [],
    battles: [],
    matches: [],
    ...facts,
  };
}

/** Returns what is recorded for a club of which the feed says only this. */
export const club = (facts: Partial<ClubFacts> & Pick<ClubFacts, 'slug' | 'name'>): ClubFacts => ({
  ...defaultsOf(tables.club),
  ...facts,
});

/** Returns the members that have a default. A caller gives the others. */
const defaultsOf = <Of extends Table>({ list }: Of) =>
  Object.fromEntries(list.map(({ member, fallback }) => [member, fallback])) as FactsOf<Of>;

/** Returns a registered player whose name is the id in capitals. */
export function participant(id: string, facts: Partial<ParticipantFacts> = {}): ParticipantFacts {
  return {
    id,
    playerId: `player-${id}`,
    name: id.toUpperCase(),
    erased: false,
    club: null,
    group: null,
    dropped: false,
    noShow: false,
    faction: null,
    list: null,
    finalPlacement: null,
    lot: 0,
    ...facts,
  };
}

export function stage(id: string, members: string[], facts: Partial<StageFacts> = {}): StageFacts {
  return {
    id,
    label: id,
    type: id.endsWith('swiss') ? 'board' : 'bracket',
    phase: id === 'swiss' ? 1 : 2,
    rounds: 1,
    grouped: false,
    everybody: false,
    members: members.map((member) => ({ participant: member, seed: null })),
    carriesOver: null,
    ...facts,
  };
}

export function side(id: string | null, facts: Partial<SideFacts> = {}): SideFacts {
  return {
    participant: id,
    playerId: id === null ? null : `player-${id}`,
    name: id === null ? 'Guest' : id.toUpperCase(),
    erased: false,
    club: null,
    faction: null,
    subFaction: null,
    battlePoints: null,
    victoryPoints: null,
    objectivePoints: null,
    battleTacticsScored: null,
    grandStrategy: null,
    grandStrategyScored: null,
    drops: null,
    role: null,
    metrics: {},
    list: null,
    rounds: [],
    ...facts,
  };
}

let battles = 0;

export function battle(facts: Partial<BattleFacts> & Pick<BattleFacts, 'sides'>): BattleFacts {
  battles += 1;
  return {
    id: `battle-${battles}`,
    tournament: 'event',
    stage: 'swiss',
    round: 1,
    table: null,
    date: null,
    scenario: null,
    battlePack: null,
    battleSize: 2000,
    club: null,
    finished: true,
    winner: null,
    victorySize: null,
    archived: false,
    arrived: null,
    ...facts,
  };
}

/**
 * Returns a finished battle between these two, with these battle and victory points. More victory points win.
 */
export function result(
  [first, firstBattlePoints, firstVictoryPoints]: [string, number, number],
  [second, secondBattlePoints, secondVictoryPoints]: [string, number, number],
  facts: Partial<BattleFacts> = {},
): BattleFacts {
  const lead = firstVictoryPoints - secondVictoryPoints;
  return battle({
    winner: lead === 0 ? null : lead > 0 ? 0 : 1,
    sides: [
      side(first, { battlePoints: firstBattlePoints, victoryPoints: firstVictoryPoints }),
      side(second, { battlePoints: secondBattlePoints, victoryPoints: secondVictoryPoints }),
    ],
    ...facts,
  });
}

export function match(
  stageId: string,
  round: number,
  position: number,
  players: string[],
  winner: string | null = null,
): MatchFacts {
  return { stage: stageId, round, position, name: null, table: position, players, winner, battle: null };
}

/** Returns a ranking in the order of the ids. Ids inside an array share a rank. */
export function ranking(
  facts: Pick<TournamentFacts, 'stages' | 'battles' | 'byes' | 'adjustments'>,
  stageId: string,
  afterRound: number,
  order: (string | string[])[],
): TournamentFacts['rankings'][0] {
  const ranks: Record<string, number> = {};
  let rank = 1;
  for (const ids of order.map((each) => [each].flat())) {
    for (const id of ids) ranks[id] = rank;
    rank += ids.length;
  }
  const of = facts.stages.find(({ id }) => id === stageId) ?? stage(stageId, []);
  return { stage: stageId, afterRound, ranks, results: resultsDigest(facts, of, afterRound) };
}

/** Returns the facts with these rankings, which refer to the present results. */
export const ranked = (
  facts: TournamentFacts,
  ...rankings: [stageId: string, afterRound: number, order: (string | string[])[]][]
): TournamentFacts => ({ ...facts, rankings: rankings.map((each) => ranking(facts, ...each)) });
