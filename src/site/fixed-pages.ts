import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Body } from '../http/compress.ts';
import { opaqueTagsIn } from '../http/etag.ts';
import { sharedCaching } from './page-server.ts';
import { digestOf } from './revision-tag.ts';

/** A page that is made once. */
export interface FixedPage {
  type: string;
  text: string | Buffer;
  headers?: Record<string, string>;
}

/** A function makes its page at the first request for it. */
export type FixedPages = Record<string, FixedPage | (() => FixedPage)>;

export function addFixedPages(app: FastifyInstance, pages: FixedPages): void {
  for (const [path, page] of Object.entries(pages)) {
    let prepared: Prepared | undefined;
    app.route({
      // The framework's own route for HEAD would give a 304 a length of 0.
      method: ['GET', 'HEAD'],
      url: path,
      // The first reader of the reference waits until its script is compressed: seconds on a slow machine.
      handlerTimeout: 15_000,
      handler: async (request, reply) => {
        prepared ??= prepare(typeof page === 'function' ? page() : page);
        const { type, tag, body, headers } = prepared;
        reply.headers(headers);
        const held = opaqueTagsIn(request.headers['if-none-match']);
        if (held === null || held.includes(tag)) return reply.code(304).send();
        const { bytes, encoding } = await body.in(request.headers['accept-encoding']);
        if (encoding !== undefined) reply.header('content-encoding', encoding);
        return reply.type(type).send(bytes);
      },
    });
  }
}

interface Prepared {
  type: string;
  tag: string;
  body: Body;
  headers: Record<string, string>;
}

function prepare({ type, text, headers }: FixedPage): Prepared {
  const tag = digestOf(text);
  return {
    type,
    tag,
    body: new Body(text),
    headers: {
      ...sharedCaching,
      vary: 'Accept-Encoding',
      // Weak, as in the API: one tag for all encodings.
      etag: `W/"${tag}"`,
      ...headers,
    },
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
