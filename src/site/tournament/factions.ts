import { html, type Html } from '../parts/html.ts';
import type { Play } from '../bracket/tree.ts';
import { name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';
import { record } from '../parts/numbers.ts';

type Faction = NonNullable<Play['factions']>[number];

/** How many players brought each faction, and what it won against others. Undefined when no faction is known. */
export function factionChart({ words }: SiteSettings, factions: readonly Faction[]): Html | undefined {
  const said = words.event;
  const most = factions[0]?.players;
  if (most === undefined) return undefined;
  const isPlayed = factions.some((each) => battlesOf(each) > 0);
  return html`<section id="factions" aria-labelledby="factions-title">
<h2 id="factions-title">${isPlayed ? said.factionsPlayed : said.factions}</h2>
<table>
<caption>${isPlayed ? said.factionBars(enough) : said.barLength}</caption>
<thead><tr><th scope="col">${said.faction}</th><th scope="col"><span class="vh">${said.bar}</span></th><th scope="col" class="n">${said.players}</th>${isPlayed && html`<th scope="col" class="n"><abbr title="${words.player.recordTitle}">${words.player.record}</abbr></th>`}</tr></thead>
<tbody>${factions.map((each) => factionRow(each, most, isPlayed))}
</tbody>
</table>
</section>`;
}

/** Fewer battles tell nothing. */
const enough = 10;

function battlesOf({ wins, draws, losses }: Faction): number {
  return wins + draws + losses;
}

function factionRow(faction: Faction, most: number, isPlayed: boolean): Html {
  const battles = battlesOf(faction);
  const length = (100 * faction.players) / Math.max(most, 1);
  const won =
    battles > 0 &&
    html`<rect class="part" width="${((length * faction.wins) / battles).toFixed(1)}" height="10"/>`;
  return html`
<tr${isPlayed && battles < enough && html` class="few"`}><th scope="row">${name(faction.faction)}</th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="${length.toFixed(1)}" height="10"/>${won}</svg></td><td class="n">${faction.players}</td>${isPlayed && html`<td class="n">${battles === 0 ? '–' : record(faction)}</td>`}</tr>`;
}
