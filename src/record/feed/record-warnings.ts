// Warnings about one record that is valid but probably contains a mistake.
import { pathInRecord, within } from './check-values.ts';
import type { Warning } from './warning.ts';
import { expected, found } from './problem.ts';
import type { FeedRecord, TournamentRecord } from './records.ts';
import {
  type ArmyListEntry,
  type BattleEntry,
  type CasualBattleRecord,
  type CasualSide,
  groupStage,
  type StageEntry,
  type TournamentSide,
} from './tournament-records.ts';

export function recordWarnings(record: FeedRecord): Warning[] {
  const warnings: Warning[] = [];
  if (record.kind === 'tournament') {
    warnOfLabels(record.stages ?? [], warnings);
    for (const [index, battle] of (record.battles ?? []).entries()) {
      warnOfBattle(battle, pathInRecord('battles', index), warnings);
    }
  } else if (record.kind === 'battle') warnOfBattle(record, '', warnings);
  return warnings;
}

function warnOfBattle(battle: BattleEntry | CasualBattleRecord, at: string, warnings: Warning[]): void {
  for (const [index, side] of battle.sides.entries()) {
    warnOfSubFaction(side, subFactionOf(side.list), within(at, `sides[${index}]`), warnings);
  }
  const [first, second] = battle.sides;
  if (!first || !second) return;
  warnOfTotals([first, second], at, warnings);
  if (!battle.finished) return;
  const winner = winnerOf(battle);
  for (const [key, noun] of scores) {
    const points = [pointsOf(first, key), pointsOf(second, key)] as const;
    const warning = warnOfScore(points, winner, noun, battle.winner);
    if (!warning) continue;
    // One mistake usually shows in both scores, and one warning is enough.
    warnings.push({ ...warning, path: within(at, 'winner') });
    return;
  }
}

const scores = [
  ['victoryPoints', 'victory points'],
  ['battlePoints', 'battle points'],
] as const;

function warnOfScore(
  [first, second]: readonly [number | null, number | null],
  winner: number | null,
  noun: string,
  named: unknown,
): Warning | undefined {
  if (first === null || second === null || first === second) return undefined;
  const score = `${first} to ${second} ${noun}`;
  if (winner === null) {
    const message = `expected a winner or equal scores, found a draw with ${score}`;
    return { kind: 'draw', path: '', message };
  }
  if (winner === (first > second ? 0 : 1)) return undefined;
  const wanted = `the side with more points (${score})`;
  return { kind: 'winner', ...expected('', wanted, named) };
}

function winnerOf({ winner, sides }: BattleEntry | CasualBattleRecord): number | null {
  if (typeof winner === 'number') return winner - 1;
  return winner ? sides.findIndex((side) => idOf(side) === winner) : null;
}

const idOf = (side: TournamentSide | CasualSide): string | null | undefined =>
  'participant' in side ? side.participant : (side.player ?? side.name);

/**
 * Returns null if the points are unknown. Without a total, the victory points are the sum of the rounds, as
 * in the published battle.
 */
function pointsOf(side: TournamentSide | CasualSide, key: 'victoryPoints' | 'battlePoints'): number | null {
  const total = side[key] ?? null;
  if (total !== null || key === 'battlePoints' || !side.rounds || side.rounds.length === 0) return total;
  return sumOfRounds(side);
}

export function sumOfRounds({ rounds = [] }: Pick<TournamentSide, 'rounds'>): number {
  // Add hundredths, so that the sum is exact.
  let sum = 0;
  for (const { victoryPoints = 0 } of rounds) sum += Math.round(victoryPoints * 100);
  return sum / 100;
}

/**
 * Warns of a total that is less than the sum of its rounds. It may be more, because a pack may give points at
 * the end. If a round is known for only one side, rounds are missing, so there is no warning.
 */
function warnOfTotals(
  sides: readonly [TournamentSide | CasualSide, TournamentSide | CasualSide],
  at: string,
  warnings: Warning[],
): void {
  const [first, second] = sides.map(({ rounds = [] }) =>
    rounds
      .map(({ round }) => round)
      .toSorted((a, b) => a - b)
      .join(),
  );
  if (first === '' || first !== second) return;
  for (const [index, side] of sides.entries()) {
    const sum = sumOfRounds(side);
    if ((side.victoryPoints ?? sum) >= sum) continue;
    const path = within(at, `sides[${index}].victoryPoints`);
    const wanted = `at least ${sum}, the sum of the rounds`;
    warnings.push({ kind: 'total', ...expected(path, wanted, side.victoryPoints) });
  }
}

/**
 * Warns of another label than the one that the specification gives to the stage. `name` is also what the
 * organiser sees, so the other label is recorded.
 */
