import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { FactionMonthRow } from '../faction/statements.ts';
import { ratedFactions } from '../faction/win-rate.ts';
import { monthInWords } from '../parts/dates.ts';
import { factionAddress } from '../faction/address.ts';
import { name } from '../parts/names.ts';
import { counted, number } from '../parts/numbers.ts';

const most = 5;

/** The strongest factions of a month, above 50 %. Undefined when none has enough games. Only the newest month has pages of its own. */
export function strongest(site: SiteSettings, row: FactionMonthRow, isNewest: boolean): Html | undefined {
  const factions = ratedFactions([row]).filter(({ rated }) => rated.says !== 'few' && rated.rate > 50);
  if (row.month === null || factions.length === 0) return undefined;
  const items = factions.slice(0, most).map(
    ({ faction, rated }) => html`
<li><a href="${factionAddress(site, faction, isNewest ? { window: 'month' } : {})}"><span class="hit">${name(faction)}</span><span class="sub">won ${number(rated.rate, 1)} % of ${counted(rated.games, 'game')}</span><span class="sub">95 % interval ${number(rated.low)}–${number(rated.high)}</span></a></li>`,
  );
  return html`<section aria-labelledby="strongest">
<h2 id="strongest">Strongest factions of ${monthInWords(row.month)}</h2>
<ol class="hits">${items}
</ol>
<p><a href="${pathTo(site, '/factions')}">All factions</a></p>
</section>`;
}
