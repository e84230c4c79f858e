// Derives what happened round by round: the path of each participant, and how a board stood after each
// complete round.
import type {
  BattleOutline,
  ParticipantFacts,
  SideOutline,
  StageFacts,
  TournamentOutline,
} from '../../../record/facts/facts.ts';
import type { Board } from '../boards/board.ts';
import { victoryPointsOf } from '../boards/points.ts';
import { outcomeOf, type Tally } from '../boards/tally.ts';
import type { StageNow } from './current-round.ts';

/** A league may have hundreds of rounds. */
const most = { path: 40, ranks: 12 };

/**
 * Returns the path of each participant over these stages in their order. `PageOnlyRow.path` says what the
 * letters mean. The path of somebody who is playing one of the open battles reaches to the round before it, so
 * that its dot is in the right place even if they sat out a round.
 */
export function pathsOf(
  { battles, byes }: TournamentOutline,
  stages: readonly string[],
  open: readonly BattleOutline[],
): Map<string, string> {
  const all = stages.flatMap((stage) =>
    roundsOf([...battles, ...byes], stage).map((round) => ({ stage, round })),
  );
  const shown = all.slice(-most.path);
  const columns = new Map<string | null, Map<number | null, number>>(
    stages.map((stage) => [stage, new Map()]),
  );
  for (const [column, { stage, round }] of shown.entries()) columns.get(stage)?.set(round, column);
  const letters = new Map<string, string[]>();
  const put = (participant: string | null, column: number, letter: string) => {
    if (participant === null) return;
    let own = letters.get(participant);
    if (own === undefined) letters.set(participant, (own = shown.map(() => '-')));
    // Somebody may have two results in one round. The order in which facts are read must not decide which one
    // is shown.
    const before = own[column] ?? '-';
    own[column] = before === '-' || letter < before ? letter : before;
  };
  for (const { finished, winner, sides, stage, round } of battles) {
    const column = finished ? columns.get(stage)?.get(round) : undefined;
    if (column === undefined) continue;
    put(sides[0].participant, column, letterOf[outcomeOf(winner, 0)]);
    put(sides[1].participant, column, letterOf[outcomeOf(winner, 1)]);
  }
  for (const { participant, stage, round } of byes) {
    const column = columns.get(stage)?.get(round);
    if (column !== undefined) put(participant, column, 'B');
  }
  const paths = new Map([...letters].map(([id, own]) => [id, pathOf(own)]));
  // Nobody has a path before somebody has a result.
  for (const { sides, stage, round } of paths.size > 0 ? open : []) {
    for (const { participant } of sides) {
      const path = paths.get(participant ?? '') ?? '';
      if (participant !== null) paths.set(participant, path.padEnd(columns.get(stage)?.get(round) ?? 0, '-'));
    }
  }
  return paths;
}

function pathOf(letters: readonly string[]): string {
  const last = letters.findLastIndex((letter) => letter !== '-');
  return letters.slice(0, last + 1).join('');
}

const letterOf = { win: 'W', draw: 'D', loss: 'L' };

export interface AfterRounds {
  /**
   * The ranks of each participant in the group, one after each complete round. Null before the first result
   * of the participant, unless the organiser recorded a rank.
   */
  ranks: ReadonlyMap<string, (number | null)[]>;
  /**
   * The last complete round of each group, all rounds for which its participants have ranks, and who led after
   * the last one.
   */
  complete: readonly { group?: string; round: number; rounds: number[]; leaders: Led[] }[];
}

/** A participant with their record at that time. */
type Led = { id: string } & Pick<Tally, 'wins' | 'draws' | 'losses'>;

/**
 * Derives how the board stood after each complete round. `now` is undefined if the tournament is not ongoing.
 */
