import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, Overloaded } from '../database/unavailable.ts';
import type { AnswerCache, Found } from '../read/answer-cache.ts';
import { Asker } from '../http/asker.ts';
import { filesOwner, siteOwner } from '../read/owners.ts';
import type { ShownScope } from '../read/newest-revisions.ts';
import type { Documents } from '../read/reader.ts';
import type { UnreadBytes } from '../http/unread-bytes.ts';
import { opaqueTagsIn } from '../http/etag.ts';
import type { PauseWatch } from '../http/pauses.ts';
import type { CountAnswer } from '../http/count-answer.ts';
import { Targets } from '../http/targets.ts';
import { type Asked, isId, isSlug, type PageParameters, type PageRoute } from './page.ts';
import { dayMs, dayOf } from './old-event.ts';
import { movedThing, type MovedRow } from './statements/moved.ts';
import { digestOf } from './revision-tag.ts';

export interface PageServerParts {
  documents: Documents;
  answers: AnswerCache;
  unread: UnreadBytes;
  pauses: PauseWatch;
  countAnswer: CountAnswer;
  /** The path of the public address. */
  base?: string;
  now?: (() => number) | undefined;
}

/** Serves pages: from memory, or made once for all who ask for the same page at the same time. */
export function createPageServer({
  documents,
  answers,
  unread,
  pauses,
  countAnswer,
  base = '',
  now = Date.now,
}: PageServerParts) {
  const targets = new Targets<{ key: string; route: string }>();

  /** Answers from memory, in front of the framework. False when the framework has to answer. */
  function answerFromMemory(message: IncomingMessage, response: ServerResponse): boolean {
    const target = targets.get(message.url ?? '');
    if (target === undefined || !isUsual(message)) return false;
    const startedAt = performance.now();
    const found = answers.ready(target.key, message.headers);
    if (found === undefined || !hasRoom(siteOwner, found, response)) return false;
    answers.countHit();
    const status = found.body === undefined ? 304 : 200;
    response.writeHead(status, headersOf(found));
    response.end(message.method === 'HEAD' ? undefined : found.body?.bytes);
    watchUnread(siteOwner, message, response, found.body?.bytes);
    countAnswer(target.route, status, performance.now() - startedAt);
    return true;
  }

  function hasRoom(owner: string, { body }: Found, response: ServerResponse): boolean {
    return body === undefined || unread.takes(owner, body.bytes, response);
  }

  /** To be called after the answer was handed over. */
  function watchUnread(
    owner: string,
    { socket }: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer | undefined,
  ): void {
    if (bytes === undefined || (response.socket !== null && socket.writableLength === 0)) return;
    unread.add(owner, bytes, response);
    pauses.watch(response, socket);
  }

  function find(route: PageRoute, request: FastifyRequest, key: string, asker: Asker): Promise<Found> {
    const params = request.params as PageParameters;
    const heldTags = opaqueTagsIn(request.headers['if-none-match']);
    const query = queryOf(route, request.url);
    const scope = route.scope(params);
    return answers.answer({
      key,
      wanted: request.headers,
      held: heldTags,
      asker,
      read: async (reading) => {
        const scopes: ShownScope[] = [];
        let isKeepable = true;
        const read: Asked['read'] = async (statement, values, alsoShown) => {
          const copy = await documents.read({ ...reading, scope, statement, values, alsoShown });
          isKeepable &&= copy.isKeepable;
          scopes.push(...copy.shown);
          return copy.rows;
        };
        const time = now();
        const made = await route.make({ params, query, heldTags, today: dayOf(time), read });
        if (made === undefined) {
          const thing = thingOf(route, params);
          if (thing === undefined) throw notPublished;
          const [moved] = await read<MovedRow>(movedThing, thing);
          throw moved?.target ? new Moved(moved.target) : notPublished;
        }
        const { text: content, type = htmlType, tag } = made;
        const etag = `W/"${tag ?? digestOf(content ?? '')}"`;
        const headers = { ...pageHeaders, ...made.headers, etag, 'content-type': type };
        const keptForMs = Math.min(made.keptForMs ?? Infinity, dayMs - (time % dayMs));
        return { etag, headers, scopes, content, isKeepable, keptForMs };
      },
    });
  }

  async function send(route: PageRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const key = keyOf(route, request);
    const asker = new Asker(route.isLarge === true ? filesOwner : siteOwner);
    request.signal.addEventListener('abort', () => asker.leave(), { once: true });
    const found = await find(route, request, key, asker).catch((error: unknown) => {
      if (error instanceof Moved) return error;
      // The deadline passed meanwhile, and the browser already has a 503.
      if (error !== notPublished && !(reply.sent && isUnavailable(error))) throw error;
      return undefined;
    });
    if (reply.sent) return reply;
    if (found instanceof Moved) {
      const path = request.url.replace(
        /^((?:\/embed)?\/[a-z]+\/)[^/?]+/,
        (_, folder: string) => folder + found.target,
      );
      return reply.headers(pageHeaders).redirect(`${base}${path}`, 308);
    }
    if (found === undefined) {
      reply.callNotFound();
      return reply;
    }
    // As the browser wrote it: the framework has cut the path of the public address off `request.url`.
    targets.set(request.originalUrl, { key, route: route.path });
    if (!hasRoom(asker.owner, found, reply.raw)) throw noRoom;
    reply.code(found.body === undefined ? 304 : 200).headers(headersOf(found));
    reply.serializer(asIs).send(found.body?.bytes);
    watchUnread(asker.owner, request.raw, reply.raw, found.body?.bytes);
    return reply;
  }

  return {
    answerFromMemory,
    addTo(app: FastifyInstance, routes: PageRoute[]): void {
      for (const route of routes) {
        app.route({
          // The framework's own route for HEAD would give a 304 a length of 0.
          method: ['GET', 'HEAD'],
          url: route.path,
          handler: (request, reply) => send(route, request, reply),
        });
      }
    },
  };
}

