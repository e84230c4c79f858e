// Small events that are made to be close: there are few different scores, so every tie-break has to decide,
// in any order, over every kind of stage. The world in src/world resembles real life, where the first two
// tie-breaks settle most cases.
import {
  type AdjustmentEntry,
  type BattleEntry,
  type ByeEntry,
  knownTieBreaks,
  type MatchEntry,
  type ParticipantEntry,
  type RankingEntry,
  type StageEntry,
  type TieBreak,
} from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';

/** Yields the records of that many events and of everybody in them. The same seed gives the same records. */
export function* tightEvents(seed: number, events: number): Generator<FeedRecord> {
  const dice = new Dice(seed);
  yield { kind: 'battlePack', name: `Tight Pack ${seed}`, objectives: true };
  for (let club = 0; club < clubs; club++)
    yield { kind: 'club', slug: `tight-${seed}-${club}`, name: `Club ${club}` };
  for (let player = 0; player < players; player++) {
    // Two of every three names also belong to somebody else.
    yield { kind: 'player', id: `tight-${seed}-${player}`, name: `Player ${player % 20}` };
  }
  const organisers = new Dice(seed + 1);
  for (let event = 0; event < events; event++)
    yield* withRankings(organisers, tightEvent(dice, `tight-${seed}-event-${event}`, seed));
  for (let player = 0; player < players; player += 13)
    yield { kind: 'player', id: `tight-${seed}-${player}`, erased: true };
}

const clubs = 5;
const players = 60;

/** An event that is being made. */
interface Draft {
  slug: string;
  seed: number;
  dice: Dice;
  finished: boolean;
  /** The points that occur. The second set adds up to 0.3 in tenths, which is not exact in floating point. */
  scores: number[];
  participants: ParticipantEntry[];
  stages: StageEntry[];
  byes: ByeEntry[];
  adjustments: AdjustmentEntry[];
  battles: BattleEntry[];
  matches: MatchEntry[];
}

function tightEvent(dice: Dice, slug: string, seed: number): TournamentRecord {
  const status = dice.pick([
    'finished',
    'finished',
    'finished',
    'finished',
    'ongoing',
    'ongoing',
    'planned',
  ] as const);
  const groups = dice.chance(0.3) ? ['Group B', 'Group A', 'Group C'].slice(0, dice.between(1, 3)) : [];
  const draft: Draft = {
    slug,
    seed,
    dice,
    finished: status === 'finished',
    scores: dice.pick([
      [0, 1, 3],
      [0, 0.1, 0.2, 0.3],
      [0, 1],
      [0, 10, 20],
    ]),
    participants: tightParticipants(dice, seed, groups),
    stages: [],
    byes: [],
    adjustments: [],
    battles: [],
    matches: [],
  };
  const everybody = draft.participants.map(({ id }) => id);
  const rounds = dice.between(1, 4);
  draft.stages.push({
    id: 'swiss',
    label: 'Swiss Stage',
    type: 'board',
    rounds,
    grouped: groups.length > 0 && dice.chance(0.9),
  });
  if (status !== 'planned') {
    playBoard(draft, 'swiss', rounds, everybody);
    const knockout = dice.chance(0.5) ? playKnockout(draft, everybody) : [];
    if (dice.chance(0.4))
      playPlacementSwiss(
        draft,
        everybody.filter((id) => !knockout.includes(id)),
      );
  }
  const placements = dice.pick(['recorded', 'settled', 'settled', 'settled', 'never'] as const);
  if (placements === 'recorded') recordPlacements(draft);
  const { participants, stages, byes, adjustments, battles, matches } = draft;
  return {
    kind: 'tournament',
    slug,
    name: slug,
    status,
    battleSize: 2000,
    ...(dice.chance(0.5) ? { battlePack: `Tight Pack ${seed}` } : {}),
    ...(dice.chance(0.5) ? { organizer: `tight-${seed}-${dice.between(0, clubs - 1)}` } : {}),
    published: !dice.chance(0.03),
    placementsRecorded: placements !== 'never',
    ...(dice.chance(0.8) ? { tieBreaks: tieBreaks(dice) } : {}),
    groups,
    stages: toldStages(dice, stages),
    participants,
    byes,
    adjustments,
    battles,
    matches,
  };
}

