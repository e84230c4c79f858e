import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Installation, openapiDocumentOf } from '../../contract/openapi.ts';
import { Body } from '../http/compress.ts';
import { opaqueTagsIn } from '../http/etag.ts';
import { landingPage } from './landing-page.ts';
import { referencePage } from './reference.ts';

interface Page {
  type: string;
  text: string;
  /** What the page may load and run. Only HTML has a policy. */
  policy?: string;
}

/** The public pages, without a key. They are made once, and load nothing from another host. */
export async function createSite(installation: Installation): Promise<FastifyInstance> {
  const { apiUrl } = installation;
  const reference = await referencePage();
  const html = 'text/html; charset=utf-8';
  const landing = landingPage(installation);
  const pages: Record<string, Page> = {
    '/': { type: html, text: landing, policy: policyFor(landing, {}) },
    '/reference/': {
      type: html,
      text: reference.html,
      policy: policyFor(reference.html, {
        'script-src': "'self'",
        // The script writes its styles when it runs, so we cannot give digests for them.
        'style-src': "'unsafe-inline'",
        'img-src': "'self' data:",
        'font-src': "'self' data:",
        // The document, and the API for the requests that people try.
        'connect-src': `'self' ${new URL(apiUrl).origin}`,
      }),
    },
    '/reference/js/scalar.js': { type: 'text/javascript; charset=utf-8', text: reference.script },
    '/openapi.json': {
      type: 'application/json; charset=utf-8',
      text: JSON.stringify(openapiDocumentOf(installation)),
    },
  };

  const app = fastify({
    requestTimeout: 10_000,
    connectionTimeout: 15_000,
    forceCloseConnections: true,
    http: { headersTimeout: 5_000, maxHeaderSize: 8_192 },
    frameworkErrors: (_error, _request, reply) => void refuse(reply),
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  for (const [path, page] of Object.entries(pages)) {
    const tag = createHash('sha256').update(page.text).digest('base64url').slice(0, 16);
    const body = new Body(page.text);
    const headers = {
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      // Weak, as in the API: one tag for all encodings.
      etag: `W/"${tag}"`,
      ...(page.policy === undefined ? {} : { 'content-security-policy': page.policy }),
      // A page of any origin may read the document.
      ...(path === '/openapi.json' ? { 'access-control-allow-origin': '*' } : {}),
    };
    app.route({
      // The framework's own route for HEAD would give a 304 a length of 0.
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) => {
        reply.headers(headers);
        const held = opaqueTagsIn(request.headers['if-none-match']);
        if (held === null || held.includes(tag)) return reply.code(304).send();
        const { bytes, encoding } = await body.in(request.headers['accept-encoding']);
        if (encoding !== undefined) reply.header('content-encoding', encoding);
        return reply.type(page.type).send(bytes);
      },
    });
  }
  app.get('/reference', async (_request, reply) => reply.redirect('/reference/', 308));
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).type('text/plain').send('Not found\n'));
  app.setErrorHandler(async (_error, _request, reply) => refuse(reply));
  return app;
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(400).type('text/plain').serializer(String).send('This cannot be answered\n');
}

/** Forbids everything except the named sources and the page's own inline code. */
function policyFor(html: string, allowed: Record<string, string>): string {
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
