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
import { html, type Html } from '../parts/html.ts';
import type { PageRoute } from '../page.ts';
import { factionAddress } from './address.ts';
import { factionMatrix } from './matrix.ts';
import { name } from '../parts/names.ts';
import { counted, number, record } from '../parts/numbers.ts';
import { addressOf, withQuery } from '../parts/pager.ts';
import { isCurrent } from '../parts/tabs.ts';
import { rangeCaption, rangeCell, rangeHead, rateCell, rowClass } from './win-rates.ts';
import type { SiteSettings } from '../site-settings.ts';
import { reachOf, type RatedFaction } from './win-rate.ts';

/** Win rates by faction, and each faction against each other one. */
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

/** The files have all of them. */
const maxRows = 100;
const maxInMatrix = 24;

function factionsText(site: SiteSettings, asked: FactionQuery, numbers: FactionNumbers): string {
  const { months, factions } = numbers;
  return framed(site, {
    title: 'Factions: win rates',
    description: 'What wins: win rates by faction with their intervals, and each faction against each other.',
    canonical: withQuery('/factions', { ...asked }),
    isPrivate: Object.values(asked).some((value) => value !== undefined),
    kind: 'event',
    main: html`<header class="title">
<h1>Factions</h1>
${months.length > 0 && html`<p class="meta">${summary(numbers)}</p>`}
</header>
${picks(site, asked, months)}
${factions.length === 0 ? html`<p class="empty">No game of a finished tournament counts here.</p>` : tables(site, asked, factions)}`,
  });
}

function summary({ months, factions }: FactionNumbers): string {
  const games = factions.reduce((sum, { rated }) => sum + rated.games, 0) / 2;
  const tournaments = months.reduce((sum, month) => sum + (month.tournaments ?? 0), 0);
  return `${spanInWords(months)}: ${counted(games, 'game')} of ${counted(tournaments, 'tournament')}`;
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
  const words = { month: 'Month', quarter: 'Quarter', year: 'Year', all: 'All' };
  const names = Object.keys(windows) as (keyof typeof windows)[];
  return html`<div class="picks">
${steps(
  'Window',
  names.map((window) => [html`${words[window]}`, { window: window === 'year' ? undefined : window }]),
)}${
    packs.length > 0 &&
    steps('Battle pack', [
      [html`All packs`, { pack: undefined }],
      ...packs.map((pack): [Html, FactionQuery] => [name(pack), { pack }]),
    ])
  }${steps('Length', [
    [html`All events`, { length: undefined }],
    [html`Five rounds or more`, { length: 'long' }],
  ])}</div>`;
}

function tables(site: SiteSettings, asked: FactionQuery, factions: readonly RatedFaction[]): Html {
  const shown = factions.slice(0, maxRows);
  const most = new Set(factions.toSorted((a, b) => b.rated.games - a.rated.games).slice(0, maxInMatrix));
  const reach = reachOf(shown.map(({ rated }) => rated));
  const entries = factions.reduce((sum, each) => sum + each.entries, 0);
  const largest = Math.max(...factions.map((each) => each.entries));
  const file = (table: 'matrix' | undefined, text: string) =>
    html`<p class="all-of"><a href="${addressOf(site, '/factions.csv', { table, ...asked })}">${text}</a></p>`;
  return html`<section aria-labelledby="rates"><h2 id="rates">Win rates</h2>
<table class="rates">
<caption>${rangeCaption}</caption>
<thead><tr><th scope="col">Faction</th>${rangeHead(reach)}<th scope="col" class="n">Win&nbsp;%</th>${['W–D–L', 'Games', 'Entries', 'Share of field', 'Unbeaten', 'Event wins'].map((head) => html`<th scope="col" class="n wide-only">${head}</th>`)}</tr></thead>
<tbody>${shown.map((each) => rateRow(site, asked, each, { reach, entries, largest }))}
</tbody>
</table>
${factions.length > maxRows && html`<p class="sub">The file has all ${number(factions.length)} factions.</p>`}
<p class="sub">Finished, dated tournaments, in the month of their start; no casual games, byes or mirrors. Games of one player are not independent: the true doubt is larger than the line.</p>
${file(undefined, 'Win rates as CSV')}</section>
<section aria-labelledby="against"><h2 id="against">Faction against faction</h2>
${factionMatrix(factions.filter((each) => most.has(each)))}
${factions.length > maxInMatrix && html`<p class="sub">The ${maxInMatrix} factions with the most games. The file has all.</p>`}
${file('matrix', 'Matrix as CSV')}</section>`;
}

interface Scale {
  reach: number;
  /** Of all factions, and of the largest. */
  entries: number;
  largest: number;
}

function rateRow(
  site: SiteSettings,
  asked: FactionQuery,
  each: RatedFaction,
  { reach, entries, largest }: Scale,
): Html {
  const { faction, rated } = each;
  const share = entries === 0 ? '–' : `${number((100 * each.entries) / entries, 1)} %`;
  const part = ((100 * each.entries) / Math.max(largest, 1)).toFixed(1);
  const cells = [
    record(rated),
    number(rated.games),
    number(each.entries),
    html`${share}<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="100" height="10"/><rect class="part" width="${part}" height="10"/></svg>`,
    number(each.unbeaten),
    number(each.eventWins),
  ];
  return html`
<tr${rowClass(rated)}><th scope="row"><a class="name" href="${factionAddress(site, faction, asked)}">${name(faction)}</a><span class="sub narrow-only">${rated.says === 'few' && 'few: '}${counted(rated.games, 'game')} · ${share}</span></th>${rangeCell(rated, reach)}${rateCell(rated)}${cells.map((cell) => html`<td class="n wide-only">${cell}</td>`)}</tr>`;
}