/**
 * Lets some organisers record their own rankings, and some of them for all boards and by tie-breaks that
 * nobody else knows.
 */
function* withRankings(dice: Dice, event: TournamentRecord): Generator<FeedRecord> {
  const { slug, stages = [], participants = [] } = event;
  const boards = stages.filter(({ type }) => type === 'board');
  const isAll = dice.chance(0.15);
  const recorded = new Set(boards.filter(() => isAll || dice.chance(0.2)).map(({ id }) => id));
  // Two participants who share a rank on both sides of a cut would need seeds.
  const isCut = stages.some(({ id, members }) => id === 'knockout' && members);
  const ranksOf = ({ id, grouped, members }: StageEntry): Ranks => {
    const there = participants.filter(
      (one) => !members || members.some((each) => each.participant === one.id),
    );
    const shared = id === 'swiss' && isCut ? 1 : dice.pick([1, 1, 2, 3]);
    const share = dice.pick([0, 0.7, 0.9, 1, 1]);
    return [...Map.groupBy(there, ({ group }) => (grouped ? group : undefined)).values()].flatMap((field) =>
      dice
        .shuffled(field)
        .filter(() => dice.chance(share))
        .map((one, at) => ({ participant: one.id, rank: Math.floor(at / shared) + 1 })),
    );
  };
  yield {
    ...event,
    ...(isAll && boards.length > 0 && { tieBreaks: dice.shuffled(['painting', 'wins', 'battlePoints']) }),
    stages: stages.map((stage) =>
      recorded.has(stage.id)
        ? { ...stage, ranking: { afterRound: dice.between(0, stage.rounds), ranks: ranksOf(stage) } }
        : stage,
    ),
  };
  // Some send each round in a separate record. The highest round decides.
  for (const stage of boards) {
    if (!recorded.has(stage.id) || !dice.chance(0.3)) continue;
    const rounds = dice.shuffled(Array.from({ length: stage.rounds }, (_, at) => at + 1));
    for (const afterRound of rounds)
      yield { kind: 'ranking', tournament: slug, stage: stage.id, afterRound, ranks: ranksOf(stage) };
  }
}

type Ranks = RankingEntry['ranks'];

/** Returns the stages after `swiss` in any order. In some events all stages have the same phase. */
function toldStages(dice: Dice, [swiss, ...others]: StageEntry[]): StageEntry[] {
  const told = [...(swiss ? [swiss] : []), ...dice.shuffled(others)];
  return dice.chance(0.2) ? told.map((stage) => ({ ...stage, phase: 1 })) : told;
}

function tieBreaks(dice: Dice): TieBreak[] {
  return dice.shuffled(knownTieBreaks).slice(0, dice.between(0, knownTieBreaks.length));
}

function tightParticipants(dice: Dice, seed: number, groups: string[]): ParticipantEntry[] {
  const registered = dice.shuffled(Array.from({ length: players }, (_, number) => number));
  return Array.from({ length: dice.between(2, 14) }, (_, number) => ({
    id: `p${number}`,
    ...(dice.chance(0.2)
      ? { name: `Guest ${dice.between(1, 4)}` }
      : { player: `tight-${seed}-${registered[number] ?? 0}` }),
    ...(groups.length > 0 ? { group: dice.pick(groups) } : {}),
    ...(dice.chance(0.4) ? { club: `tight-${seed}-${dice.between(0, clubs - 1)}` } : {}),
    ...(dice.chance(0.5) ? { faction: dice.pick(['Lanternsworn', 'Marrow Choir']) } : {}),
    // If two of them share a lot, the id decides.
    ...(dice.chance(0.5) ? { lot: dice.between(0, 5) } : {}),
    dropped: dice.chance(0.1),
    noShow: dice.chance(0.07),
  }));
}

/**
 * Pairs those who are present at random. They may meet again, so that head-to-head covers more than one game.
 */
