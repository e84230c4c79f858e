import { html, type Html } from '../parts/html.ts';
import { enough, type RatedFaction, type WinRate, winRate } from './win-rate.ts';
import { name } from '../parts/names.ts';
import { number } from '../parts/numbers.ts';

/** Each faction against each other one: the number, a bar from the middle, and a box for what is sure. */
export function factionMatrix(factions: readonly RatedFaction[]): Html {
  const heads = factions.map(({ faction }) => html`<th scope="col"><span>${name(faction)}</span></th>`);
  const rows = factions.map(
    (mine) => html`
<tr><th scope="row">${name(mine.faction)}</th>${factions.map((other) => matrixCell(mine, other))}</tr>`,
  );
  return html`<p class="legend"><span><b class="up">58</b> surely above 50 %</span><span><b class="down">42</b> surely below</span><span><b>51</b> could be either</span><span><b class="under">60</b> under ${enough} games</span></p>
<div class="scroll" tabindex="0" role="group" aria-label="Matrix">
<table class="matrix">
<thead><tr><th scope="col">row beats column, %</th>${heads}</tr></thead>
<tbody>${rows}
</tbody>
</table>
</div>`;
}

function matrixCell(mine: RatedFaction, { faction }: RatedFaction): Html {
  if (mine.faction === faction) return html`<td class="self">–<span class="vh"> mirror</span></td>`;
  const score = mine.against.get(faction);
  if (score === undefined) return html`<td class="self"><span class="vh">no games</span></td>`;
  const rated = winRate(score);
  const { says, rate } = rated;
  const [kind, words] = kinds[says];
  return html`<td${kind && html` class="${kind}"`}>${number(rate)}${words && html`<span class="vh"> ${words}</span>`}${says !== 'few' && bar(rated)}</td>`;
}

const kinds: Record<WinRate['says'], [kind?: string, words?: string]> = {
  above: ['up', 'surely above'],
  below: ['down', 'surely below'],
  either: [],
  few: ['under', 'few games'],
};

/** To the right of the middle: above 50 %. */
function bar({ rate }: WinRate): Html {
  const length = Math.min(18, 1.25 * Math.abs(rate - 50));
  return html`<svg viewBox="0 0 40 4" aria-hidden="true" focusable="false"><path class="mid" d="M19.5 0h1v4h-1z"/><path d="M20 .5h${(rate < 50 ? -length : length).toFixed(1)}v3H20z"/></svg>`;
}
