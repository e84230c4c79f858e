import type {
  BattleView,
  BracketView,
  DrawnWin,
  MatchView,
  NowView,
  RoundTitle,
  SideView,
} from '../../published/views.ts';
import { battlesIn } from '../tournament-parts/battles-in.ts';
import type { ShownTournament } from '../tournament-parts/tournament-frame.ts';
import type { EntryPageRow } from './statements.ts';

/** One game of a participant: a battle, a match without one, or a bye. */
export interface EntryGame {
  stage: string;
  round: number;
  /** The participant's group. */
  group: string | null;
  table: number | null;
  /** The title of a match in a bracket. */
  title?: RoundTitle;
  scenario?: string | null | undefined;
  /** Absent for a bye. */
  sides?: { own: SideView; other: SideView };
  /** The id of the battle, which has a page. */
  battle?: string | null;
  drawn?: DrawnWin | undefined;
  /** True if the winner of the match lost the battle. */
  isOverruled?: true | undefined;
}

/** Returns the games in the order of play. */
export function participantGames(
  entry: string,
  { played }: ShownTournament,
  { battles, participant, stages }: EntryPageRow,
): EntryGame[] {
  const group = participant?.group ?? null;
  const matches = (stages ?? []).flatMap(([, row, , view]) =>
    row === null ? (JSON.parse(view) as BracketView).matches : [],
  );
  const games = [...matches, ...battlesIn(battles)].flatMap((each) => gameOf(entry, group, each) ?? []);
  const own = new Map(games.toReversed().map((game) => [game.battle ?? `${game.stage} ${game.round}`, game]));
  const byes = played.flatMap((stage) =>
    stage.byes.flatMap((bye): EntryGame[] =>
      bye.entry === entry ? [{ stage: stage.id, round: bye.round, group, table: null }] : [],
    ),
  );
  const order = played.map(({ id }) => id);
  return [...own.values(), ...byes].toSorted(
    (a, b) => order.indexOf(a.stage) - order.indexOf(b.stage) || a.round - b.round,
  );
}

/** Returns undefined if the participant does not play in it, or if the opponent is not known. */
function gameOf(entry: string, group: string | null, view: BattleView | MatchView): EntryGame | undefined {
  const { stage, round, table, battle, scenario, sides } = view;
  const [first, second] = sides;
  if (!('player' in first) || !('player' in second)) return undefined;
  if (first.entry !== entry && second.entry !== entry) return undefined;
  const [own, other] = first.entry === entry ? [first, second] : [second, first];
  const match =
    'number' in view ? { title: view.title, drawn: view.drawn, isOverruled: view.isOverruled } : {};
  return { stage, round, group, table, battle, scenario, sides: { own, other }, ...match };
}

/** `missing` means that play has gone past the game without a result. */
export type GameState = 'over' | 'playing' | 'open' | 'missing';

/** Returns the state of a game as "Now" and the rounds show it. */
export function stateOf(
  { playing = [], now, status, past }: ShownTournament,
  { stage, battle, group: ownGroup, round, sides }: EntryGame,
): GameState {
  if (sides === undefined || sides.own.outcome !== undefined) return 'over';
  if (status === 'planned') return 'open';
  const isOpen = (each: NowView) => each.stage === stage && !each.missing.includes(battle ?? '');
  // The rounds of a board may be paired long before they are played. A match is played once its players are
  // known.
  const hasBegun = (each: NowView) =>
    each.now.some(
      ({ group, round: current, titles }) =>
        titles !== undefined || ((group === undefined || group === ownGroup) && round <= current),
    );
  if (playing.some((each) => isOpen(each) && hasBegun(each))) return 'playing';
  return status !== 'finished' && past === undefined && now.some(isOpen) ? 'open' : 'missing';
}
