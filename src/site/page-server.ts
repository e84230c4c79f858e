import { errors } from '../contract/errors.ts';
import { Call } from '../http/call.ts';
import { opaqueTagsIn } from '../http/etag.ts';
import type { Route } from '../http/listener.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { AnswerCache, FoundAnswer } from '../read/answer-cache.ts';
import type { ShownScope } from '../read/newest-revisions.ts';
import { filesOwner } from '../read/owners.ts';
import type { Reader } from '../read/reader.ts';
import { dayOf, endOfDay } from '../text/days.ts';
import { type PageRequest, isId, isSlug, type PageParameters, type PageRoute } from './page.ts';
import { digestOf } from './parts/revision-tag.ts';
import { movedThing, type MovedRow } from './moved.ts';
import type { Language } from '../text/languages.ts';

export interface PageServerParts {
  reader: Reader;
  answers: AnswerCache;
  now?: (() => number) | undefined;
}

/** A request to the site. */
export class SiteCall extends Call {
  /** Undefined if the path names no language. */
  language: Language | undefined;
}

/** Serves a page from memory, or makes it once for all who ask for it at the same time. */
export function pageRouteOf(pattern: string, pageIn: PageIn, parts: PageServerParts): Route<SiteCall> {
  return {
    pattern,
    async answer(call, params) {
      const page = pageIn(call.language);
      if (Object.values(params).some(({ length }) => length > longestPart)) throw notPublished;
      if (page.isLarge === true) call.owner = filesOwner;
      const query = queryOf(page, call.target);
      const key = JSON.stringify([page.path, call.language, params, query]);
      const found = await find(page, call, { params, query }, key, parts);
      return { ...found, kept: { key, until: Infinity } };
    },
  };
}

/** Returns the page in a language. Undefined stands for the site's own language. */
type PageIn = (language: Language | undefined) => PageRoute;

function find(
  page: PageRoute,
  call: Call,
  { params, query }: Pick<PageRequest, 'params' | 'query'>,
  key: string,
  { reader, answers, now = Date.now }: PageServerParts,
): Promise<FoundAnswer> {
  const wanted = call.message.headers;
  const scope = page.scope(params);
  return answers.answer({
    key,
    wanted,
    scope,
    held: opaqueTagsIn(wanted['if-none-match']),
    asker: call,
    read: async ({ held, ...reading }) => {
      const scopes: ShownScope[] = [];
      let isKeepable = true;
      const read: PageRequest['read'] = async (statement, values, alsoShown) => {
        const copy = await reader.read({ ...reading, scope, statement, values, alsoShown });
        isKeepable &&= copy.isKeepable;
        scopes.push(...copy.shown);
        return copy.rows;
      };
      const time = now();
      const made = await page.make({ params, query, heldTags: held ?? [], today: dayOf(time), read });
      if (made === undefined) {
        const thing = thingOf(page, params);
        if (thing === undefined) throw notPublished;
        const [moved] = await read<MovedRow>(movedThing, thing);
        throw moved?.target ? new MovedPermanently(renamedTo(moved.target)) : notPublished;
      }
      const { movedTo } = made;
      if (movedTo !== undefined) throw new MovedPermanently(() => movedTo);
      const { text: content, type = htmlType, tag } = made;
      const etag = `W/"${tag ?? digestOf(content ?? '')}"`;
      const headers = made.headers === undefined ? pageHeaders : { ...pageHeaders, ...made.headers };
      const keptForMs = Math.min(made.keptForMs ?? Infinity, endOfDay(time) - time);
      return { etag, headers, type, scopes, content, isKeepable, keptForMs };
    },
  });
}

/** Thrown if what was asked for has another address now. */
export class MovedPermanently extends Error {
  /** Returns the new path for the path that was asked for. */
  readonly pathOf: (asked: string) => string;

  constructor(pathOf: (asked: string) => string) {
    super('moved');
    this.pathOf = pathOf;
  }
}

const renamedTo = (target: string) => (asked: string) =>
  asked.replace(/^((?:\/embed)?\/[a-z]+\/)[^/?]+/, (_, folder: string) => folder + target);

/** Returns the kind and the slug or id of a thing that may have been renamed. */
function thingOf({ path }: PageRoute, { slug, id }: PageParameters): [string, string] | undefined {
  if (/^(\/embed)?\/tournaments\//.test(path) && isSlug(slug)) return ['tournament', slug];
  if (path.startsWith('/clubs/') && isSlug(slug)) return ['club', slug];
  return path.startsWith('/players/') && isId(id) ? ['player', id] : undefined;
}

const notPublished = new RefusedRequest(errors.endpointNotFound);
/** The longest variable part of a path. A faction's name may have 200 characters. */
const longestPart = 200;

/**
 * Pages are the same for everybody, so a proxy may keep one for two seconds, and for a minute while we fail.
 * For one more second, nginx sends the old copy while one request fetches the new one; otherwise all the
 * others would reach us in the meantime. `s-maxage` forbids CDNs to send an old copy, so they get a header of
 * their own (RFC 9213).
 */
export const sharedCaching = {
  'cache-control': 'public, max-age=0, s-maxage=2, stale-while-revalidate=1, stale-if-error=60',
  'cdn-cache-control': 'max-age=2, stale-if-error=60',
};

/** Headers for all pages. */
export const pageHeaders = {
  ...sharedCaching,
  vary: 'Accept-Encoding',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** Headers for responses that are not pages. */
export const neverKept = { ...pageHeaders, 'cache-control': 'no-store', 'cdn-cache-control': 'no-store' };

export const htmlType = 'text/html; charset=utf-8';

/**
 * Returns the known query parameters. If one is repeated, the first counts. Bytes that cannot be decoded
 * become U+FFFD.
 */
function queryOf(route: PageRoute, target: string): Record<string, string> {
  const start = target.indexOf('?');
  if (start < 0) return {};
  const given = new URLSearchParams(target.slice(start + 1));
  const query: Record<string, string> = {};
  for (const name of route.query) {
    const value = given.get(name);
    // PostgreSQL does not accept NUL. An empty `player` or `entry` names nobody.
    if (value === null || value.includes('\0') || (marking.has(name) && value === '')) continue;
    query[name] = value;
  }
  return query;
}

const marking = new Set(['player', 'entry']);
