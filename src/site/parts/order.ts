import type { Stage } from '../../contract/tournament.ts';
import { html, joined, type Html } from '../html.ts';
import type { Play } from './bracket-tree.ts';
import { name } from './names.ts';

/** How the rows of a board are ordered, in one sentence. */
export function orderSentence(
  stages: readonly Stage[],
  stage: Stage,
  { tieBreaks, isRecorded }: Play,
): Html | undefined {
  if (tieBreaks === undefined) return undefined;
  if (isRecorded) return html`The places are those that the organiser recorded.`;
  const values = tieBreaks.map((each) => words[each] ?? each);
  if (stage.id === 'placement-swiss') values.push('the place before');
  const by = [...values, 'lot'].join(', then ');
  if (stage.id !== 'standings') return html`Ordered by ${by}.`;
  const of = (id: string) => stages.find((each) => each.id === id);
  const [knockout, placement, swiss] = [of('knockout'), of('placement-swiss'), of('swiss')];
  const first = [
    ...(knockout ? [html`${name(knockout.name)} (the round reached)`] : []),
    ...(placement ? [name(placement.name)] : []),
  ];
  if (first.length === 0 || swiss === undefined) return html`Ordered by ${by}.`;
  return html`First ${joined(first, ', then ')}, then ${name(swiss.name)}: by ${by}.`;
}

const words: Partial<Record<string, string>> = {
  battlePoints: 'battle points',
  wins: 'wins',
  victoryPointsDiff: 'victory-point difference',
  victoryPoints: 'victory points',
  opponentsBattlePoints: 'the opponents’ battle points',
  headToHead: 'the game between the two',
};
