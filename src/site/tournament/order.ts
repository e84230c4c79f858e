import type { Stage } from '../../contract/tournament.ts';
import type { BoardDetails } from '../../publish/derive/now/play-shape.ts';
import { html, joined, type Html } from '../parts/html.ts';
import type { Play } from '../bracket/tree.ts';
import { name } from '../parts/names.ts';

/** How the rows of a board came into their order. */
export interface BoardOrder extends BoardDetails {
  tieBreaks: readonly string[];
  /** In one line. */
  rule: Html | undefined;
}

export function orderOf(stages: readonly Stage[], stage: Stage, play: Play, json: string | null): BoardOrder {
  const details = JSON.parse(json ?? '{}') as BoardDetails;
  return { ...details, tieBreaks: play.tieBreaks ?? [], rule: ruleOf(stages, stage, play) };
}

function ruleOf(stages: readonly Stage[], stage: Stage, { tieBreaks, isRecorded }: Play): Html | undefined {
  if (tieBreaks === undefined) return undefined;
  if (isRecorded) return html`Order: as the organiser recorded it.`;
  const values = tieBreaks.map((each) => words[each] ?? each);
  if (stage.id === 'placement-swiss') values.push('the place before');
  const by = [...values, 'lot'].join(', ');
  if (stage.id !== 'standings') return html`Order: ${by}.`;
  const of = (id: string) => stages.find((each) => each.id === id);
  const [knockout, placement, swiss] = [of('knockout'), of('placement-swiss'), of('swiss')];
  const first = [
    ...(knockout ? [html`${name(knockout.name)} (the round reached)`] : []),
    ...(placement ? [name(placement.name)] : []),
  ];
  if (first.length === 0 || swiss === undefined) return html`Order: ${by}.`;
  return html`Order: ${joined(first, ', ')}, then ${name(swiss.name)} by ${by}.`;
}

const words: Partial<Record<string, string>> = {
  battlePoints: 'battle points',
  wins: 'wins',
  victoryPointsDiff: '±',
  victoryPoints: 'VP',
  opponentsBattlePoints: 'opponents’ BP',
  headToHead: 'own game',
};