function playBoard(draft: Draft, stage: string, rounds: number, members: string[]): void {
  const { dice, slug } = draft;
  // Some were marked as no-shows only after they had been paired, and have a result.
  const lax = dice.chance(0.2);
  const there = draft.participants.filter(({ id, noShow }) => members.includes(id) && (lax || !noShow));
  const inGroups = draft.stages.some(({ id, grouped }) => id === stage && grouped);
  const fields = inGroups ? [...new Set(there.map(({ group }) => group))] : [undefined];
  // Some boards are never played.
  const played = dice.chance(0.85) ? rounds : 0;
  for (let round = 1; round <= played; round++) {
    for (const field of fields) {
      const waiting = dice.shuffled(
        there.filter(({ group }) => !inGroups || group === field).map(({ id }) => id),
      );
      while (waiting.length > 1) {
        const pair = waiting.splice(0, 2);
        if (dice.chance(0.1)) continue;
        draft.battles.push(tightBattle(draft, `${slug}-${draft.battles.length}`, stage, round, pair));
      }
      for (const participant of waiting)
        if (dice.chance(0.8)) draft.byes.push(tightBye(draft, stage, round, participant));
    }
  }
  for (const participant of members) {
    if (!dice.chance(0.08)) continue;
    draft.adjustments.push({
      stage,
      participant,
      battlePoints: dice.pick([-1, 0, 0.1, 1]),
      victoryPoints: dice.pick([0, 0, -5, 5]),
      victoryPointsDiff: dice.pick([0, 0, -5, 5]),
    });
  }
}

const tightBye = ({ dice, scores }: Draft, stage: string, round: number, participant: string): ByeEntry => ({
  stage,
  round,
  participant,
  win: dice.chance(0.7),
  battlePoints: dice.pick(scores),
  victoryPoints: dice.pick([0, 10]),
  victoryPointsDiff: dice.pick([0, 0, 5]),
});

function tightBattle(draft: Draft, id: string, stage: string, round: number, pair: string[]): BattleEntry {
  const { dice, scores } = draft;
  const finished = dice.chance(draft.finished ? 0.97 : 0.8);
  const winner = finished && dice.chance(0.8) ? dice.pick(pair) : null;
  return {
    id,
    stage,
    round,
    finished,
    winner,
    archived: dice.chance(0.05),
    ...(dice.chance(0.9) ? { date: `2025-03-0${dice.between(1, 4)}` } : {}),
    ...(winner !== null && dice.chance(0.7) ? { victorySize: dice.pick(['major', 'minor'] as const) } : {}),
    sides: pair.map((participant) => ({
      participant,
      ...(finished && dice.chance(0.95) ? { battlePoints: dice.pick(scores) } : {}),
      ...(dice.chance(0.6)
        ? { victoryPoints: dice.pick([0, 10, 20]) }
        : { rounds: [1, 2].map((number) => ({ round: number, victoryPoints: dice.pick([0, 5, 10]) })) }),
      ...factionOf(draft, participant),
    })),
  };
}

/**
 * Returns a faction. Nobody plays another one than at sign-up; those who signed up without one may play any.
 */
function factionOf({ dice, participants }: Draft, participant: string): { faction?: string } {
  const own = participants.find(({ id }) => id === participant)?.faction;
  if (!dice.chance(0.7)) return {};
  return { faction: own ?? dice.pick(['Quarry Giants', 'Moth Parliament', 'Starless Pact']) };
}

/** Plays a knockout, and returns its participants. */
function playKnockout(draft: Draft, everybody: string[]): string[] {
  const { dice } = draft;
  const there = everybody.filter((id) => !draft.participants.some((each) => each.id === id && each.noShow));
  const size = Math.min(dice.pick([2, 3, 4, 4, 5, 6, 8, 8]), there.length);
  if (size < 2) return [];
  const members = dice.shuffled(there).slice(0, size);
  const rounds = Math.ceil(Math.log2(size));
  const seeded = dice.pick([0, 0.5, 1, 1]);
  const listed = members.map((participant, at) => ({
    participant,
    ...(dice.chance(seeded) ? { seed: at + 1 } : {}),
  }));
  draft.stages.push({
    id: 'knockout',
    label: 'Top Cut',
    type: 'bracket',
    rounds,
    ...(dice.chance(0.3) ? {} : { members: listed }),
  });
  const named = dice.chance(0.5);
  let through: (string | undefined)[] = Array.from({ length: 2 ** rounds }, (_, at) => members[at]);
  for (let round = 1; round <= rounds; round++) {
    const losers: string[] = [];
    const next: (string | undefined)[] = [];
    const half = through.length / 2;
    for (let at = 0; at < half; at++) {
      const pair = [through[at], through[through.length - 1 - at]].filter((id) => id !== undefined);
      if (pair.length < 2) {
        next.push(pair[0]);
        continue;
      }
      const winner = playMatch(draft, 'knockout', round, at + 1, pair, named ? `Round ${round}` : undefined);
      if (winner === undefined) return members;
      next.push(winner);
      losers.push(...pair.filter((id) => id !== winner));
    }
    through = next;
    if (losers.length === 2 && half === 2 && dice.chance(0.7)) playPlacements(draft, 3, losers);
    if (losers.length === 4 && half === 4 && dice.chance(0.7)) playPlacements(draft, 5, losers);
  }
  return members;
}

