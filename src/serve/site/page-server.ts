import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BeforeRead, ByteBudget } from '../documents/byte-budget.ts';
import { createGate, type Gate } from '../documents/gate.ts';
import { createLeftReads, type SharedRead } from '../documents/left-reads.ts';
import type { NewestRevisions, ShownScope } from '../documents/newest-revisions.ts';
import type { KeptPage, PageCache } from '../documents/page-cache.ts';
import type { Documents, Row } from '../documents/reader.ts';
import { unlessAnswered } from '../documents/after-deadline.ts';
import { Body } from '../http/compress.ts';
import { isHeldIn, opaqueTagsIn } from '../http/etag.ts';
import { isForTurns, sendInTurns } from '../http/in-turns.ts';
import type { ProgressWatch } from '../http/progress.ts';
import type { Metrics } from '../metrics.ts';
import type { Asked, PageParameters, PageRoute } from './page.ts';

export interface PageServerParts {
  documents: Documents;
  newestRevisions: NewestRevisions;
  pages: PageCache;
  /** Pages may read only through it, so that they leave room for the API. */
  gate: Gate;
  budget: ByteBudget;
  progress: ProgressWatch;
  metrics: Metrics;
}

/** Serves pages: from memory, or made once for all who ask for the same page at the same time. */
export function createPageServer(parts: PageServerParts) {
  const { pages, newestRevisions } = parts;
  /** Which page a target means. A target has many spellings, because unknown parameters are ignored. */
  const targets = new LRUCache<string, { key: string; route: string }>({ max: mostTargets });
  const flights = new Map<string, Flight>();
  const leftReads = createLeftReads();
  const onWaited = parts.metrics.countWait;
  const largeGate = createGate({ places: 2, mostWaiting: 20, longestWaitMs: 1_000, onWaited });

  /** A large page waits for its turn outside, where it takes no place from the others. */
  function inTurn<T>(route: PageRoute, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const inside = () => parts.gate.pass(signal, work);
    return route.isLarge === true ? largeGate.pass(signal, inside) : inside();
  }

  /** Answers from memory, in front of the framework. False when the framework has to answer. */
  function answerFromMemory(message: IncomingMessage, response: ServerResponse): boolean {
    const target = targets.get(message.url ?? '');
    if (target === undefined || !isUsual(message)) return false;
    const page = pages.kept(target.key);
    if (page === undefined) return false;
    const { headers, method } = message;
    const isHeld = isHeldIn(headers['if-none-match'], page.etag);
    const body = isHeld ? undefined : page.body.ready(headers['accept-encoding']);
    if (!isHeld && body === undefined) return false;
    // The framework waits for room.
    if (body !== undefined && !parts.budget.fits(owner, body.bytes)) return false;
    const startedAt = performance.now();
    if (body === undefined) {
      response.writeHead(304, headersOf304(page));
    } else {
      response.writeHead(200, {
        ...page.headers,
        ...(body.encoding !== undefined && { 'content-encoding': body.encoding }),
        'content-length': body.bytes.length,
      });
    }
    response.end(method === 'HEAD' ? undefined : body?.bytes);
    if (body !== undefined && message.socket.writableLength > 0) {
      parts.budget.claimFor(owner, response).become(body.bytes);
      parts.progress.watch(response);
    }
    parts.metrics.countAnswer(target.route, isHeld ? 304 : 200, performance.now() - startedAt);
    return true;
  }

  /** Undefined: nothing is published at this address. */
  async function answer(
    route: PageRoute,
    request: FastifyRequest,
    key: string,
    beforeRead: BeforeRead,
  ): Promise<Answer | undefined> {
    const params = request.params as PageParameters;
    const heldTags = opaqueTagsIn(request.headers['if-none-match']);
    const fromMemory = (): Answer | undefined => {
      const kept = pages.kept(key);
      if (kept === undefined) return undefined;
      return holds(heldTags, kept.etag) ? { held: kept } : { page: kept };
    };
    const hit = fromMemory();
    if (hit !== undefined) return hit;
    const name = `${key}${JSON.stringify(heldTags)}`;
    // Only the read itself knows all that the page shows, so a notice about anything counts.
    const seenNow = () => `${newestRevisions.generation()} ${newestRevisions.count()}`;
    // A read from before a notice is another one, with bytes of its own.
    await beforeRead(`${name} ${seenNow()} ${leftReads.mark(name)}`, key);
    const meanwhile = fromMemory();
    if (meanwhile !== undefined) return meanwhile;
    // Who asks after a notice must not get what was read before it.
    const seen = seenNow();
    const known = flights.get(name);
    const isJoinable = known?.seen === seen && !known.controller.signal.aborted;
    const flight = isJoinable ? known : begin();
    leftReads.join(name, flight, request.signal);
    return flight.result;

    function begin(): Flight {
      const controller = new AbortController();
      const { signal } = controller;
      const query = queryOf(route, request.url);
      const begun: Flight = {
        seen,
        callers: 0,
        controller,
        result: inTurn(route, signal, () => make(route, params, query, heldTags, key, signal)).finally(() => {
          if (flights.get(name) === begun) flights.delete(name);
        }),
      };
      flights.set(name, begun);
      return begun;
    }
  }

  async function make(
    route: PageRoute,
    params: PageParameters,
    query: Asked['query'],
    heldTags: string[] | null,
    key: string,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const moment = pages.beginRead();
    const scope = route.scope(params);
    const scopes: ShownScope[] = [];
    let isKeepable = true;
    const read = async <R extends Row>(
      statement: Parameters<Asked['read']>[0],
      values: unknown[],
      alsoShown?: (rows: R[]) => ShownScope[],
    ): Promise<R[]> => {
      const copy = await parts.documents.read<R>({ scope, statement, values, alsoShown, signal });
      isKeepable &&= copy.isKeepable;
      scopes.push(...copy.shown);
      return copy.rows;
    };
    const made = await route.make({ params, query, heldTags, read });
    if (made === undefined) return undefined;
    const { text, type = htmlType, tag, keptForMs = Infinity } = made;
    const etag = `W/"${tag ?? digestOf(text ?? '')}"`;
    const headers = { ...pageHeaders, ...made.headers, etag };
    if (text === undefined) return { held: { etag, headers } };
    const page: KeptPage = {
      etag,
      body: new Body(text),
      headers: { ...headers, 'content-type': type },
      scopes,
      until: keptForMs,
    };
    if (isKeepable) pages.keep(key, page, moment);
    return holds(heldTags, etag) ? { held: page } : { page };
  }

  async function send(route: PageRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const key = keyOf(route, request);
    const { signal } = request;
    const acceptEncoding = request.headers['accept-encoding'];
    const claim = parts.budget.claimFor(owner, reply.raw);
    const answered = await claim
      .obtain({
        ask: (beforeRead) => answer(route, request, key, beforeRead),
        bytesOf: (made) =>
          made !== undefined && 'page' in made ? bytesFor(made.page.body, acceptEncoding) : undefined,
        family: `${route.path} ${route.scope(request.params as PageParameters)}`,
        signal,
      })
      .catch(unlessAnswered(reply));
    // The deadline passed meanwhile, and the browser already has a 503.
    if (reply.sent) return reply;
    if (answered === undefined) {
      reply.callNotFound();
      return reply;
    }
    // As the browser wrote it: the framework has cut the path of the public address off `request.url`.
    const target = request.originalUrl;
    if (target.length <= longestTarget) targets.set(target, { key, route: route.path });
    if ('held' in answered) return reply.code(304).headers(headersOf304(answered.held)).send();
    const { body, headers } = answered.page;
    const wasReady = body.ready(acceptEncoding) !== undefined;
    const { bytes, encoding } = await body.in(acceptEncoding, signal);
    if (!wasReady) pages.weigh(key);
    if (reply.sent) return reply;
    claim.become(bytes);
    reply.headers({ ...headers, 'content-length': bytes.length });
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    if (!isForTurns(reply, bytes)) return reply.serializer(asIs).send(bytes);
    parts.progress.watch(reply.raw);
    return sendInTurns(reply, bytes);
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

/** A page in the making, for all who ask for it at the same time. */
interface Flight extends SharedRead {
  /** What was the newest when it began. */
  seen: string;
  result: Promise<Answer | undefined>;
}

type Answer = { page: KeptPage } | { held: Pick<KeptPage, 'etag' | 'headers'> };

/** Of every page. Tabs of one person share nothing with others: there is no cookie. */
export const pageHeaders = {
  'cache-control': 'public, max-age=0, must-revalidate',
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

export const htmlType = 'text/html; charset=utf-8';

/** Pages need no key. Together they may use as many bytes as one key. */
const owner = 'site';

const mostTargets = 20_000;
const longestTarget = 512;
const asIs = (body: unknown) => body as string;

/** What the answer counts until it is compressed. */
function bytesFor(body: Body, acceptEncoding: string | undefined): Buffer {
  return (body.ready(acceptEncoding) ?? body.plain).bytes;
}

function holds(tags: string[] | null, etag: string): boolean {
  return tags === null || tags.includes(etag.slice('W/"'.length, -1));
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** A 304 has no headers that describe a body. */
function headersOf304({ headers }: Pick<KeptPage, 'headers'>): Record<string, string> {
  const { 'content-type': _type, ...rest } = headers;
  return rest;
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
    // PostgreSQL takes no NUL.
    if (value !== null && !value.includes('\0')) query[name] = value;
  }
  return query;
}
