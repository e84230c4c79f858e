import type { Stage } from '../../contract/tournament.ts';
import { standingsView } from '../../published/views.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { pageHeaders } from '../page-server.ts';
import { liveData, scriptLine } from '../parts/frame.ts';
import { board, shownRows } from '../tournament-parts/board.ts';
import { drawnBracket } from '../bracket/bracket.ts';
import { pulse } from '../parts/live.ts';
import { name } from '../parts/names.ts';
import { orderOf } from '../tournament-parts/order.ts';
import { addressOf } from '../parts/pager.ts';
import {
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  statusBadges,
  shownBracket,
} from '../tournament-parts/tournament-frame.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import { pathTo, siteIn, type SiteSettings } from '../site-settings.ts';
import { isLanguage } from '../../text/languages.ts';
import { standingsOfPage, type StandingsRow } from '../tournament-parts/statements.ts';

/**
 * Shows the standings or the bracket of a stage in a frame on another site. It keeps itself up to date like
 * the page of the tournament.
 */
export function embedPage(plain: SiteSettings): PageRoute {
  const path = '/embed/tournaments/:slug';
  return {
    path,
    query: ['stage', 'lang'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug'])) return undefined;
      const site = isLanguage(query['lang']) ? siteIn(plain, query['lang']) : plain;
      const tags = revisionTags(site, path, asked);
      const values = [params['slug'], query['stage'] ?? null, tags.held];
      const [row] = await read<StandingsRow>(standingsOfPage, values, ([first]) =>
        first ? shownClub(first) : [],
      );
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag, headers };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const stage = tournament.stages.find(({ id }) => id === (query['stage'] ?? row.default_stage));
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      return { text: embedText(site, tournament, stage, row, tag), tag, headers };
    },
  };
}

/** This is the only page that other sites may frame. It has no form, and its links leave the frame. */
const headers = {
  'content-security-policy': pageHeaders['content-security-policy'].replace(
    "frame-ancestors 'none'",
    'frame-ancestors *',
  ),
};

const maxRows = 20;

function embedText(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage | undefined,
  row: StandingsRow,
  tag: string,
): string {
  const { words } = site;
  const live = tournament.isRunning ? `W/"${tag}"` : undefined;
  const page = addressOf(site, tournament.path, {
    stage: stage === undefined || stage.id === tournament.defaultStage ? undefined : stage.id,
  });
  return html`<!DOCTYPE html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${tournament.name}</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<base target="_top">
<link rel="canonical" href="${site.siteUrl}${site.ownPath}${tournament.path}">
<link rel="stylesheet" href="${site.assets.style}">
${scriptLine(site)}</head>
<body class="embed">
<main id="main"${liveData(live)}>
<header class="title">
<h1><a class="name" href="${page}">${name(tournament.name)}</a></h1>
<p class="meta facts">${statusBadges(site, tournament)}${stage && html`<span>${name(stage.name)}</span>`}</p>
</header>
${live && pulse}
<section aria-labelledby="standings">
<h2 id="standings" class="vh">${words.event.standings}</h2>
${standingsPart(site, tournament, stage, row)}
</section>
</main>
<footer class="foot"><ul><li><a href="${page}">${words.event.allOfIt(words.players(tournament.players))}</a></li><li><a href="${pathTo(site, '/')}">${site.siteName}</a></li></ul></footer>
</body>
</html>
`.text;
}

function standingsPart(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage | undefined,
  row: StandingsRow,
): Html {
  const none = html`<p class="empty">${site.words.event.noStandings}</p>`;
  if (stage === undefined || row.view === null || tournament.status === 'planned') return none;
  const { slug } = tournament;
  const view = standingsView(row.standings ?? '', row.view);
  if (view.type === 'bracket') {
    return view.matches.length === 0
      ? none
      : drawnBracket({ site, slug, bracket: shownBracket(tournament, view) });
  }
  if (view.rows.length === 0) return none;
  const rows = shownRows(site, tournament, view);
  return board(
    site,
    view.rows[0]?.group === undefined ? rows.slice(0, maxRows) : rows,
    {
      isRunning: tournament.status === 'ongoing',
      rounds: stage.rounds ?? 0,
      movedSince: view.movedSince,
    },
    orderOf(site.words, tournament.stages, stage, view),
  );
}
