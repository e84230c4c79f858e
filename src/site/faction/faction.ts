import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import {
  factionParameters,
  type FactionNumbers,
  factionQuery,
  type FactionQuery,
  keptForMs,
  readFactions,
  spanInWords,
} from './query.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../parts/html.ts';
import type { PageRoute } from '../page.ts';
import { days, monthInWords } from '../parts/dates.ts';
import { factionAddress } from './address.ts';
import { monthChart, type MonthRate } from './month-chart.ts';
import { erasedName, name } from '../parts/names.ts';
import { counted, number, ordinal, record } from '../parts/numbers.ts';
import { addressOf, withQuery } from '../parts/pager.ts';
import { rangeCell, rangeHead, rateCell, rowClass } from './win-rates.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { topPlaces, type TopPlaceRow } from './statements.ts';
import { byStrength, reachOf, type RatedFaction, type WinRate, winRate } from './win-rate.ts';

/** One faction: its months, its match-ups, its newest top places. */
export function factionPage(site: SiteSettings): PageRoute {
  return {
    path: '/factions/:name',
    query: factionParameters,
    scope: () => 'factions',
    make: async ({ params, query, read }) => {
      const asked = factionQuery(query);
      const numbers = await readFactions(read, asked);
      const faction = numbers.factions.find((each) => each.faction === params['name']);
      if (faction === undefined) return undefined;
      const places = await read<TopPlaceRow>(topPlaces, [faction.faction, maxPlaces], (rows) =>
        rows.flatMap(({ tournament, tournamentRevision }) =>
          tournament === null
            ? []
            : [{ scope: `tournament:${tournament}` as const, revision: BigInt(tournamentRevision ?? 0) }],
        ),
      );
      return { text: factionText(site, asked, numbers, faction, places), keptForMs };
    },
  };
}

const maxPlaces = 6;
const maxMatchUps = 5;

/** The months in which the faction played. */
export function monthsOf(faction: string, { months }: FactionNumbers): MonthRate[] {
  return months.flatMap(({ month, counts }) => {
    const place = counts?.factions.findIndex(([each]) => each === faction) ?? -1;
    const score = { wins: 0, draws: 0, losses: 0 };
    for (const [first, second, wins, draws, losses] of counts?.games ?? []) {
      if (first !== place && second !== place) continue;
      score.wins += first === place ? wins : losses;
      score.draws += draws;
      score.losses += first === place ? losses : wins;
    }
    const rated = winRate(score);
    return rated.games === 0 ? [] : [{ month, rated }];
  });
}

function factionText(
  site: SiteSettings,
  asked: FactionQuery,
  numbers: FactionNumbers,
  faction: RatedFaction,
  places: readonly TopPlaceRow[],
): string {
  const months = monthsOf(faction.faction, numbers);
  const span = spanInWords(numbers.months);
  const top = places.flatMap((row) => topPlace(site, row) ?? []);
  return framed(site, {
    title: `${faction.faction}: win rate`,
    description: `${faction.faction} in ${span}: ${faction.rated.games > 0 ? `${number(faction.rated.rate, 1)} % of ` : ''}${counted(faction.rated.games, 'game')}.`,
    canonical: withQuery(`/factions/${encodeURIComponent(faction.faction)}`, { ...asked }),
    isPrivate: Object.values(asked).some((value) => value !== undefined),
    kind: 'event',
    main: html`<header class="title">
<h1>${name(faction.faction)}</h1>
<p class="meta"><a href="${addressOf(site, '/factions', { ...asked })}">All factions</a><span>${span}</span><span>${asked.pack === undefined ? 'all packs' : name(asked.pack)}</span><span>${asked.length === undefined ? 'all events' : 'five rounds or more'}</span></p>
</header>
${keyNumbers(faction, numbers)}
${months.length > 0 && monthsSection(site, asked, faction.faction, months)}
${matchUpsSection(site, asked, faction)}
${
  top.length > 0 &&
  html`<section aria-labelledby="top"><h2 id="top">Newest top places</h2>
<ol class="hits">${top}
</ol></section>`
}`,
  });
}

const sureWords: Record<WinRate['says'], string> = {
  few: ', few games',
  above: ', surely above 50 %',
  below: ', surely below 50 %',
  either: '',
};

