import type { BattleOutline, TournamentOutline } from '../../../record/facts/facts.ts';
import type { Board, Ranked } from '../boards/board.ts';
import { inPoints } from '../boards/points.ts';
import { opponentsBattlePoints, opponentsWinRate, opponentsWins } from '../boards/tie-break.ts';
import { isKnown } from '../brackets/bracket.ts';
import { compareText } from '../../../text/fold.ts';
import { shownEntry } from '../fragments/people.ts';
import type { Movement } from './movement.ts';
import { type AfterRounds, pathsOf } from './rounds.ts';
import type {
  AdjustmentView,
  PageOnlyRow,
  PageOnlyStandings,
  PlayingView,
} from '../../../published/views.ts';

interface Shown extends Pick<Board, 'ranked' | 'tallies'> {
  /** The stage of the board, and how it stood before. These three are absent for the merged final table. */
  stage?: string;
  after?: AfterRounds;
  movement?: Movement;
  /** The stages whose results count, in their order. */
  stages: readonly string[];
  /** Returns true if the organiser recorded the rank of this participant. */
  isRecorded: (id: string) => boolean;
  /** The battles whose result can still come, the newest last. */
  open: readonly BattleOutline[];
}

export function boardView(facts: TournamentOutline, shown: Shown): PageOnlyStandings & { type: 'board' } {
  const { ranked, tallies, stage, stages, after, movement } = shown;
  const through = stage === 'swiss' ? finalists(facts) : new Set();
  const playing = playingIn(ranked, shown.open);
  const paths = pathsOf(facts, stages, shown.open);
  const adjustments = Map.groupBy(
    facts.adjustments.filter((each) => stages.includes(each.stage)),
    ({ participant }) => participant,
  );
  const isExplained = ranked.some(({ decidedBy }) => decidedBy !== undefined);
  const strengths = Object.entries(strengthsOfOpponents).filter(([name]) => facts.tieBreaks.includes(name));
  const matched = matchedIn(facts, stages);
  const isPlaced = (id: string) => tallies.of(id).hasResult || matched.has(id) || shown.isRecorded(id);
  const beside = ({ participant, rank, decidedBy = null }: Ranked): PageOnlyRow => {
    const { id, noShow, dropped } = participant;
    const entry = shownEntry(participant, id);
    const [path, ranks, own, game] = [
      paths.get(id),
      after?.ranks.get(id),
      adjustments.get(id),
      playing.get(id),
    ];
    // The row is filled member by member, because spreading objects takes several times as long for 1,000
    // rows.
    const row: PageOnlyRow = {};
    if (entry !== null) row.entry = entry;
    if (isExplained) row.decidedBy = decidedBy;
    for (const [, { key, mean, scale }] of strengths) {
      const { sum, of } = mean(id, tallies);
      row[key] = inPoints(Math.round((scale * Number(sum)) / Number(of)));
    }
    if (paths.size > 0) row.path = path ?? '';
    if (ranks) row.ranks = ranks;
    if (rank !== null && !isPlaced(id)) row.isUnplaced = true;
    const moved = movement?.moved.get(id);
    if (moved !== undefined) row.moved = moved;
    if (own) row.adjustments = own.map(adjustmentView).toSorted(byText);
    if (through.has(id)) row.isThrough = true;
    if (dropped) row.isDropped = true;
    if (noShow) row.isNoShow = true;
    if (game) row.playing = game;
    return row;
  };
  return {
    type: 'board',
    tieBreaks: facts.tieBreaks,
    ...(movement?.since !== undefined && movement.moved.size > 0 && { movedSince: movement.since }),
    rows: ranked.map(beside),
  };
}

/** The measures by tie-break. The scale turns a mean into hundredths. */
const strengthsOfOpponents = {
  opponentsBattlePoints: { key: 'opponents', mean: opponentsBattlePoints, scale: 1 },
  opponentsWins: { key: 'opponentsWins', mean: opponentsWins, scale: 100 },
  opponentsWinRate: { key: 'opponentsWinRate', mean: opponentsWinRate, scale: 10_000 },
} as const;

/** Returns the participants who have won or lost a match, which need not have a battle. */
function matchedIn({ matches }: TournamentOutline, stages: readonly string[]): Set<string> {
  const decided = matches.filter(({ stage, winner }) => winner !== null && stages.includes(stage));
  return new Set(decided.flatMap(({ players }) => players));
}

/**
 * Returns the participants who went through from the Swiss stage to the knockout, once its first match is
 * known. Somebody with a bye in the first round may be in no match yet, and is only listed.
 */
function finalists({ stages, matches }: TournamentOutline): Set<string> {
  const own = matches.filter(({ stage }) => stage === 'knockout');
  if (!own.some(isKnown)) return new Set();
  const listed = stages.filter(({ id, everybody }) => id === 'knockout' && !everybody);
  return new Set([
    ...own.flatMap(({ players }) => players),
    ...listed.flatMap(({ members }) => members.map(({ participant }) => participant)),
  ]);
}

/**
 * Returns the open battle of each participant. Somebody may have an open battle of an earlier round, too, but
 * the newest one decides the table.
 */
function playingIn(ranked: readonly Ranked[], open: readonly BattleOutline[]): Map<string, PlayingView> {
  const rows = new Map(ranked.map(({ participant: { id } }, row) => [id, row]));
  return new Map(
    open.flatMap(({ sides: [first, second], table }) =>
      [
        [first, second],
        [second, first],
      ].map(([own, other]): [string, PlayingView] => {
        const opponent = rows.get(other?.participant ?? '');
        return [own?.participant ?? '', { table, ...(opponent !== undefined && { opponent }) }];
      }),
    ),
  );
}

/** Any order will do, as long as it is always the same. */
const byText = (a: AdjustmentView, b: AdjustmentView): number =>
  compareText(JSON.stringify(a), JSON.stringify(b));

function adjustmentView({
  battlePoints,
  victoryPoints,
  victoryPointsDiff,
  reason,
}: TournamentOutline['adjustments'][0]): AdjustmentView {
  return {
    ...(battlePoints !== 0 && { battlePoints }),
    ...(victoryPoints !== 0 && { victoryPoints }),
    ...(victoryPointsDiff !== 0 && { victoryPointsDiff }),
    ...(reason && { reason }),
  };
}
