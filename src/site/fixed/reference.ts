import { existsSync, readFileSync } from 'node:fs';
import { readContract } from './openapi.ts';
import { type FixedPages, policyFor } from './fixed-pages.ts';
import { html, type Html, json } from '../html.ts';
import { htmlType } from '../page-server.ts';
import { basePath, fileTo, type SiteSettings } from '../site-settings.ts';

/**
 * Returns the page with a list of the endpoints, and the script made by `npm run reference`, which replaces
 * the list by the interactive reference.
 */
export function referencePages(site: SiteSettings): FixedPages {
  const text = referencePage(site);
  const policy = policyFor(text, {
    'script-src': "'self'",
    // The script writes its styles when it runs, so we cannot give digests for them.
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    // The script fetches the document, and calls the API when people try requests.
    'connect-src': `'self' ${new URL(site.apiUrl).origin}`,
  });
  return {
    '/reference/': { type: htmlType, text, headers: { 'content-security-policy': policy } },
    ...(existsSync(script) && {
      // The script has four megabytes, so it is read only when somebody asks for it, which is rare.
      '/reference/js/scalar.js': () => ({
        type: 'text/javascript; charset=utf-8',
        text: readFileSync(script, 'utf8'),
      }),
    }),
  };
}

const script = new URL('../../../assets/reference/scalar.js', import.meta.url);

/**
 * Makes a page that loads nothing from other hosts: no fonts, no telemetry, no assistant, and no proxy for
 * the requests that people try.
 */
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
    ...(site.trialKey !== undefined && {
      authentication: { securitySchemes: { apiKey: { token: site.trialKey } } },
    }),
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
<style>
.list { max-width: 44rem; padding: 0 16px 32px; font: 16px/1.5 system-ui, sans-serif; }
.list ul { padding: 0; list-style: none; }
.list li { margin: 12px 0; }
.list code { display: block; overflow-wrap: anywhere; font-size: 13px; }
.list button { min-height: 44px; padding: 8px 16px; font: inherit; }
</style>
</head>
<body>
<header style="padding: 8px 16px; font: 16px system-ui, sans-serif"><a href="${fileTo(site, '/docs')}">Back to the guides</a></header>
<div id="app"><main class="list">
<h1>API reference</h1>
<p>Parameters, fields and examples are in the interactive reference, in <a href="${fileTo(site, '/openapi.json')}">openapi.json</a> and <a href="${fileTo(site, '/openapi-extra.json')}">openapi-extra.json</a>. The <a href="${fileTo(site, '/docs')}">guides</a> show how to call the API.</p>
<p><button type="button" hidden>Load the interactive reference (1 MB)</button></p>
<ul>${[readContract('openapi.json'), readContract('openapi-extra.json')].map(endpoints)}
</ul>
</main></div>
<script>
const load = () => {
  const script = document.createElement('script');
  script.src = ${json(fileTo(site, '/reference/js/scalar.js'))};
  script.onload = () => Scalar.createApiReference('#app', ${json(configuration)});
  document.body.append(script);
};
const button = document.querySelector('button');
button.onclick = () => {
  button.disabled = true;
  load();
};
// A phone would load and run it for twenty seconds.
if (matchMedia('(min-width: 900px)').matches) load();
else button.hidden = false;
</script>
</body>
</html>
`.text;
}

function endpoints({ paths }: ReturnType<typeof readContract>): Html[] {
  return Object.entries(paths).map(
    ([path, { get }]) => html`
<li>${get.summary}<code>GET ${path}</code></li>`,
  );
}
