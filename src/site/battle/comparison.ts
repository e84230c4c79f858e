import type { BattlePlayer } from '../../contract/battle.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Identity } from '../parts/guests.ts';
import { name } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import type { Words } from '../words/en.ts';

type Side = BattlePlayer & Pick<Identity, 'guest'>;
type Sides = readonly [Side, Side];

/**
 * Compares what else is known about the two sides, row by row. Rows for which neither side has a value are
 * left out. `isByPoints` says that battle points decided the match.
 */
export function comparison(site: SiteSettings, sides: Sides, isByPoints = false): Html | undefined {
  const { words } = site;
  const t = words.battle;
  const [first, second] = sides;
  const battlePoints = (label: HtmlValue, kind?: string) =>
    numbers(words, label, sides, (side) => side.battlePoints, kind);
  const metrics = [...new Set(sides.flatMap((side) => Object.keys(side.metrics)))];
  const rows = [
    isByPoints && battlePoints(html`${t.battlePoints} <span class="sub">${t.decided}</span>`, 'decides'),
    numbers(words, t.objectivePoints, sides, (side) => side.objectivePoints),
    numbers(words, t.tacticsScored, sides, (side) => side.battleTacticsScored),
    row(t.grandStrategy, sides, (side) => strategy(words, side)),
    row(t.role, sides, ({ role }) => role && t[role]),
    numbers(words, t.drops, sides, (side) => side.drops),
    !isByPoints && battlePoints(t.battlePoints),
    ...metrics.map((metric) => numbers(words, text(metric), sides, (side) => own(side.metrics, metric))),
  ].filter((each) => each !== undefined && each !== false);
  if (rows.length === 0) return undefined;
  return html`<section class="sec" aria-labelledby="compared">
<h2 id="compared">${t.compared}</h2>
<table class="versus">
<thead><tr><th scope="col"><span class="clamp">${name(first.player)}</span></th><td></td><th scope="col"><span class="clamp">${name(second.player)}</span></th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</section>`;
}

function row(
  label: HtmlValue,
  sides: Sides,
  cell: (side: BattlePlayer) => HtmlValue,
  kind?: string,
): Html | undefined {
  const [first, second] = [cell(sides[0]), cell(sides[1])];
  if (!isKnown(first) && !isKnown(second)) return undefined;
  return html`<tr${kind !== undefined && html` class="${kind}"`}><td>${isKnown(first) ? first : '–'}</td><th scope="row">${label}</th><td>${isKnown(second) ? second : '–'}</td></tr>\n`;
}

function numbers(
  words: Words,
  label: HtmlValue,
  sides: Sides,
  of: (side: BattlePlayer) => number | null | undefined,
  kind?: string,
): Html | undefined {
  const decimals = decimalsOf(sides.map((side) => of(side) ?? 0));
  const cell = (side: BattlePlayer) => {
    const value = of(side);
    return value === null || value === undefined ? undefined : words.number(value, decimals);
  };
  return row(label, sides, cell, kind);
}

function strategy({ battle: t }: Words, { grandStrategy, grandStrategyScored }: BattlePlayer): HtmlValue {
  if (!grandStrategy) return undefined;
  const scored = grandStrategyScored === undefined ? undefined : grandStrategyScored ? t.scored : t.notScored;
  return html`${text(grandStrategy)}${scored !== undefined && html`<span class="sub">${scored}</span>`}`;
}

function text(value: string | null): HtmlValue {
  return value ? html`<span class="clamp">${name(value)}</span>` : undefined;
}

function own(metrics: Record<string, number>, metric: string): number | undefined {
  return Object.hasOwn(metrics, metric) ? metrics[metric] : undefined;
}

function isKnown(value: HtmlValue): boolean {
  return value !== undefined && value !== null;
}
