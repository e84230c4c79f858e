import { isSlug, type PageRoute } from '../page.ts';
import { isInCurrentRound, resultsIn, roundTitle } from '../parts/current-round.ts';
import { score } from '../parts/battles.ts';
import { disc, hueOf } from '../parts/crest.ts';
import { bracketMatch } from '../bracket/bracket.ts';
import { html, joined, type Html } from '../html.ts';
import { meter } from '../parts/meter.ts';
import { pastWords } from '../parts/events.ts';
import { name, cityAndCountry } from '../parts/names.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import type { SiteSettings } from '../site-settings.ts';
import {
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
} from '../tournament-parts/tournament-frame.ts';
import type { BattleView, LatestResult, MatchView, SideView } from '../../published/views.ts';
import { matchName } from '../words/stored.ts';
import { screenName } from './parts.ts';
import { qrCode } from './qr.ts';
import { type Scene, sceneOf } from './scene.ts';
import { screenOfTournament, type ScreenRow } from './statement.ts';

/**
 * Shows a tournament on the screen in the hall. One answer has all pages, and the script turns them by the
 * clock of the server, so that two screens agree. Without a script, each page leads to the next one.
 */
export function screenPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/screen';
  return {
    path,
    query: ['page', 'day'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      const page = Number(query['page'] ?? '1');
      if (!isSlug(params['slug']) || !/^[1-9][0-9]{0,2}$/.test(String(page))) return undefined;
      const tags = revisionTags(site, path, asked);
      const rows = await read<ScreenRow>(screenOfTournament, [params['slug'], tags.held], ([first]) =>
        first ? shownClub(first) : [],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const scene = sceneOf(site, tournament, rows);
      const shown = { page: (page - 1) % scene.pages.length, isDay: query['day'] !== undefined };
      const text = screenText(site, tournament, scene, `W/"${tag}"`, shown);
      return { text, tag, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}

function screenText(
  site: SiteSettings,
  event: ShownTournament,
  scene: Scene,
  tag: string,
  { page, isDay }: { page: number; isDay: boolean },
): string {
  const { words, assets } = site;
  const { organizingClub: club } = event;
  const hue = club === null ? '' : ` ${hueOf(club)}`;
  const next = `?${isDay ? 'day&' : ''}page=${((page + 1) % scene.pages.length) + 1}`;
  return html`<!DOCTYPE html>
<html lang="${words.language}" class="stage${isDay && ' day'}${hue}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${event.name} · ${words.screen.title} · ${site.siteName}</title>
<meta name="robots" content="noindex">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<link rel="stylesheet" href="${assets.screenStyle}">
<noscript><meta http-equiv="refresh" content="10;url=${next}"></noscript>
<script src="${assets.screenScript}" data-lost="${words.script.notLive}" defer></script>
</head>
<body data-tag="${tag}">
<header class="banner${hue}">
${club !== null && disc(club)}<div><h1${event.name.length > longTitle && html` class="long"`}>${name(event.name)}</h1><p>${whereLine(event)}</p></div>
<div class="rd">${stateOf(site, event)}</div>
${meters(event)}
</header>
<main id="main">
${scene.pages.map(
  ({ kind, text }, index) => html`<div class="page ${kind}${index === page && ' on'}">${text}</div>
`,
)}</main>
<footer class="strip"><div><ol>${latest(site, event, scene)}
</ol><p class="lost" role="status"></p></div>
${codeFor(site, event)}
</footer>
</body>
</html>
`.text;
}

/** The number of letters that surely fit into one line at the usual size. */
const longTitle = 28;

/** Returns the code that takes phones to the event. Phones cannot reach a preview on a laptop. */
function codeFor({ words, siteUrl, ownPath }: SiteSettings, { path }: ShownTournament): Html | false {
  const { hostname, host, pathname } = new URL(siteUrl);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return false;
  return html`<div class="qr"><span><b>${words.screen.onYourPhone}</b><bdi>${host}${pathname.replace(/\/$/, '')}</bdi></span>${qrCode(`${siteUrl}${ownPath}${path}`)}</div>`;
}

function whereLine({ organizingClub, ...event }: ShownTournament): Html {
  const where = cityAndCountry(event);
  return joined(
    [...(organizingClub === null ? [] : [name(organizingClub)]), ...(where ? [where] : [])],
    ' · ',
  );
}

/** Says how far the tournament is, and how many results are in. */
function stateOf({ words }: SiteSettings, event: ShownTournament): Html {
  const { status, champion, startDate, playing = [], stages, players, past, today } = event;
  const state = (title: Html | string, more: Html | string) => html`<b>${title}</b><p>${more}</p>`;
  if (status === 'planned') {
    // A day that has passed does not begin any more, even if nobody reported what became of the tournament.
    const begins = (day: string) => (day < today ? words.day(day) : words.event.begins(words.day(day)));
    return state(
      startDate === null ? words.events.upcoming : begins(startDate),
      words.events.signedUp(players),
    );
  }
  if (status === 'finished')
    return state(words.event.finished, champion?.player ? words.event.wonBy(name(champion.player)) : '');
  if (past !== undefined) return state(pastWords(words, past), words.players(players));
  const shown = playing.flatMap((played) => {
    const stage = stages.find(({ id }) => id === played.stage);
    return stage === undefined ? [] : [{ stage, played }];
  });
  if (shown.length === 0) return state(words.events.running, words.players(players));
  const titles = shown.map(({ stage, played }) =>
    shown.length > 1 ? stage.name : roundTitle(words, stage, played.now),
  );
  const facts = shown.map(({ played }) => resultsIn(words, played));
  const scenario = shown.length === 1 ? shown[0]?.played.scenario : undefined;
  return state(
    joined(titles.map(name), ' · '),
    joined([...facts, ...(scenario ? [name(scenario)] : [])], ' · '),
  );
}

function meters({ playing = [] }: ShownTournament): Html | false {
  return playing.length > 0 && html`<div class="meters">${playing.map(meter)}</div>`;
}

const shownResults = 2;

/**
 * Shows the last results with their time. The only remark is about the lead, and it is made only if it is
 * true.
 */
function latest(site: SiteSettings, event: ShownTournament, { note, newLeader }: Scene): Html {
  if (event.final !== undefined) {
    return html`
<li><span class="tno">${matchName(site.words, event.final.title, false)}</span> ${finalLine(site, event.final)}</li>`;
  }
  const results = event.isRunning ? event.latest.slice(0, shownResults) : [];
  if (results.length === 0) {
    return note === undefined
      ? html``
      : html`
<li>${note}</li>`;
  }
  return html`${results.map((result) => resultLine(site, event, result, newLeader))}`;
}

function resultLine(
  site: SiteSettings,
  event: ShownTournament,
  result: LatestResult,
  newLeader: string | undefined,
): Html {
  const { words } = site;
  const [first] = winnerFirst(result);
  // Other players are at the same table by now.
  const past =
    !isInCurrentRound(result, event.playing) &&
    html`<span class="past-round">${words.now.shortRound(result.round)}</span> `;
  const leads = newLeader !== undefined && newLeader === first?.entry;
  return html`
<li>${words.clock(new Date(result.arrived), event.today)} ${past}${result.table !== null && html`<span class="tno">${words.rounds.table(result.table)}</span> `}${scoreLine(site, result)}${leads && html` <mark>${words.screen.takesLead}</mark>`}</li>`;
}

/** Also says why a drawn match, or one without a battle, has a winner. */
function finalLine(site: SiteSettings, final: MatchView): Html {
  const { words } = site;
  const { why } = bracketMatch(site, '', final);
  const [winner, loser] = winnerFirst(final);
  const line = final.isWalkover
    ? html`${screenName(words, winner?.player)} <b>${words.match.walkover}</b> ${screenName(words, loser?.player)}`
    : scoreLine(site, final);
  return html`${line}${why !== undefined && html` <span class="sub">${why}</span>`}`;
}

/** Returns the sides whose players are known, the winner first. */
function winnerFirst({ sides }: BattleView): SideView[] {
  return sides
    .filter((side) => 'player' in side)
    .toSorted((a, b) => Number(b.outcome === 'win') - Number(a.outcome === 'win'));
}

function scoreLine(site: SiteSettings, battle: BattleView): Html {
  const { words } = site;
  const [first, second] = winnerFirst(battle);
  if (first === undefined || second === undefined) return html``;
  const points = (side: SideView) => ({ victoryPoints: side.victoryPoints ?? null });
  return html`${screenName(words, first.player)} <b>${score(site, points(first), points(second))}</b> ${screenName(words, second.player)}`;
}
