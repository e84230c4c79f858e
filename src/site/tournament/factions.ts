import { bar } from '../parts/bar.ts';
import { crest } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import type { StandingsView } from '../../published/views.ts';
import { winRate } from '../../published/win-rate.ts';
import { name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import type { Words } from '../words/en.ts';

type Faction = NonNullable<StandingsView['factions']>[number];

/**
 * Shows how many players brought each faction, and what it won against others. Returns undefined if no
 * faction is known.
 */
export function factionChart({ words }: SiteSettings, factions: readonly Faction[]): Html | undefined {
  const t = words.event;
  const most = factions[0]?.players;
  if (most === undefined) return undefined;
  const isPlayed = factions.some((each) => battlesOf(each) > 0);
  return html`<section class="sec" id="factions" aria-labelledby="factions-title">
<h2 id="factions-title">${isPlayed ? t.factionsPlayed : t.factions}</h2>
${rowList(factions.map((each) => factionRow(words, each, most, isPlayed)))}
<p class="sub">${isPlayed ? t.factionBars(enough) : t.barLength}</p>
</section>`;
}

/** A faction with fewer battles than this is grey, because they tell nothing. */
const enough = 10;

function battlesOf({ wins, draws, losses }: Faction): number {
  return wins + draws + losses;
}

function factionRow(words: Words, faction: Faction, most: number, isPlayed: boolean): ListRow {
  const battles = battlesOf(faction);
  const won = battles > 0 ? (faction.players * winRate(faction).rate) / 100 : 0;
  return {
    crest: crest(faction.faction),
    title: html`<span class="clamp">${name(faction.faction)}</span>${bar(faction.players, won, most)}`,
    lines: isPlayed ? [html`${battles === 0 ? '–' : winsDrawsLosses(faction)}`] : [],
    end: html`<b>${words.players(faction.players)}</b>`,
    isFew: isPlayed && battles < enough,
  };
}