const noRoom = new Overloaded('too many bytes of pages are unread');
/** What was asked for has another name now. */
class Moved extends Error {
  readonly target: string;

  constructor(target: string) {
    super(`moved to ${target}`);
    this.target = target;
  }
}

/** The kind and the name of a thing that may have moved. */
function thingOf({ path }: PageRoute, { slug, id }: PageParameters): [string, string] | undefined {
  if (/^(\/embed)?\/tournaments\//.test(path) && isSlug(slug)) return ['tournament', slug];
  if (path.startsWith('/clubs/') && isSlug(slug)) return ['club', slug];
  return path.startsWith('/players/') && isId(id) ? ['player', id] : undefined;
}

/** Nothing is published at this address. */
const notPublished = new Error('nothing is published at this address');

/**
 * Pages are the same for everybody: a proxy may keep one for two seconds, and for a minute while we fail. For one second more
 * nginx sends the old copy while one request fetches the new one: else all others would reach us meanwhile. `s-maxage` forbids
 * a CDN to send an old copy, so CDNs get a header of their own (RFC 9213).
 */
export const sharedCaching = {
  'cache-control': 'public, max-age=0, s-maxage=2, stale-while-revalidate=1, stale-if-error=60',
  'cdn-cache-control': 'max-age=2, stale-if-error=60',
};

/** Of every page. */
export const pageHeaders = {
  ...sharedCaching,
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** Of an answer that is no page. */
export const neverKept = { ...pageHeaders, 'cache-control': 'no-store', 'cdn-cache-control': 'no-store' };

export const htmlType = 'text/html; charset=utf-8';

const asIs = (body: unknown) => body as string;

/** A 304 has no headers that describe a body. */
function headersOf({ headers, body }: Found): Record<string, string | number> {
  const { 'content-type': type = htmlType, ...rest } = headers;
  if (body === undefined) return rest;
  const { bytes, encoding } = body;
  return {
    ...rest,
    'content-type': type,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
    'content-length': bytes.length,
  };
}

function isUsual({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined
  );
}

function keyOf(route: PageRoute, { params, url }: FastifyRequest): string {
  return JSON.stringify([route.path, params, queryOf(route, url)]);
}

/** Of a repeated parameter, the first. Text that cannot be decoded is left out. */
function queryOf(route: PageRoute, target: string): Record<string, string> {
  const start = target.indexOf('?');
  if (start < 0) return {};
  const given = new URLSearchParams(target.slice(start + 1));
  const query: Record<string, string> = {};
  for (const name of route.query) {
    const value = given.get(name);
    // PostgreSQL takes no NUL. An empty `player` marks no row.
    if (value === null || value.includes('\0') || (name === 'player' && value === '')) continue;
    query[name] = value;
  }
  return query;
}
