import {
  factionParameters,
  factionQuery,
  type FactionNumbers,
  type FactionQuery,
  keptForMs,
  readFactions,
  spanInWords,
} from './query.ts';
import { factionWindows } from '../../read/faction-months.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../html.ts';
import type { PageRoute } from '../page.ts';
import { factionMatrix } from './matrix.ts';
import { name } from '../parts/names.ts';
import { addressOf, withQuery } from '../parts/pager.ts';
import { isCurrent } from '../parts/tabs.ts';
import { rowList } from '../parts/rows.ts';
import { rateRow } from './win-rates.ts';
import { fileTo, type SiteSettings } from '../site-settings.ts';
import { enough, type RatedFaction } from '../../published/win-rate.ts';

/** Shows the win rate of each faction, overall and against each other faction. */
export function factionsPage(site: SiteSettings): PageRoute {
  return {
    path: '/factions',
    query: factionParameters,
    scope: () => 'factions',
    make: async ({ query, read }) => {
      const asked = factionQuery(query);
      return { text: factionsText(site, asked, await readFactions(read, asked)), keptForMs };
    },
  };
}

/** The number of factions that the page shows. The files contain all of them. */
const maxRows = 100;
const maxInMatrix = 24;

function factionsText(site: SiteSettings, asked: FactionQuery, numbers: FactionNumbers): string {
  const { months, factions } = numbers;
  const t = site.words.factions;
  return framed(site, {
    title: t.title,
    description: t.description,
    canonical: withQuery('/factions', { ...asked }),
    isPrivate: Object.values(asked).some((value) => value !== undefined),
    main: html`<header class="title">
<h1>${t.heading}</h1>
${months.length > 0 && html`<p class="lede">${summary(site, numbers)}</p>`}
</header>
${picks(site, asked, months)}
${factions.length === 0 ? html`<p class="empty">${t.noGame}</p>` : tables(site, asked, factions)}`,
  });
}

function summary(site: SiteSettings, { months, factions }: FactionNumbers): string {
  const t = site.words.factions;
  const games = factions.reduce((sum, { rated }) => sum + rated.games, 0) / 2;
  const tournaments = months.reduce((sum, month) => sum + (month.tournaments ?? 0), 0);
  return t.summary(spanInWords(site, months), t.games(games), t.tournaments(tournaments));
}

const maxPacks = 8;

function picks(site: SiteSettings, asked: FactionQuery, months: FactionNumbers['months']): Html {
  const given = [...new Set(months.toReversed().flatMap(({ packs }) => packs ?? []))].slice(0, maxPacks);
  const packs = asked.pack === undefined || given.includes(asked.pack) ? given : [asked.pack, ...given];
  const steps = (label: string, links: [label: Html, change: FactionQuery][]) => {
    const items = links.map(([text, change]) => {
      const query = { ...asked, ...change };
      const isShown =
        query.window === asked.window && query.pack === asked.pack && query.length === asked.length;
      return html`<li><a href="${addressOf(site, '/factions', { ...query })}"${isShown && isCurrent}>${text}</a></li>\n`;
    });
    return html`<nav class="tabs steps" aria-label="${label}"><ul>
${items}</ul></nav>\n`;
  };
  const t = site.words.factions;
  const names = Object.keys(factionWindows) as (keyof typeof factionWindows)[];
  return html`<div class="picks">
${steps(
  t.window,
  names.map((window) => [html`${t.windows[window]}`, { window: window === 'year' ? undefined : window }]),
)}${
    packs.length > 0 &&
    steps(t.battlePack, [
      [html`${t.allPacks}`, { pack: undefined }],
      ...packs.map((pack): [Html, FactionQuery] => [name(pack), { pack }]),
    ])
  }${steps(t.length, [
    [html`${t.allEvents}`, { length: undefined }],
    [html`${t.longEvents}`, { length: 'long' }],
  ])}</div>`;
}

function tables(site: SiteSettings, asked: FactionQuery, factions: readonly RatedFaction[]): Html {
  const { words } = site;
  const t = words.factions;
  const shown = factions.slice(0, maxRows);
  const most = new Set(factions.toSorted((a, b) => b.rated.games - a.rated.games).slice(0, maxInMatrix));
  const longest = Math.max(...factions.map(({ rated }) => rated.games));
  const all = factions.reduce((sum, each) => sum + each.entries, 0);
  const rows = shown.map(({ faction, rated, entries }) => {
    const share = all === 0 ? [] : [t.ofField(words.percent((100 * entries) / all))];
    return rateRow(site, faction, rated, { asked, most: longest, more: [t.entries(entries), ...share] });
  });
  const file = (table: 'matrix' | undefined, text: string) =>
    html`<p><a href="${fileTo(site, withQuery('/factions.csv', { table, ...asked }))}">${text}</a></p>`;
  return html`<section class="sec" aria-labelledby="rates"><h2 id="rates">${t.winRates}</h2>
${rowList(rows, 'two-up')}
${factions.length > maxRows && html`<p class="sub">${t.fileHasAll(factions.length)}</p>`}
<p class="sub">${t.legend(enough)} ${t.whatCounts}</p>
${file(undefined, t.ratesFile)}</section>
<section class="sec" aria-labelledby="against"><h2 id="against">${t.matrix}</h2>
${factionMatrix(
  site,
  factions.filter((each) => most.has(each)),
)}
${factions.length > maxInMatrix && html`<p class="sub">${t.mostGames(maxInMatrix)}</p>`}
${file('matrix', t.matrixFile)}</section>`;
}