export function afterRounds(
  facts: TournamentOutline,
  stage: StageFacts,
  board: Board,
  now: StageNow | undefined,
): AfterRounds {
  const played = roundsOf([...facts.battles, ...facts.byes], stage.id);
  const ranked = facts.rankings.flatMap(({ stage: of, afterRound }) =>
    of === stage.id && afterRound > 0 ? afterRound : [],
  );
  const groupOf: GroupOf = new Map(
    board.ranked.map(({ participant: { id, group } }) => [id, stage.grouped ? (group ?? '') : '']),
  );
  const completeRound = lastCompleteRound(facts, stage, groupOf, now);
  // A round that the organiser has ranked is complete, even if one of its results is missing.
  const last = new Map(
    [...new Set(groupOf.values())].map((group) => [group, Math.max(completeRound(group), ...ranked)]),
  );
  const latest = Math.max(0, ...last.values());
  const known = [...new Set([...played, ...ranked])]
    .filter((round) => round <= latest)
    .toSorted((a, b) => a - b);
  if (!board.tallies.begun || known.length === 0) return { ranks: new Map(), complete: [] };
  const boards = new Set(facts.stages.flatMap(({ id, type }) => (type === 'board' ? [id] : [])));
  const isEarlier = (each: { stage: string | null; round: number | null }) =>
    each.stage === stage.id ? (each.round ?? 0) <= latest : boards.has(each.stage ?? '');
  // A result of the round that is being played changes none of this, and sorting a large board for each round
  // takes long. All stages and participants count, because the rank on an earlier board may break a tie.
  const inputs: Inputs = {
    text: JSON.stringify([
      facts.stages.map((each) => ({
        ...each,
        members: each.members.map(({ participant }) => participant).join(),
      })),
      facts.tieBreaks,
      [...last],
      // A round that the organiser has ranked may have battles without a result.
      known,
      facts.adjustments,
      facts.rankings,
      facts.byes.filter(isEarlier),
    ]),
    people: facts.participants,
    results: facts.battles.filter((battle) => battle.finished && isEarlier(battle)),
  };
  return memoized(`${facts.slug} ${stage.id}`, inputs, () =>
    ranksAfter(known.slice(-most.ranks), { board, isGrouped: stage.grouped, groupOf, last }),
  );
}

/** The group of each participant. Without groups, all of them are in ''. */
type GroupOf = ReadonlyMap<string, string>;

/** Returns a function that finds the last round of a group to which no result is still missing, or 0. */
function lastCompleteRound(
  facts: TournamentOutline,
  stage: StageFacts,
  groupOf: GroupOf,
  now: StageNow | undefined,
): (group: string) => number {
  const rounds = new Map(facts.battles.map((battle) => [battle.id, battle.round ?? 0]));
  const current = new Map(now?.now.map((each) => [each.group ?? '', each]));
  const lastPlayed = (group: string): number => {
    const isOwn = (id: string | null): boolean => groupOf.get(id ?? '') === group;
    const own = [
      ...facts.battles.filter(({ sides }) => sides.some(({ participant }) => isOwn(participant))),
      ...facts.byes.filter(({ participant }) => isOwn(participant)),
    ];
    return roundsOf(own, stage.id).at(-1) ?? 0;
  };
  return (group) => {
    const own = current.get(group);
    if (own === undefined) return lastPlayed(group);
    const firstOpen = Math.min(...own.open.map((id) => rounds.get(id) ?? 0));
    return Math.min(firstOpen - 1, own.isOver ? own.round : own.round - 1);
  };
}

interface Ranked {
  board: Board;
  isGrouped: boolean;
  groupOf: GroupOf;
  /** The last complete round of each group. */
  last: ReadonlyMap<string, number>;
}

