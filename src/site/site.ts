import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { errors } from '../contract/errors.ts';
import { isUnavailable } from '../availability/unavailable.ts';
import type { Answer, Headers } from '../http/call.ts';
import type { EncodedBody } from '../http/compress.ts';
import { createListener, type ListenerParts, type Policy, type Route } from '../http/listener.ts';
import { isRead } from '../http/messages.ts';
import { RefusedRequest } from '../http/refused.ts';
import { siteOwner } from '../read/owners.ts';
import { isLanguage, languages } from '../text/languages.ts';
import { apiCatalog } from './fixed/api-catalog.ts';
import { readAssets } from './fixed/assets.ts';
import { clientFiles } from './fixed/client-files.ts';
import { notFoundPage, refusedPage, unavailablePage } from './fixed/error-pages.ts';
import { type FixedPage, type FixedPages, fixedRoutes } from './fixed/fixed-pages.ts';
import { guideAsMarkdown, guidePage, readGuides } from './fixed/guides.ts';
import { llmsText } from './fixed/llms-text.ts';
import { securityTextRoutes } from './fixed/security-text.ts';
import {
  htmlType,
  MovedPermanently,
  neverKept,
  pageHeaders,
  pageRouteOf,
  type PageServerParts,
  SiteCall,
} from './page-server.ts';
import type { PageRoute } from './page.ts';
import { battlePage } from './battle/battle.ts';
import { clubPage } from './club/club.ts';
import { clubsPage } from './club/clubs.ts';
import { embedPage } from './tournament/embed.ts';
import { entryPage } from './participant/participant.ts';
import { factionFiles } from './faction/files.ts';
import { factionPage } from './faction/faction.ts';
import { factionsPage } from './faction/factions.ts';
import { feedPages } from './tournament-list/feeds.ts';
import { followedPage } from './participant/followed.ts';
import { homePage } from './home/home.ts';
import { playerPage } from './player/player.ts';
import { screenPage } from './screen/screen.ts';
import { searchPage } from './search/search.ts';
import { sitemapPages } from './fixed/sitemap.ts';
import { tournamentFiles } from './tournament/files.ts';
import { tournamentPage } from './tournament/tournament.ts';
import { tournamentNamesPage } from './tournament/find-name.ts';
import { tournamentParticipantsPage } from './tournament/participants.ts';
import { tournamentRoundsPage } from './tournament/rounds.ts';
import { tournamentsPage } from './tournament-list/tournaments.ts';
import { contractPage } from './fixed/openapi.ts';
import { referencePages } from './fixed/reference.ts';
import { robotsText } from './fixed/robots.ts';
import { basePath, siteIn, type SiteSettings } from './site-settings.ts';
import { en } from './words/en.ts';

export interface SiteParts extends PageServerParts, Omit<ListenerParts, 'answers'> {
  settings: Omit<SiteSettings, 'assets' | 'words' | 'ownPath' | 'translations'>;
  logger: Logger;
}

/** Makes the server of the public pages, which need no key and load nothing from another host. */
export function createSite(parts: SiteParts): Server {
  const assets = readAssets(parts.settings.siteUrl);
  const site: SiteSettings = {
    ...parts.settings,
    assets: assets.paths,
    words: en,
    ownPath: '',
    translations: [],
  };
  const base = basePath(site.siteUrl);
  const redirect = (pattern: string, target: string, status: number): Route => ({
    pattern,
    answer: () => ({ status, headers: { location: `${base}${target}` } }),
  });
  const routes = [
    ...fixedRoutes({ ...fixedPages(site), ...assets.pages }),
    ...securityTextRoutes(site),
    redirect('/reference', '/reference/', 308),
    ...(site.hasPages ? [] : [redirect('/', '/docs', 302)]),
  ];
  const files = site.hasPages ? fileRoutes(site, parts) : [];
  const pages = site.hasPages ? translatedRoutes(site, parts) : [];
  return createListener(
    sitePolicy(site, base, parts.logger),
    [...[...routes, ...files].map(withoutLanguage), ...pages],
    parts,
  );
}

/** Refuses paths with a language, because guides, files and feeds have one address each. */
function withoutLanguage({ answer, ...route }: Route<SiteCall>): Route<SiteCall> {
  return {
    ...route,
    answer: (call, params) => {
      if (call.language !== undefined) throw new RefusedRequest(errors.endpointNotFound);
      return answer(call, params);
    },
  };
}

function fileRoutes(site: SiteSettings, parts: SiteParts): Route<SiteCall>[] {
  const plain = siteIn(site, site.siteLanguage);
  const pages = [
    ...(site.hasEmbed ? [embedPage(plain)] : []),
    ...factionFiles(),
    ...feedPages(site),
    ...sitemapPages(site),
    ...tournamentFiles(),
  ];
  return pages.map((page) => pageRouteOf(page.path, () => page, parts));
}

