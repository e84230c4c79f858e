import { LRUCache } from 'lru-cache';
import type { Body } from '../http/compress.ts';
import { createJudge, type JudgeOptions, type ReadMoment } from './judge.ts';
import type { ShownScope } from './newest-revisions.ts';

/** A page of the site in memory. It shows several things, each with a revision. */
export interface KeptPage {
  etag: string;
  body: Body;
  headers: Readonly<Record<string, string>>;
  scopes: readonly ShownScope[];
  /** It is not used longer than this, whatever was heard: for pages that show more than their scopes. */
  until: number;
}

export interface PageCache {
  /** The page, when it is still true. */
  kept: (key: string) => KeptPage | undefined;
  /** What a read must remember from before it began, to be kept later. */
  beginRead: () => ReadMoment;
  keep: (key: string, page: KeptPage, moment: ReadMoment) => void;
  /** To be called after a body was compressed: it is larger now. */
  weigh: (key: string) => void;
}

export interface PageCacheOptions extends JudgeOptions {
  mostBytes: number;
}

/** Keeps pages as bytes. A page has several scopes, and may have an end. */
export function createPageCache({ mostBytes, ...judging }: PageCacheOptions): PageCache {
  const judge = createJudge(judging);
  const pages = new LRUCache<string, KeptPage & ReadMoment>({
    maxSize: Math.max(mostBytes, 1),
    maxEntrySize: Math.max(Math.min(mostBytes, largestPage), Math.floor(mostBytes / 4), 1),
    sizeCalculation: ({ body }, key) => pageBytes + 2 * key.length + body.size,
  });

  const isCurrent = (page: KeptPage & ReadMoment): boolean =>
    judge.ageOf(page) < page.until && judge.isCurrent(page);

  return {
    kept(key) {
      const page = pages.get(key);
      if (page === undefined || isCurrent(page)) return page;
      pages.delete(key);
      return undefined;
    },
    beginRead: judge.begin,
    keep(key, page, moment) {
      const made = { ...page, ...moment };
      if (isCurrent(made)) pages.set(key, made);
    },
    weigh(key) {
      const page = pages.peek(key);
      if (page !== undefined) pages.set(key, { ...page });
    },
  };
}

/** Where a quarter of the memory is more, a page may take that. The battles of 1,000 players are a file of 1.5 MB. */
const largestPage = 1 << 20;
/** Roughly what an entry costs beside its key and body. */
const pageBytes = 1_500;
