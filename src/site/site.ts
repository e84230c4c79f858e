import { createServer, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { extraDocument } from '../contract/extra.ts';
import { installed, openapiDocument } from '../contract/openapi.ts';
import { isUnavailable } from '../database/unavailable.ts';
import type { Connections } from '../http/connections.ts';
import { createPipelines, parserStopped } from '../http/pipelines.ts';
import { serverOptions, silenceMs } from '../http/server-options.ts';
import { readAssets } from './assets.ts';
import { clientFiles } from './client-files.ts';
import { notFoundPage, refusedPage, unavailablePage } from './error-pages.ts';
import { addFixedPages, type FixedPage, type FixedPages } from './fixed-pages.ts';
import { guidePages } from './guides.ts';
import { createPageServer, htmlType, neverKept, pageHeaders, type PageServerParts } from './page-server.ts';
import type { PageRoute } from './page.ts';
import { battlePage } from './pages/battle.ts';
import { clubPage } from './pages/club.ts';
import { clubsPage } from './pages/clubs.ts';
import { embedPage } from './pages/embed.ts';
import { factionFiles } from './pages/faction-files.ts';
import { factionPage } from './pages/faction.ts';
import { factionsPage } from './pages/factions.ts';
import { feedPages } from './pages/feeds.ts';
import { frontNowPage, frontPage } from './pages/front.ts';
import { playerPage } from './pages/player.ts';
import { searchPage } from './pages/search.ts';
import { sitemapPages } from './pages/sitemap.ts';
import { tournamentFiles } from './pages/tournament-files.ts';
import { tournamentPage } from './pages/tournament.ts';
import { tournamentNamesPage } from './pages/tournament-names.ts';
import { tournamentNowPage } from './pages/tournament-now.ts';
import { tournamentParticipantsPage } from './pages/tournament-participants.ts';
import { tournamentRoundsPage } from './pages/tournament-rounds.ts';
import { tournamentsPage } from './pages/tournaments.ts';
import { referencePages } from './reference.ts';
import { robotsText } from './robots.ts';
import { basePath, type SiteSettings } from './site-settings.ts';

export interface SiteParts extends PageServerParts {
  settings: Omit<SiteSettings, 'assets'>;
  connections: Connections;
  logger: Logger;
}

/** The public pages, without a key. They load nothing from another host. */
export async function createSite(parts: SiteParts): Promise<FastifyInstance> {
  const assets = readAssets(parts.settings.siteUrl);
  const site: SiteSettings = { ...parts.settings, assets: assets.paths };
  const base = basePath(site.siteUrl);
  const pageServer = createPageServer({ ...parts, base });
  const pipelines = createPipelines();
  const app = fastify({
    handlerTimeout: 3_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // A faction's name may have 200 characters, each of up to twelve in an address.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 2_400 },
    // A proxy may pass the path of the public address on, or cut it off.
    rewriteUrl: ({ url = '/' }) => (base !== '' && isBelow(base, url) ? url.slice(base.length) || '/' : url),
    serverFactory: (handle) =>
      createServer(serverOptions, (message, response) => {
        if (pipelines.take(message, response) === undefined) return;
        if (!parts.connections.admits(message, response))
          response.writeHead(503, { 'retry-after': '5' }).end();
        else if (!pageServer.answerFromMemory(message, response)) handle(message, response);
      }).setTimeout(silenceMs),
    frameworkErrors: (_error, _request, reply) => void sendErrorPage(reply, 404, notFound),
    clientErrorHandler: (error, socket) => refuse(socket, error.code, refused),
  });
  parts.connections.limit(app.server);
  app.server.on('connect', (_message, socket: Duplex) => socket.destroy());
  const notFound = notFoundPage(site);
  const unavailable = unavailablePage(site);
  const refused = refusedPage(site);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendErrorPage(reply.header('allow', 'GET, HEAD'), 405, refused);
    return undefined;
  });
  app.addHook('onResponse', async (request, reply) => {
    parts.countAnswer(request.routeOptions.url, reply.statusCode, reply.elapsedTime);
  });
  addFixedPages(app, { ...fixedPages(site), ...assets.pages });
  const redirect = (url: string, target: string, status: number) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) => reply.redirect(`${base}${target}`, status),
    });
  redirect('/reference', '/reference/', 308);
  if (site.hasPages) pageServer.addTo(app, pageRoutes(site));
  else redirect('/', '/docs', 302);
  app.setNotFoundHandler(async (request, reply) => {
    const shorter = withoutSlash(request.url);
    return shorter === undefined
      ? sendErrorPage(reply, 404, notFound)
      : reply.redirect(`${base}${shorter}`, 308);
  });
  app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
    if ((error.statusCode ?? 500) < 500) return sendErrorPage(reply, 404, notFound);
    if (!isUnavailable(error)) parts.logger.error({ err: error }, 'a page could not be made');
    return sendErrorPage(reply.header('retry-after', '5'), 503, unavailable);
  });
  return app;
}

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

function isBelow(base: string, url: string): boolean {
  return url.startsWith(base) && /^([/?]|$)/.test(url.slice(base.length));
}

/** What is no HTTP gets a page, too. */
function refuse(socket: Socket, code: string | undefined, text: string): void {
  if (code === 'ECONNRESET' || code === parserStopped || socket.destroyed) return;
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[code ?? ''] ?? 400;
  const headers = {
    ...neverKept,
    'content-type': htmlType,
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(text) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`);
  socket.destroySoon();
}

function sendErrorPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).headers(neverKept).type(htmlType).serializer(String).send(text);
}