/** Makes one route for each page in all languages, so metrics do not tell the languages apart. */
function translatedRoutes(site: SiteSettings, parts: SiteParts): Route<SiteCall>[] {
  const pages = new Map(languages.map((language) => [language, pageRoutes(siteIn(site, language))]));
  const plain = pages.get(site.siteLanguage) ?? [];
  return plain.map((page, index) =>
    pageRouteOf(page.path, (language) => (language && pages.get(language)?.[index]) ?? page, parts),
  );
}

function sitePolicy(site: SiteSettings, base: string, logger: Logger): Policy<SiteCall> {
  const errorsIn = new Map(
    languages.map((language) => [language, errorPages(site.hasPages ? siteIn(site, language) : site)]),
  );
  const errorPage = (status: number, call: SiteCall | undefined, headers?: Headers): Answer => ({
    status,
    headers: { ...neverKept, ...(status === 503 && { 'retry-after': '5' }), ...headers },
    type: htmlType,
    body: errorsIn.get(call?.language ?? site.siteLanguage)?.[
      status === 404 || status === 503 ? status : 400
    ],
  });
  return {
    base,
    undecodable: errors.endpointNotFound,
    open: (message, response) => new SiteCall(message, response, siteOwner),
    enter: (call, target) => withoutPrefix(site, call, target),
    admitsNow: () => true,
    everyAnswer: () => everyAnswer,
    refusal(thrown, call) {
      const prefix = call?.language === undefined ? '' : `/${call.language}`;
      if (thrown instanceof MovedPermanently) {
        const location = `${base}${prefix}${thrown.pathOf(call?.target ?? '')}`;
        return { status: 308, headers: { ...pageHeaders, location } };
      }
      if (!(thrown instanceof RefusedRequest)) {
        if (!isUnavailable(thrown)) logger.error({ err: thrown }, 'a page could not be made');
        return errorPage(503, call);
      }
      const { status } = thrown.error;
      const shorter = status === 404 && call && isRead(call.message) ? withoutSlash(call.target) : undefined;
      if (shorter === undefined) return errorPage(status, call, thrown.headers);
      return { status: 308, headers: { location: `${base}${prefix}${shorter}` } };
    },
  };
}

/**
 * Removes the language from the path, like the base path, because routes know no languages. In the site's own
 * language, addresses have no prefix.
 */
function withoutPrefix({ siteLanguage, hasPages }: SiteSettings, call: SiteCall, target: string): string {
  const [whole, language] = /^\/([a-z]{2})(?=[/?]|$)/.exec(target) ?? [];
  if (whole === undefined || !hasPages || !isLanguage(language)) return target;
  const rest = target.slice(whole.length);
  // A path that begins with two slashes would lead to another host.
  if (language === siteLanguage) throw new MovedPermanently(() => rest.replace(/^[/\\]*/, '/'));
  // The home page has one address only, which ends with a slash.
  if (!rest.startsWith('/')) throw new MovedPermanently(() => `${whole}/${rest}`);
  call.language = language;
  return rest;
}

function errorPages(site: SiteSettings): Record<400 | 404 | 503, EncodedBody> {
  const body = (text: string) => ({ bytes: Buffer.from(text) });
  return {
    400: body(refusedPage(site)),
    404: body(notFoundPage(site)),
    503: body(unavailablePage(site)),
  };
}

const everyAnswer = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

function pageRoutes(site: SiteSettings): PageRoute[] {
  return [
    battlePage(site),
    clubPage(site),
    clubsPage(site),
    entryPage(site),
    factionPage(site),
    factionsPage(site),
    homePage(site),
    playerPage(site),
    searchPage(site),
    screenPage(site),
    tournamentPage(site),
    followedPage(site),
    tournamentNamesPage(site),
    tournamentParticipantsPage(site),
    tournamentRoundsPage(site),
    tournamentsPage(site),
  ];
}

const markdownType = 'text/markdown; charset=utf-8';

function fixedPages(site: SiteSettings): FixedPages {
  const guides = readGuides(site);
  const pages = guides.flatMap((guide): [string, FixedPage][] => [
    [
      guide.path,
      {
        type: htmlType,
        text: guidePage(site, guides, guide),
        headers: { 'content-security-policy': pageHeaders['content-security-policy'] },
      },
    ],
    [`${guide.path}.md`, { type: markdownType, text: guideAsMarkdown(site, guide) }],
  ]);
  return {
    ...Object.fromEntries(pages),
    '/llms.txt': { type: markdownType, text: llmsText(site, guides) },
    ...referencePages(site),
    ...clientFiles(),
    '/robots.txt': { type: 'text/plain; charset=utf-8', text: robotsText(site) },
    '/openapi.json': contractPage('openapi.json', site),
    '/openapi-extra.json': contractPage('openapi-extra.json', site),
    '/.well-known/api-catalog': apiCatalog(site),
  };
}

/**
 * Removes slashes from the end of a path, so that each page has one address. Leaves alone a path that begins
 * with two slashes, which would lead to another host.
 */
function withoutSlash(url: string): string | undefined {
  const [, path, query = ''] = /^(\/[\w%.~-][^?]*?)\/+(\?.*)?$/.exec(url) ?? [];
  return path === undefined ? undefined : `${path}${query}`;
}