/**
 * Plays a bracket for the placements from `best` on: winners play on for the better half, losers for the
 * other.
 */
function playPlacements(draft: Draft, best: number, members: string[]): void {
  const stage = members.length === 2 ? `placement-${best}` : `placement-${best}-${best + members.length - 1}`;
  const rounds = Math.log2(members.length);
  draft.stages.push({
    id: stage,
    label: `Places from ${best}`,
    type: 'bracket',
    rounds,
    members: members.map((participant) => ({ participant })),
  });
  let bands = [draft.dice.shuffled(members)];
  for (let round = 1; round <= rounds; round++) {
    let position = 0;
    const next: string[][] = [];
    for (const band of bands) {
      const [winners, losers]: [string[], string[]] = [[], []];
      for (let at = 0; at < band.length; at += 2) {
        const pair = band.slice(at, at + 2);
        const winner = playMatch(draft, stage, round, ++position, pair, undefined);
        if (winner === undefined) return;
        winners.push(winner);
        losers.push(...pair.filter((id) => id !== winner));
      }
      next.push(winners, losers);
    }
    bands = next;
  }
}

/**
 * Returns who advances. Undefined while the match is still to be played, in which case the bracket goes no
 * further.
 */
function playMatch(
  draft: Draft,
  stage: string,
  round: number,
  position: number,
  pair: string[],
  name: string | undefined,
): string | undefined {
  const { dice } = draft;
  const match: MatchEntry = {
    stage,
    round,
    position,
    table: position,
    ...(name === undefined ? {} : { name }),
  };
  draft.matches.push(match);
  if (!draft.finished && dice.chance(0.2)) {
    match.players = pair.slice(0, dice.between(0, 2));
    return undefined;
  }
  match.players = pair;
  match.winner = dice.pick(pair);
  if (dice.chance(0.85)) {
    const battle = tightBattle(draft, `${draft.slug}-${draft.battles.length}`, stage, round, pair);
    draft.battles.push(battle);
    match.battle = battle.id;
  }
  return match.winner;
}

function playPlacementSwiss(draft: Draft, members: string[]): void {
  const { dice } = draft;
  const rounds = dice.between(1, 2);
  draft.stages.push({
    id: 'placement-swiss',
    label: 'Everybody else',
    type: 'board',
    rounds,
    members: members.map((participant) => ({ participant })),
    ...(dice.chance(0.5) ? { carriesOver: 'swiss' as const } : {}),
  });
  playBoard(draft, 'placement-swiss', rounds, members);
}

/**
 * Records placements as platforms do: mostly 1 to n, now and then with a placement shared by two, or only for
 * those who stayed.
 */
function recordPlacements({ participants, dice }: Draft): void {
  const there = dice.shuffled(participants.filter(({ noShow }) => noShow !== true));
  const shared = dice.chance(0.2) ? 2 : 1;
  const partly = dice.chance(0.2);
  for (const [at, participant] of there.entries()) {
    if (!partly || dice.chance(0.7)) participant.finalPlacement = Math.floor(at / shared) + 1;
  }
}

/** Mulberry32, which is small and gives the same numbers on every machine. */
class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  chance(share: number): boolean {
    return this.#next() < share;
  }
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }
  pick<T>(list: readonly T[]): T {
    const one = list[this.between(0, list.length - 1)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  }
  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as T);
  }
}
