import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { errors } from '../contract/errors.ts';
import { extraDocument } from '../contract/extra.ts';
import { installed, openapiDocument } from '../contract/openapi.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { type Answer, Call, type Headers } from '../http/call.ts';
import { createFront, type FrontParts, type Policy, type Route } from '../http/front.ts';
import { isRead } from '../http/messages.ts';
import { RefusedRequest } from '../http/refused.ts';
import { siteOwner } from '../read/owners.ts';
import { readAssets } from './fixed/assets.ts';
import { clientFiles } from './fixed/client-files.ts';
import { notFoundPage, refusedPage, unavailablePage } from './fixed/error-pages.ts';
import { type FixedPage, type FixedPages, fixedRoutes } from './fixed/fixed-pages.ts';
import { guidePages } from './fixed/guides.ts';
import { htmlType, neverKept, pageHeaders, pageRouteOf, type PageServerParts } from './page-server.ts';
import type { PageRoute } from './page.ts';
import { battlePage } from './battle/battle.ts';
import { clubPage } from './club/club.ts';
import { clubsPage } from './club/clubs.ts';
import { embedPage } from './tournament/embed.ts';
import { factionFiles } from './faction/files.ts';
import { factionPage } from './faction/faction.ts';
import { factionsPage } from './faction/factions.ts';
import { feedPages } from './tournament/feeds.ts';
import { frontNowPage, frontPage } from './front/front.ts';
import { playerPage } from './player/player.ts';
import { searchPage } from './search/search.ts';
import { sitemapPages } from './fixed/sitemap.ts';
import { tournamentFiles } from './tournament/files.ts';
import { tournamentPage } from './tournament/tournament.ts';
import { tournamentNamesPage } from './tournament/find-name.ts';
import { tournamentNowPage } from './now/fragment.ts';
import { tournamentParticipantsPage } from './tournament/participants.ts';
import { tournamentRoundsPage } from './tournament/rounds.ts';
import { tournamentsPage } from './tournament/tournaments.ts';
import { referencePages } from './fixed/reference.ts';
import { robotsText } from './fixed/robots.ts';
import { basePath, type SiteSettings } from './site-settings.ts';

export interface SiteParts extends PageServerParts, Omit<FrontParts, 'answers'> {
  settings: Omit<SiteSettings, 'assets'>;
  logger: Logger;
}

/** The public pages, without a key. They load nothing from another host. */
export function createSite(parts: SiteParts): Server {
  const assets = readAssets(parts.settings.siteUrl);
  const site: SiteSettings = { ...parts.settings, assets: assets.paths };
  const base = basePath(site.siteUrl);
  const redirect = (pattern: string, target: string, status: number): Route => ({
    pattern,
    answer: () => ({ status, headers: { location: `${base}${target}` } }),
  });
  const pages = site.hasPages
    ? pageRoutes(site).map((page) => pageRouteOf(page, { ...parts, base }))
    : [redirect('/', '/docs', 302)];
  const routes = [
    ...fixedRoutes({ ...fixedPages(site), ...assets.pages }),
    redirect('/reference', '/reference/', 308),
    ...pages,
  ];
  return createFront(sitePolicy(site, base, parts.logger), routes, parts);
}

function sitePolicy(site: SiteSettings, base: string, logger: Logger): Policy {
  const [notFound, unavailable, refused] = [notFoundPage(site), unavailablePage(site), refusedPage(site)].map(
    (text) => ({ bytes: Buffer.from(text) }),
  );
  const errorPage = (status: number, headers?: Headers): Answer => ({
    status,
    headers: { ...neverKept, ...(status === 503 && { 'retry-after': '5' }), ...headers },
    type: htmlType,
    body: status === 404 ? notFound : status === 503 ? unavailable : refused,
  });
  return {
    base,
    undecodable: errors.endpointNotFound,
    open: (message, response) => new Call(message, response, siteOwner),
    admitsNow: () => true,
    everyAnswer: () => everyAnswer,
    refusal(thrown, call) {
      if (!(thrown instanceof RefusedRequest)) {
        if (!isUnavailable(thrown)) logger.error({ err: thrown }, 'a page could not be made');
        return errorPage(503);
      }
      const { status } = thrown.error;
      const shorter = status === 404 && call && isRead(call.message) ? withoutSlash(call.target) : undefined;
      if (shorter === undefined) return errorPage(status, thrown.headers);
      return { status: 308, headers: { location: `${base}${shorter}` } };
    },
  };
}

const everyAnswer = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

function pageRoutes(site: SiteSettings): PageRoute[] {
  return [
    battlePage(site),
    clubPage(site),
    clubsPage(site),
    ...(site.hasEmbed ? [embedPage(site)] : []),
    factionPage(site),
    ...factionFiles(),
    factionsPage(site),
    ...feedPages(site),
    frontPage(site),
    frontNowPage(site),
    playerPage(site),
    searchPage(site),
    ...sitemapPages(site),
    tournamentPage(site),
    ...tournamentFiles(),
    tournamentNamesPage(site),
    tournamentNowPage(site),
    tournamentParticipantsPage(site),
    tournamentRoundsPage(site),
    tournamentsPage(site),
  ];
}

function fixedPages(site: SiteSettings): FixedPages {
  const guides = Object.entries(guidePages(site)).map(([path, text]): [string, FixedPage] => [
    path,
    { type: htmlType, text, headers: { 'content-security-policy': pageHeaders['content-security-policy'] } },
  ]);
  return {
    ...Object.fromEntries(guides),
    ...referencePages(site),
    ...clientFiles(),
    '/robots.txt': { type: 'text/plain; charset=utf-8', text: robotsText(site) },
    '/openapi.json': document(installed(openapiDocument(), site)),
    '/openapi-extra.json': document(installed(extraDocument(), site)),
  };
}

/** A page of any origin may read it. */
function document(contract: object): FixedPage {
  return {
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(contract),
    headers: { 'access-control-allow-origin': '*' },
  };
}

/** One address for each page. A path with two slashes at its beginning would lead to another host. */
function withoutSlash(url: string): string | undefined {
  const [, path, query = ''] = /^(\/[\w%.~-][^?]*?)\/+(\?.*)?$/.exec(url) ?? [];
  return path === undefined ? undefined : `${path}${query}`;
}
