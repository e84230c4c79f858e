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
import { html, type Html } from '../html.ts';
import type { PageRoute } from '../page.ts';
import { banner, signOfFaction } from '../parts/banner.ts';
import { monthChart, type MonthRate } from './month-chart.ts';
import { name } from '../parts/names.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { addressOf, withQuery } from '../parts/pager.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import { intervalOf, rateRow } from './win-rates.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
import { topPlacements, type TopPlacementRow } from './statements.ts';
import { byStrength, type RatedFaction, type WinRate, winRate } from '../../published/win-rate.ts';

/** Shows one faction: its months, its match-ups and its newest top placements. */
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
      const topRows = await read<TopPlacementRow>(
        topPlacements,
        [faction.faction, maxTopPlacements],
        (rows) =>
          rows.flatMap(({ tournament, tournamentRevision }) =>
            tournament === null
              ? []
              : [{ scope: `tournament:${tournament}` as const, revision: BigInt(tournamentRevision ?? 0) }],
          ),
      );
      return { text: factionText(site, asked, numbers, faction, topRows), keptForMs };
    },
  };
}

const maxTopPlacements = 6;
const maxMatchUps = 5;

/** Returns the months in which the faction was played, with its win rate in each. */
export function monthsOf(faction: string, { months }: FactionNumbers): MonthRate[] {
  return months.flatMap(({ month, counts }) => {
    const rank = counts?.factions.findIndex(([each]) => each === faction) ?? -1;
    const score = { wins: 0, draws: 0, losses: 0 };
    for (const [first, second, wins, draws, losses] of counts?.games ?? []) {
      if (first !== rank && second !== rank) continue;
      score.wins += first === rank ? wins : losses;
      score.draws += draws;
      score.losses += first === rank ? losses : wins;
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
  topRows: readonly TopPlacementRow[],
): string {
  const { words } = site;
  const t = words.factions;
  const { games, rate } = faction.rated;
  const months = monthsOf(faction.faction, numbers);
  const sign = signOfFaction(faction.faction);
  const span = spanInWords(site, numbers.months);
  const top = topRows.flatMap((row) => topPlacement(site, row, sign.crest) ?? []);
  return framed(site, {
    title: t.titleOfOne(faction.faction),
    description: t.descriptionOfOne(
      faction.faction,
      span,
      games > 0 ? t.rateOf(words.percent(rate), t.games(games)) : t.games(games),
    ),
    canonical: withQuery(`/factions/${encodeURIComponent(faction.faction)}`, { ...asked }),
    isPrivate: Object.values(asked).some((value) => value !== undefined),
    hue: sign.hue,
    main: html`${banner({
      sign,
      title: name(faction.faction),
      facts: [
        html`<a href="${addressOf(site, '/factions', { ...asked })}">${t.all}</a>`,
        span,
        asked.pack === undefined ? t.inAllPacks : name(asked.pack),
        asked.length === undefined ? t.inAllEvents : t.inLongEvents,
      ],
    })}
${keyNumbers(site, faction, numbers)}
${months.length > 0 && monthsSection(site, asked, faction.faction, months)}
${matchUps(site, asked, faction)}
${
  top.length > 0 &&
  html`<section class="sec" aria-labelledby="top"><h2 id="top">${t.topPlacements}</h2>
${rowList(top, 'two-up')}
</section>`
}`,
  });
}

function keyNumbers(
  site: SiteSettings,
  { rated, entries, unbeaten, eventWins }: RatedFaction,
  { factions }: FactionNumbers,
): Html {
  const { words } = site;
  const t = words.factions;
  const sure = rated.says === 'either' ? undefined : t.sure[rated.says];
  const all = factions.reduce((sum, each) => sum + each.entries, 0);
  const fact = (label: string, value: string, more: string) =>
    html`<div><dt>${label}</dt><dd>${value} <span class="sub">${more}</span></dd></div>\n`;
  const interval = [intervalOf(site, rated, 1), ...(sure === undefined ? [] : [sure])].join(', ');
  return html`<dl class="stats">
${fact(t.winRate, rated.games === 0 ? '–' : words.percent(rated.rate), rated.games === 0 ? '' : interval)}${fact(t.gamesHead, words.number(rated.games), winsDrawsLosses(rated))}${fact(t.shareOfTheField, all === 0 ? '–' : words.percent((100 * entries) / all), t.entries(entries))}${fact(t.eventWins, words.number(eventWins), t.unbeatenCount(unbeaten))}</dl>`;
}

function monthsSection(
  site: SiteSettings,
  asked: FactionQuery,
  faction: string,
  months: readonly MonthRate[],
): Html {
  const { words } = site;
  const t = words.factions;
  const rows = months.toReversed().map(
    ({ month, rated }) => html`
<tr${rated.says === 'few' && html` class="few"`}><th scope="row">${words.monthTitle(month)}</th><td class="n">${words.number(rated.games)}</td><td class="n">${winsDrawsLosses(rated)}</td><td class="n strong">${words.number(rated.rate, 1)}</td><td class="n">${intervalOf(site, rated)}</td></tr>`,
  );
  const file = fileTo(site, withQuery(`/factions/${encodeURIComponent(faction)}/months.csv`, { ...asked }));
  return html`<section class="sec" aria-labelledby="months"><h2 id="months">${t.byMonth}</h2>
<div class="cols">
${monthChart(site, t.chartTitle(faction), months)}
<div>
<table><caption class="vh">${t.rateByMonth}</caption><thead><tr><th scope="col">${t.monthHead}</th><th scope="col" class="n">${t.gamesHead}</th><th scope="col" class="n">${t.record}</th><th scope="col" class="n">${t.rateHead}</th><th scope="col" class="n">${words.percent(95, 0)}</th></tr></thead><tbody>${rows}
</tbody></table>
<p><a href="${file}">${t.monthsFile}</a></p>
</div>
</div></section>`;
}

interface MatchUp {
  opponent: string;
  rated: WinRate;
}

/**
 * Shows the best and the worst match-ups among those with enough battles, or among all if none has enough.
 */
function matchUps(site: SiteSettings, asked: FactionQuery, { against }: RatedFaction): Html | undefined {
  const all = byStrength([...against].map(([opponent, score]) => ({ opponent, rated: winRate(score) })));
  const sure = all.filter(({ rated }) => rated.says !== 'few');
  const judged = sure.length > 0 ? sure : all;
  const best = judged.filter(({ rated }) => rated.rate >= 50).slice(0, maxMatchUps);
  const worst = judged
    .filter(({ rated }) => rated.rate < 50)
    .slice(-maxMatchUps)
    .toReversed();
  if (judged.length === 0) return undefined;
  const t = site.words.factions;
  const most = Math.max(...[...best, ...worst].map(({ rated }) => rated.games));
  const part = (id: string, title: string, rows: readonly MatchUp[]) =>
    rows.length > 0 &&
    html`<section class="sec" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${rowList(rows.map(({ opponent, rated }) => rateRow(site, opponent, rated, { asked, most })))}
</section>\n`;
  return html`<div class="cols">
${part('best', t.best, best)}${part('worst', t.worst, worst)}</div>`;
}

function topPlacement(
  site: SiteSettings,
  { document, shown }: TopPlacementRow,
  crest: Html,
): ListRow | undefined {
  if (document === null || shown === null) return undefined;
  const { words } = site;
  const { slug, name: title, startDate, endDate, players } = parseStored<Tournament>(document);
  return {
    crest,
    title: html`<a class="name" href="${pathTo(site, `/tournaments/${slug}`)}">${name(title)}</a>`,
    lines: [
      html`${shown.player === null ? words.stored.erased : name(shown.player)}`,
      html`${words.days(startDate, endDate, true)}`,
    ],
    end: html`<b>${words.ordinal(shown.rank)}</b><span class="sub">${words.player.ofPlayers(players)}</span>`,
  };
}