function ranksAfter(rounds: readonly number[], { board, isGrouped, groupOf, last }: Ranked): AfterRounds {
  const ranks = new Map<string, (number | null)[]>();
  const complete = new Map<string, AfterRounds['complete'][0]>();
  for (const round of rounds) {
    const { ranked: rows, tallies, recorded } = board.after(round);
    const firsts = new Map<string, Led[]>();
    for (const { participant, rank } of rows) {
      const group = groupOf.get(participant.id) ?? '';
      if (round > (last.get(group) ?? 0)) continue;
      const { wins, draws, losses, hasResult } = tallies.of(participant.id);
      const isPlaced = hasResult || recorded !== undefined;
      const before = ranks.get(participant.id);
      if (before === undefined) ranks.set(participant.id, [isPlaced ? rank : null]);
      else before.push(isPlaced ? rank : null);
      if (rank !== 1) continue;
      const led = isPlaced ? [{ id: participant.id, wins, draws, losses }] : [];
      firsts.set(group, [...(firsts.get(group) ?? []), ...led]);
    }
    for (const [group, first] of firsts) {
      const leaders = first.length === 1 ? first : [];
      const ranksFor = rounds.filter((each) => each <= round);
      complete.set(group, { ...(isGrouped && { group }), round, rounds: ranksFor, leaders });
    }
  }
  // If the organiser ranks rounds, one without a ranking is not complete, and nobody has a rank after it.
  for (const [id, own] of ranks) {
    const group = groupOf.get(id) ?? '';
    const [end, counted] = [complete.get(group)?.round ?? 0, last.get(group) ?? 0];
    own.length -= rounds.filter((round) => round > end && round <= counted).length;
    if (own.length === 0) ranks.delete(id);
  }
  return { ranks, complete: [...complete.values()] };
}

interface Inputs {
  /** All inputs but the people and the results, as JSON. */
  text: string;
  people: readonly Pick<ParticipantFacts, 'id' | 'group' | 'lot' | 'noShow'>[];
  results: readonly Pick<BattleOutline, 'stage' | 'round' | 'winner' | 'sides'>[];
}

const memory = new Map<string, { inputs: Inputs; value: AfterRounds }>();

/**
 * Returns the value that was made last time if its inputs are still the same, and otherwise makes it. This
 * saves time because a publisher derives the same running tournaments again and again. Only the most recently
 * used values are kept.
 */
function memoized(key: string, inputs: Inputs, make: () => AfterRounds): AfterRounds {
  const found = memory.get(key);
  const isKnown = found !== undefined && areSame(found.inputs, inputs);
  const kept = isKnown ? found : { inputs: onlyInputs(inputs), value: make() };
  memory.delete(key);
  memory.set(key, kept);
  for (const oldest of memory.keys()) {
    if (memory.size <= 64) break;
    memory.delete(oldest);
  }
  return kept.value;
}

/**
 * Copies only what is compared. The facts of a whole tournament include its army lists, which must not stay
 * in memory.
 */
function onlyInputs({ text, people, results }: Inputs): Inputs {
  const sideOf = (side: SideOutline): SideOutline => ({
    participant: side.participant,
    faction: null,
    battlePoints: side.battlePoints,
    victoryPoints: victoryPointsOf(side),
  });
  return {
    text,
    people: people.map(({ id, group, lot, noShow }) => ({ id, group, lot, noShow })),
    results: results.map(({ stage, round, winner, sides: [a, b] }) => ({
      stage,
      round,
      winner,
      sides: [sideOf(a), sideOf(b)],
    })),
  };
}

function areSame(a: Inputs, b: Inputs): boolean {
  return (
    a.text === b.text &&
    areEqual(a.people, b.people, isSamePerson) &&
    areEqual(a.results, b.results, isSameResult)
  );
}

const areEqual = <One>(a: readonly One[], b: readonly One[], isSame: (a: One, b: One) => boolean): boolean =>
  a.length === b.length && a.every((each, at) => b[at] !== undefined && isSame(each, b[at]));

const isSamePerson = (a: Inputs['people'][0], b: Inputs['people'][0]): boolean =>
  a.id === b.id && a.group === b.group && a.lot === b.lot && a.noShow === b.noShow;

const isSameResult = (a: Inputs['results'][0], b: Inputs['results'][0]): boolean =>
  a.stage === b.stage &&
  a.round === b.round &&
  a.winner === b.winner &&
  isSameSide(a.sides[0], b.sides[0]) &&
  isSameSide(a.sides[1], b.sides[1]);

const isSameSide = (a: SideOutline, b: SideOutline): boolean =>
  a.participant === b.participant &&
  a.battlePoints === b.battlePoints &&
  victoryPointsOf(a) === victoryPointsOf(b);

function roundsOf(
  played: readonly { stage: string | null; round: number | null }[],
  stage: string,
): number[] {
  const rounds = new Set(played.flatMap((each) => (each.stage === stage ? [each.round ?? 0] : [])));
  return [...rounds].toSorted((a, b) => a - b);
}
