import { createHash } from 'node:crypto';
import { Body } from '../../http/compress.ts';
import { opaqueTagsIn } from '../../http/etag.ts';
import type { Route } from '../../http/listener.ts';
import { sharedCaching } from '../page-server.ts';
import { digestOf } from '../parts/revision-tag.ts';

/** A page that never changes, so it is made only once. */
export interface FixedPage {
  type: string;
  text: string | Buffer;
  headers?: Record<string, string>;
}

/** Fixed pages by path. A function makes its page at the first request for it. */
export type FixedPages = Record<string, FixedPage | (() => FixedPage)>;

export function fixedRoutes(pages: FixedPages): Route[] {
  return Object.entries(pages).map(([pattern, page]) => {
    let prepared: Prepared | undefined;
    return {
      pattern,
      // The first reader of the reference waits until its script is compressed, which takes seconds on a slow
      // machine.
      isSlow: true,
      async answer({ message }) {
        prepared ??= prepare(typeof page === 'function' ? page() : page);
        const { tag, body, ...rest } = prepared;
        const held = opaqueTagsIn(message.headers['if-none-match']);
        if (held === null || held.includes(tag)) return rest;
        return { ...rest, body: await body.in(message.headers['accept-encoding']) };
      },
    };
  });
}

interface Prepared {
  type: string;
  tag: string;
  etag: string;
  body: Body;
  headers: Record<string, string>;
}

function prepare({ type, text, headers }: FixedPage): Prepared {
  const tag = digestOf(text);
  return {
    type,
    tag,
    // The tag is weak as in the API, because all encodings share it.
    etag: `W/"${tag}"`,
    body: new Body(text),
    headers: { ...sharedCaching, vary: 'Accept-Encoding', ...headers },
  };
}

/** Forbids everything except the named sources and the page's own inline code. */
export function policyFor(html: string, allowed: Record<string, string>): string {
  const digests = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}(?![^>]* src=)[^>]*>(.*?)</${tag}>`, 'gs'))].map(
      ([, inline = '']) => `'sha256-${createHash('sha256').update(inline).digest('base64')}'`,
    );
  const { 'script-src': scripts = '', 'style-src': styles, ...rest } = allowed;
  const directives: Record<string, string> = {
    'default-src': "'none'",
    'script-src': [scripts, ...digests('script')].join(' ').trim() || "'none'",
    'style-src': styles ?? digests('style').join(' '),
    ...rest,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