function warnOfLabels(stages: StageEntry[], warnings: Warning[]): void {
  for (const [index, { id, grouped, label }] of stages.entries()) {
    if (id !== 'swiss' || !grouped || (label ?? groupStage) === groupStage) continue;
    // The message leaves out the label itself, because it may name an erased person.
    const message = `expected ${found(groupStage)} for a grouped swiss, found another label`;
    warnings.push({ kind: 'label', path: `stages[${index}].label`, message });
  }
}

/**
 * Returns the sub-faction that a list decides, even if it is empty. Null means that the side's own is shown.
 */
export function subFactionOf(list: ArmyListEntry | null | undefined): string | null {
  if (!list) return null;
  return list.text === undefined ? list.subFaction || null : list.subFaction;
}

function warnOfSubFaction(
  { subFaction }: TournamentSide | CasualSide,
  shown: string | null,
  at: string,
  warnings: Warning[],
): void {
  if (!subFaction || shown === null || subFaction === shown) return;
  const wanted = `the list's sub-faction (${found(shown)})`;
  warnings.push({ kind: 'subFaction', ...expected(`${at}.subFaction`, wanted, subFaction) });
}

/**
 * Warns of sides without a list of their own, for which the participant's list decides. `listed` is by
 * participant.
 */
export function subFactionWarnings(
  { battles = [] }: Pick<TournamentRecord, 'battles'>,
  listed: ReadonlyMap<string, { listSubFaction: string | null }>,
  pathOf: (part: string, index: number) => string,
): Warning[] {
  const warnings: Warning[] = [];
  for (const [index, { sides }] of battles.entries()) {
    for (const [which, side] of sides.entries()) {
      const shown = side.list ? null : (listed.get(side.participant)?.listSubFaction ?? null);
      warnOfSubFaction(side, shown, `${pathOf('battles', index)}sides[${which}]`, warnings);
    }
  }
  return warnings;
}

/** Warns of rounds that the stage does not have. `rounds` is the number of rounds of each stage. */
export function roundWarnings(
  parts: Pick<TournamentRecord, 'battles' | 'byes' | 'matches'>,
  rounds: ReadonlyMap<string, number>,
  pathOf: (part: string, index: number) => string,
): Warning[] {
  const warnings: Warning[] = [];
  for (const part of ['battles', 'byes', 'matches'] as const) {
    for (const [index, { stage, round }] of (parts[part] ?? []).entries()) {
      const most = rounds.get(stage) ?? Infinity;
      if (round <= most) continue;
      const wanted = `at most ${most}, the rounds of ${stage}`;
      warnings.push({ kind: 'round', ...expected(`${pathOf(part, index)}round`, wanted, round) });
    }
  }
  return warnings;
}

/** A battle or bye of a participant in a round of a stage. */
export interface Played {
  stage: string;
  round: number;
  participant: string;
  /** The id of the battle, or `aBye`. */
  what: string;
}

/** Stands for a bye, because no id is empty. */
export const aBye = '';

/**
 * Warns of two battles of one participant in one round, or of a battle and a bye, which are often two people
 * with the same name. `recorded` returns what is recorded besides the element itself.
 */
export function twiceWarnings(
  parts: Pick<TournamentRecord, 'battles' | 'byes'>,
  recorded: (played: Played) => string | undefined,
  pathOf: (part: string, index: number) => string,
): Warning[] {
  const warnings: Warning[] = [];
  const seen = new Map<string, string>();
  /** Returns what else the participant plays in the round. */
  const look = (played: Played, path: string, sent?: string): string | undefined => {
    const { stage, round, participant, what } = played;
    const key = `${stage} ${round} ${participant}`;
    const other = seen.get(key) ?? recorded(played);
    if (other === undefined) seen.set(key, what);
    else if (other !== sent) {
      const wanted = `one battle or bye of ${found(participant)} in round ${round} of ${stage}`;
      const message = `expected ${wanted}, found ${nameOf(other)} and ${nameOf(what)}`;
      warnings.push({ kind: 'twice', path, message });
    }
    return other;
  };
  for (const [index, { id, stage, round, sides }] of (parts.battles ?? []).entries()) {
    let sent: string | undefined;
    for (const [side, { participant }] of sides.entries()) {
      const path = `${pathOf('battles', index)}sides[${side}].participant`;
      // A battle that was sent twice has two such sides, and one warning is enough.
      sent = look({ stage, round, participant, what: id }, path, sent);
    }
  }
  for (const [index, { stage, round, participant }] of (parts.byes ?? []).entries()) {
    look({ stage, round, participant, what: aBye }, `${pathOf('byes', index)}participant`);
  }
  return warnings;
}

const nameOf = (what: string): string => (what === aBye ? 'a bye' : `battle ${found(what)}`);
