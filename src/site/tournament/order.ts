import type { Stage } from '../../contract/tournament.ts';
import type { StageDetails } from '../../publish/derive/now/play-shape.ts';
import { html, joined, type Html } from '../parts/html.ts';
import type { Play } from '../bracket/tree.ts';
import { name } from '../parts/names.ts';
import type { Words } from '../words/en.ts';

/** How the rows of a board came into their order. */
export interface BoardOrder extends StageDetails {
  tieBreaks: readonly string[];
  /** In one line. */
  rule: Html | undefined;
}

export function orderOf(
  words: Words,
  stages: readonly Stage[],
  stage: Stage,
  play: Play,
  json: string | null,
): BoardOrder {
  const details = JSON.parse(json ?? '{}') as StageDetails;
  return { ...details, tieBreaks: play.tieBreaks ?? [], rule: ruleOf(words, stages, stage, play) };
}

function ruleOf(
  { order: said }: Words,
  stages: readonly Stage[],
  stage: Stage,
  { tieBreaks, isRecorded }: Play,
): Html | undefined {
  const names: Partial<Record<string, string>> = said.tieBreaks;
  if (tieBreaks === undefined) return undefined;
  if (isRecorded) return html`${said.recorded}`;
  const values = tieBreaks.map((each) => names[each] ?? each);
  if (stage.id === 'placement-swiss') values.push(said.placeBefore);
  const by = [...values, said.lot].join(', ');
  if (stage.id !== 'standings') return html`${said.by(by)}`;
  const of = (id: string) => stages.find((each) => each.id === id);
  const [knockout, placement, swiss] = [of('knockout'), of('placement-swiss'), of('swiss')];
  const first = [
    ...(knockout ? [said.roundReached(name(knockout.name))] : []),
    ...(placement ? [name(placement.name)] : []),
  ];
  if (first.length === 0 || swiss === undefined) return html`${said.by(by)}`;
  return said.first(joined(first, ', '), name(swiss.name), by);
}
