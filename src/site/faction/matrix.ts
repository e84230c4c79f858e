import { html, type Html } from '../parts/html.ts';
import { enough, type RatedFaction, type WinRate, winRate } from './win-rate.ts';
import { name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';

/** Each faction against each other one: the number, a bar from the middle, and a box for what is sure. */
export function factionMatrix(site: SiteSettings, factions: readonly RatedFaction[]): Html {
  const said = site.words.factions;
  const heads = factions.map(({ faction }) => html`<th scope="col"><span>${name(faction)}</span></th>`);
  const rows = factions.map(
    (mine) => html`
<tr><th scope="row">${name(mine.faction)}</th>${factions.map((other) => matrixCell(site, mine, other))}</tr>`,
  );
  return html`<p class="legend"><span><b class="up">58</b> ${said.sure.above}</span><span><b class="down">42</b> ${said.surelyBelow}</span><span><b>51</b> ${said.either}</span><span><b class="under">60</b> ${said.under(enough)}</span></p>
<div class="scroll" tabindex="0" role="group" aria-label="${said.matrixLabel}">
<table class="matrix">
<thead><tr><th scope="col">${said.rowBeats}</th>${heads}</tr></thead>
<tbody>${rows}
</tbody>
</table>
</div>`;
}

function matrixCell({ words }: SiteSettings, mine: RatedFaction, { faction }: RatedFaction): Html {
  const said = words.factions;
  if (mine.faction === faction) return html`<td class="self">–<span class="vh"> ${said.mirror}</span></td>`;
  const score = mine.against.get(faction);
  if (score === undefined) return html`<td class="self"><span class="vh">${said.noGames}</span></td>`;
  const rated = winRate(score);
  const { says, rate } = rated;
  const kind = kinds[says];
  return html`<td${kind && html` class="${kind[0]}"`}>${words.number(rate)}${kind && html`<span class="vh"> ${said[kind[1]]}</span>`}${says !== 'few' && bar(rated)}</td>`;
}

const kinds = {
  above: ['up', 'surelyAbove'],
  below: ['down', 'surelyBelow'],
  either: undefined,
  few: ['under', 'fewGames'],
} as const;

/** To the right of the middle: above 50 %. */
function bar({ rate }: WinRate): Html {
  const length = Math.min(18, 1.25 * Math.abs(rate - 50));
  return html`<svg viewBox="0 0 40 4" aria-hidden="true" focusable="false"><path class="mid" d="M19.5 0h1v4h-1z"/><path d="M20 .5h${(rate < 50 ? -length : length).toFixed(1)}v3H20z"/></svg>`;
}
