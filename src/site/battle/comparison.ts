import type { BattlePlayer } from '../../contract/battle.ts';
import { html, type Html, type HtmlValue } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { firstKey, secondKey } from './line-chart.ts';
import { name, person } from '../parts/names.ts';
import { decimalsOf, number } from '../parts/numbers.ts';

type Sides = readonly [BattlePlayer, BattlePlayer];

/** The two sides of a battle, row by row. A row of which nothing is known is left out. `isByPoints`: battle points decided. */
export function comparison(site: SiteSettings, sides: Sides, isByPoints = false): Html {
  const [first, second] = sides;
  const won = first.outcome === 'win' && html` class="won"`;
  const battlePoints = (label: HtmlValue, kind?: string) =>
    numbers(label, sides, (side) => side.battlePoints, kind);
  const metrics = [...new Set(sides.flatMap((side) => Object.keys(side.metrics)))];
  return html`<table class="versus">
<caption class="vh">The two sides compared</caption>
<thead><tr><th scope="col"${won}>${firstKey}${person(site, first)}</th><td></td><th scope="col">${secondKey}${person(site, second)}</th></tr></thead>
<tbody>
<tr class="score"><td${won}>${points(sides, first.victoryPoints)}</td><th scope="row">Victory points</th><td>${points(sides, second.victoryPoints)}</td></tr>
${isByPoints && battlePoints(html`Battle points <span class="sub">decided</span>`, 'decides')}${row('Faction', sides, ({ faction }) => text(faction))}
${row('Formation', sides, ({ subFaction }) => text(subFaction))}
${numbers('Objective points', sides, (side) => side.objectivePoints)}
${numbers('Tactics scored', sides, (side) => side.battleTacticsScored)}
${row('Grand strategy', sides, strategy)}
${row('Role', sides, ({ role }) => role && (role === 'attacker' ? 'Attacker' : 'Defender'))}
${numbers('Drops', sides, (side) => side.drops)}
${!isByPoints && battlePoints('Battle points')}
${metrics.map((metric) => numbers(text(metric), sides, (side) => own(side.metrics, metric)))}
</tbody>
</table>`;
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
  label: HtmlValue,
  sides: Sides,
  of: (side: BattlePlayer) => number | null | undefined,
  kind?: string,
): Html | undefined {
  const decimals = decimalsOf(sides.map((side) => of(side) ?? 0));
  const cell = (side: BattlePlayer) => {
    const value = of(side);
    return value === null || value === undefined ? undefined : number(value, decimals);
  };
  return row(label, sides, cell, kind);
}

function points(sides: Sides, value: number | null): string {
  if (value === null) return '–';
  return number(value, decimalsOf(sides.map(({ victoryPoints }) => victoryPoints ?? 0)));
}

function strategy({ grandStrategy, grandStrategyScored }: BattlePlayer): HtmlValue {
  if (!grandStrategy) return undefined;
  const scored =
    grandStrategyScored === undefined ? undefined : grandStrategyScored ? 'scored' : 'not scored';
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
