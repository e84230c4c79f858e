import {
  factionParameters,
  factionQuery,
  type FactionNumbers,
  type FactionQuery,
  keptForMs,
  readFactions,
  spanInWords,
  windows,
} from './query.ts';
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
import { enough, type RatedFaction } from './win-rate.ts';

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
  const said = site.words.factions;
  return framed(site, {
    title: said.title,
    description: said.description,
    canonical: withQuery('/factions', { ...asked }),
    isPrivate: Object.values(asked).some((value) => value !== undefined),
    main: html`<header class="title">
<h1>${said.heading}</h1>
${months.length > 0 && html`<p class="lede">${summary(site, numbers)}</p>`}
</header>
${picks(site, asked, months)}
${factions.length === 0 ? html`<p class="empty">${said.noGame}</p>` : tables(site, asked, factions)}`,
  });
}

function summary(site: SiteSettings, { months, factions }: FactionNumbers): string {
  const said = site.words.factions;
  const games = factions.reduce((sum, { rated }) => sum + rated.games, 0) / 2;
  const tournaments = months.reduce((sum, month) => sum + (month.tournaments ?? 0), 0);
  return said.summary(spanInWords(site, months), said.games(games), said.tournaments(tournaments));
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
  const said = site.words.factions;
  const names = Object.keys(windows) as (keyof typeof windows)[];
  return html`<div class="picks">
${steps(
  said.window,
  names.map((window) => [html`${said.windows[window]}`, { window: window === 'year' ? undefined : window }]),
)}${
    packs.length > 0 &&
    steps(said.battlePack, [
      [html`${said.allPacks}`, { pack: undefined }],
      ...packs.map((pack): [Html, FactionQuery] => [name(pack), { pack }]),
    ])
  }${steps(said.length, [
    [html`${said.allEvents}`, { length: undefined }],
    [html`${said.longEvents}`, { length: 'long' }],
  ])}</div>`;
}

function tables(site: SiteSettings, asked: FactionQuery, factions: readonly RatedFaction[]): Html {
  const { words } = site;
  const said = words.factions;
  const shown = factions.slice(0, maxRows);
  const most = new Set(factions.toSorted((a, b) => b.rated.games - a.rated.games).slice(0, maxInMatrix));
  const longest = Math.max(...factions.map(({ rated }) => rated.games));
  const all = factions.reduce((sum, each) => sum + each.entries, 0);
  const rows = shown.map(({ faction, rated, entries }) => {
    const share = all === 0 ? [] : [said.ofField(words.percent((100 * entries) / all))];
    return rateRow(site, faction, rated, { asked, most: longest, more: [said.entries(entries), ...share] });
  });
  const file = (table: 'matrix' | undefined, text: string) =>
    html`<p><a href="${fileTo(site, withQuery('/factions.csv', { table, ...asked }))}">${text}</a></p>`;
  return html`<section class="sec" aria-labelledby="rates"><h2 id="rates">${said.winRates}</h2>
${rowList(rows, 'two-up')}
${factions.length > maxRows && html`<p class="sub">${said.fileHasAll(factions.length)}</p>`}
<p class="sub">${said.legend(enough)} ${said.whatCounts}</p>
${file(undefined, said.ratesFile)}</section>
<section class="sec" aria-labelledby="against"><h2 id="against">${said.matrix}</h2>
${factionMatrix(
  site,
  factions.filter((each) => most.has(each)),
)}
${factions.length > maxInMatrix && html`<p class="sub">${said.mostGames(maxInMatrix)}</p>`}
${file('matrix', said.matrixFile)}</section>`;
}