function keyNumbers(
  { rated, entries, unbeaten, eventWins }: RatedFaction,
  { factions }: FactionNumbers,
): Html {
  const all = factions.reduce((sum, each) => sum + each.entries, 0);
  const fact = (label: string, value: string, more: string) =>
    html`<div><dt>${label}</dt><dd>${value} <span class="sub">${more}</span></dd></div>\n`;
  const interval = `${number(rated.low, 1)}–${number(rated.high, 1)}${sureWords[rated.says]}`;
  return html`<dl class="numbers">
${fact('Win rate', rated.games === 0 ? '–' : `${number(rated.rate, 1)} %`, rated.games === 0 ? '' : interval)}${fact('Games', number(rated.games), record(rated))}${fact('Share of the field', all === 0 ? '–' : `${number((100 * entries) / all, 1)} %`, counted(entries, 'entry', 'entries'))}${fact('Event wins', number(eventWins), `${number(unbeaten)} unbeaten`)}</dl>`;
}

function monthsSection(
  site: SiteSettings,
  asked: FactionQuery,
  faction: string,
  months: readonly MonthRate[],
): Html {
  const rows = months.toReversed().map(
    ({ month, rated }) => html`
<tr${rated.says === 'few' && html` class="few"`}><th scope="row">${monthInWords(month)}</th><td class="n">${number(rated.games)}</td><td class="n">${record(rated)}</td><td class="n strong">${number(rated.rate, 1)}</td><td class="n">${number(rated.low)}–${number(rated.high)}</td></tr>`,
  );
  const file = addressOf(site, `/factions/${encodeURIComponent(faction)}/months.csv`, { ...asked });
  return html`<section aria-labelledby="months"><h2 id="months">By month</h2>
<div class="columns two">
${monthChart(`${faction}, win rate by month`, months)}
<section>
<table><caption class="vh">Win rate by month</caption><thead><tr><th scope="col">Month</th><th scope="col" class="n">Games</th><th scope="col" class="n">W–D–L</th><th scope="col" class="n">Win&nbsp;%</th><th scope="col" class="n">95 %</th></tr></thead><tbody>${rows}
</tbody></table>
<p class="all-of"><a href="${file}">Months as CSV</a></p>
</section>
</div></section>`;
}

interface MatchUp {
  opponent: string;
  rated: WinRate;
}

/** Those with enough games. Without any, all. */
function matchUpsSection(
  site: SiteSettings,
  asked: FactionQuery,
  { against }: RatedFaction,
): Html | undefined {
  const all = byStrength([...against].map(([opponent, score]) => ({ opponent, rated: winRate(score) })));
  const sure = all.filter(({ rated }) => rated.says !== 'few');
  const judged = sure.length > 0 ? sure : all;
  const best = judged.filter(({ rated }) => rated.rate >= 50).slice(0, maxMatchUps);
  const worst = judged
    .filter(({ rated }) => rated.rate < 50)
    .slice(-maxMatchUps)
    .toReversed();
  if (judged.length === 0) return undefined;
  const reach = reachOf([...best, ...worst].map(({ rated }) => rated));
  const row = ({ opponent, rated }: MatchUp) => html`
<tr${rowClass(rated)}><th scope="row"><a class="name" href="${factionAddress(site, opponent, asked)}">${name(opponent)}</a><span class="sub">${rated.says === 'few' && 'few: '}${counted(rated.games, 'game')}</span></th>${rangeCell(rated, reach)}${rateCell(rated)}</tr>`;
  const part = (title: string, rows: readonly MatchUp[]) =>
    rows.length > 0 &&
    html`<section><h3>${title}</h3>
<table class="rates"><thead><tr><th scope="col">Against</th>${rangeHead(reach)}<th scope="col" class="n">Win&nbsp;%</th></tr></thead><tbody>${rows.map(row)}
</tbody></table></section>\n`;
  return html`<section aria-labelledby="matches"><h2 id="matches">Match-ups</h2>
<div class="columns two">
${part('Best', best)}${part('Worst', worst)}</div></section>`;
}

function topPlace(site: SiteSettings, { document, shown }: TopPlaceRow): Html | undefined {
  if (document === null || shown === null) return undefined;
  const { slug, name: title, startDate, endDate, players } = parseStored<Tournament>(document);
  return html`
<li><a href="${pathTo(site, `/tournaments/${slug}`)}"><span class="hit">${shown.player === null ? erasedName : name(shown.player)}</span><span class="sub">${name(title)} · ${days(startDate, endDate, true)}</span><span class="sub">${ordinal(shown.rank)} of ${number(players)}</span></a></li>`;
}
