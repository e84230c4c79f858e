import type { BattleOutline } from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';
import type { PlayedRound, StageNow } from './current-round.ts';
import { battleView, type People } from './battle-view.ts';
import type { BattleView, Leader, MatchView, NowView, Pairings, RoundNow } from '../../../published/views.ts';

/** Limits that keep pages short. The round has a page of its own. */
const most = { open: 8, done: 8, missing: 3, tables: 60 };

interface Played {
  now: NowView;
  pairings: Pairings;
}

type Battles = ReadonlyMap<string, BattleOutline>;

/** Returns undefined if nothing of the board is being played. */
export function boardNow(
  stage: string,
  stageNow: StageNow,
  battles: Battles,
  people: People,
): Played | undefined {
  const { now } = stageNow;
  if (now.length === 0) return undefined;
  const view = (id: string): BattleView[] => {
    const battle = battles.get(id);
    return battle ? [battleView(battle, people)] : [];
  };
  const rounds = now.map((round) => ({
    ...roundNow(round),
    open: round.open.flatMap(view),
    done: round.done.flatMap(view),
  }));
  const isOver = rounds.every((round) => round.isOver);
  const playing = isOver ? rounds : rounds.filter((round) => !round.isOver);
  const open = rounds.map((round) => round.open);
  const done = playing.map((round) => round.done);
  return {
    now: nowView(stage, stageNow, battles, {
      finalists: [],
      open: byTable(inTurn(open, most.open)).toSorted((a, b) => b.round - a.round),
      done: byTable(inTurn(done, most.done)),
      counts: { open: open.flat().length, done: done.flat().length },
      tables: tablesOf(playing.flatMap((round) => [...round.open, ...round.done])),
    }),
    pairings: rounds.map((round) => ({ ...round, stage })),
  };
}

/**
 * Shows every match with two known players, of any round, then the matches in which one player is waiting.
 * Undefined if nothing of the bracket is being played.
 */
export function bracketNow(
  stage: string,
  stageNow: StageNow,
  finalists: Leader[],
  battles: Battles,
  drawn: { view: { matches: readonly MatchView[] }; pairings: readonly BattleView[] },
): Played | undefined {
  const { now } = stageNow;
  if (now.length === 0) return undefined;
  const rounds = new Set(now.map(({ round }) => round));
  const isOpen = ({ state }: BattleView) => state === 'open';
  const isDone = ({ round, state }: BattleView) => state === 'over' && rounds.has(round);
  const { matches } = drawn.view;
  const playable = matches.filter(isOpen);
  const open = [...playable, ...matches.filter(({ waitsFor }) => waitsFor !== undefined)];
  const done = matches.filter(isDone);
  return {
    now: nowView(stage, stageNow, battles, {
      finalists,
      open,
      done,
      counts: { open: playable.length, done: done.length },
      tables: tablesOf(matches.filter(({ round }) => rounds.has(round))),
    }),
    pairings: now.map((round) => ({
      ...roundNow(round),
      stage,
      open: drawn.pairings.filter(isOpen),
      done: drawn.pairings.filter(isDone),
    })),
  };
}

function nowView(
  stage: string,
  { now, total, results, missing }: StageNow,
  battles: Battles,
  shown: Pick<NowView, 'finalists' | 'open' | 'done' | 'counts' | 'tables'>,
): NowView {
  const playing = now.some(({ isOver }) => !isOver) ? now.filter(({ isOver }) => !isOver) : now;
  const scenarios = new Set(playing.map((each) => each.scenario));
  const [scenario] = scenarios.size === 1 ? scenarios : [];
  return {
    stage,
    now: now.map(roundNow),
    total,
    results,
    ...(scenario !== undefined && { scenario }),
    ...shown,
    missing,
    firstMissing: byTable(missing.slice(0, most.missing + 1).flatMap((id) => battles.get(id) ?? []))
      .slice(0, most.missing)
      .map(({ id, round, table }) => ({ battle: id, round: round ?? 0, table })),
  };
}

/**
 * Returns a digit for each battle, by table: `1` has a result. It is empty for more battles than can be drawn
 * wide enough to see.
 */
const tablesOf = (battles: readonly BattleView[]): string =>
  battles.length > most.tables
    ? ''
    : byTable(battles)
        .map(({ state }) => (state === 'over' ? '1' : '0'))
        .join('');

const roundNow = ({ done: _done, open: _open, scenario: _scenario, ...round }: PlayedRound): RoundNow =>
  round;

/** Takes the first of each list, then the second of each, and so on. */
function inTurn<One>(lists: readonly (readonly One[])[], count: number): One[] {
  const longest = Math.min(count, Math.max(0, ...lists.map(({ length }) => length)));
  const slots = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
  return slots.flat().slice(0, count);
}

function byTable<One extends { table: number | null } & ({ id: string } | { battle: string | null })>(
  some: readonly One[],
): One[] {
  const idOf = (one: One) => ('id' in one ? one.id : (one.battle ?? ''));
  return some.toSorted(
    (a, b) => (a.table ?? Infinity) - (b.table ?? Infinity) || compareText(idOf(a), idOf(b)),
  );
}
