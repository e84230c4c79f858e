import { html, type Html } from '../html.ts';
import { enough, type RatedFaction, winRate } from '../../published/win-rate.ts';
import { crest } from '../parts/crest.ts';
import { name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';

/**
 * Draws a table with the win rate of each faction against each other one. Rates that are surely above or
 * below 50 % have a box.
 */
export function factionMatrix(site: SiteSettings, factions: readonly RatedFaction[]): Html {
  const t = site.words.factions;
  const heads = factions.map(
    ({ faction }) => html`<th scope="col"><span>${name(faction)}</span>${crest(faction)}</th>`,
  );
  const rows = factions.map(
    (mine) => html`
<tr><th scope="row">${name(mine.faction)}</th>${factions.map((other) => matrixCell(site, mine, other))}</tr>`,
  );
  return html`<p class="legend"><span><b class="up">58</b> ${t.sure.above}</span><span><b class="down">42</b> ${t.surelyBelow}</span><span><b>51</b> ${t.either}</span><span><b class="under">60</b> ${t.under(enough)}</span></p>
<div class="scroll" tabindex="0" role="group" aria-label="${t.matrixLabel}">
<table class="matrix">
<thead><tr><th scope="col">${t.rowBeats}</th>${heads}</tr></thead>
<tbody>${rows}
</tbody>
</table>
</div>`;
}

function matrixCell({ words }: SiteSettings, mine: RatedFaction, { faction }: RatedFaction): Html {
  const t = words.factions;
  if (mine.faction === faction) return html`<td class="self">–<span class="vh"> ${t.mirror}</span></td>`;
  const score = mine.against.get(faction);
  if (score === undefined) return html`<td class="self"><span class="vh">${t.noGames}</span></td>`;
  const { says, rate } = winRate(score);
  const kind = kinds[says];
  return html`<td${kind && html` class="${kind[0]}"`}>${words.number(rate)}${kind && html`<span class="vh"> ${t[kind[1]]}</span>`}</td>`;
}

const kinds = {
  above: ['up', 'surelyAbove'],
  below: ['down', 'surelyBelow'],
  either: undefined,
  few: ['under', 'fewGames'],
} as const;
