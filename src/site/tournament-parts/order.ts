import type { Stage } from '../../contract/tournament.ts';
import type { BoardView } from '../../published/views.ts';
import { html, joined, type Html } from '../html.ts';
import { name } from '../parts/names.ts';
import type { Words } from '../words/en.ts';

/** The order of the rows on a board. */
export interface BoardOrder {
  tieBreaks: readonly string[];
  /** The rule in one line. */
  rule: Html;
}

export function orderOf(words: Words, stages: readonly Stage[], stage: Stage, view: BoardView): BoardOrder {
  return {
    tieBreaks: view.tieBreaks,
    rule: ruleOf(words, stages, stage, view),
  };
}

function ruleOf(
  { order: t }: Words,
  stages: readonly Stage[],
  stage: Stage,
  { tieBreaks, isRecorded, rankingAsOf, isSwissRecorded }: BoardView,
): Html {
  const names: Partial<Record<string, string>> = t.tieBreaks;
  const asOf = rankingAsOf !== undefined && html` ${t.asOf(rankingAsOf)}`;
  if (isRecorded) return html`${t.recorded}${asOf}`;
  const values = tieBreaks.map((each) => names[each] ?? each);
  if (stage.id === 'placement-swiss') values.push(t.rankBefore);
  const by = [...values, t.lot].join(', ');
  if (stage.id !== 'standings') return t.by(by);
  const of = (id: string) => stages.find((each) => each.id === id);
  const [knockout, placement, swiss] = [of('knockout'), of('placement-swiss'), of('swiss')];
  const first = [
    ...(knockout ? [t.roundReached(name(knockout.name))] : []),
    ...(placement ? [name(placement.name)] : []),
  ];
  if (first.length === 0) return isSwissRecorded ? html`${t.recorded}${asOf}` : t.by(by);
  if (swiss === undefined) return t.by(joined(first, ', '));
  if (isSwissRecorded) return html`${t.thenRecorded(joined(first, ', '), name(swiss.name))}${asOf}`;
  return t.first(joined(first, ', '), name(swiss.name), by);
}
