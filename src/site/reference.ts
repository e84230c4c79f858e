import { existsSync, readFileSync } from 'node:fs';
import { type FixedPages, policyFor } from './fixed-pages.ts';
import { html, json } from './html.ts';
import { htmlType } from './page-server.ts';
import { basePath, pathTo, type SiteSettings } from './site-settings.ts';

/** The interactive reference. `npm run reference` makes its script; the page also says something without it. */
export function referencePages(site: SiteSettings): FixedPages {
  const text = referencePage(site);
  const policy = policyFor(text, {
    'script-src': "'self'",
    // The script writes its styles when it runs, so we cannot give digests for them.
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    // The document, and the API for the requests that people try.
    'connect-src': `'self' ${new URL(site.apiUrl).origin}`,
  });
  return {
    '/reference/': { type: htmlType, text, headers: { 'content-security-policy': policy } },
    ...(existsSync(script) && {
      // Four megabytes, which few servers are ever asked for.
      '/reference/js/scalar.js': () => ({
        type: 'text/javascript; charset=utf-8',
        text: readFileSync(script, 'utf8'),
      }),
    }),
  };
}

const script = new URL('../../assets/reference/scalar.js', import.meta.url);

/** It loads nothing from other hosts: no fonts, no telemetry, no assistant, no proxy for the requests that people try. */
function referencePage(site: SiteSettings): string {
  const configuration = {
    sources: [
      { title: 'API', slug: 'api', url: `${basePath(site.siteUrl)}/openapi.json` },
      { title: 'Extra', slug: 'extra', url: `${basePath(site.siteUrl)}/openapi-extra.json` },
    ],
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    defaultOpenAllTags: true,
    proxyUrl: '',
  };
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${site.siteName}</title>
<meta name="description" content="Every endpoint, parameter and field of the API.">
<meta name="color-scheme" content="light dark">
<link rel="canonical" href="${site.siteUrl}/reference/">
<link rel="icon" href="${site.assets.icon}" type="image/svg+xml">
</head>
<body>
<header style="padding: 8px 16px; font: 16px system-ui, sans-serif"><a href="${pathTo(site, '/docs')}">Back to the guides</a></header>
<noscript><p>The reference needs a script. Without it, read the <a href="${pathTo(site, '/docs')}">guides</a>, or <a href="${pathTo(site, '/openapi.json')}">openapi.json</a> and <a href="${pathTo(site, '/openapi-extra.json')}">openapi-extra.json</a>, which have the same.</p></noscript>
<div id="app"></div>
<script src="${pathTo(site, '/reference/js/scalar.js')}"></script>
<script>Scalar.createApiReference('#app', ${json(configuration)})</script>
</body>
</html>
`.text;
}
