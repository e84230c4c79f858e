import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { FactionMonthRow } from '../../read/faction-months.ts';
import { ratedFactions } from '../../published/win-rate.ts';
import { factionAddress } from '../faction/address.ts';
import { intervalOf } from '../faction/win-rates.ts';
import { crest } from '../parts/crest.ts';
import { name } from '../parts/names.ts';
import { rowList } from '../parts/rows.ts';

const most = 5;

/**
 * Shows the strongest factions of a month, those above 50 %. Returns undefined if none has enough battles.
 * The links lead to the numbers of the month only if it is the newest, because no other month has pages of
 * its own.
 */
export function strongest(site: SiteSettings, row: FactionMonthRow, isNewest: boolean): Html | undefined {
  const factions = ratedFactions([row]).filter(({ rated }) => rated.says !== 'few' && rated.rate > 50);
  if (row.month === null || factions.length === 0) return undefined;
  const { words } = site;
  const t = words.factions;
  const items = factions.slice(0, most).map(({ faction, rated }) => ({
    crest: crest(faction),
    title: html`<a class="name" href="${factionAddress(site, faction, isNewest ? { window: 'month' } : {})}">${name(faction)}</a>`,
    lines: [html`${t.games(rated.games)} · ${t.confidence} ${intervalOf(site, rated)}`],
    end: html`<b>${words.percent(rated.rate)}</b>`,
  }));
  return html`<section class="sec" aria-labelledby="strongest">
<h2 id="strongest">${t.strongest(words.month(row.month))}</h2>
${rowList(items)}
<p><a href="${pathTo(site, '/factions')}">${t.all}</a></p>
</section>`;
}
