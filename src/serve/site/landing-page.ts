import type { Installation } from '../../contract/openapi.ts';

export function landingPage({ apiUrl, termsUrl, contactUrl }: Installation): string {
  const address = escaped(apiUrl);
  const link = (url: string | undefined, words: string) =>
    url === undefined ? '' : `<a href="${escaped(url)}">${words}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wartable</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 2.4rem; line-height: 1.1; margin: 0 0 .5rem; }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; }
  code { font: .9rem/1.5 ui-monospace, monospace; }
  nav a { margin-right: 1.5rem; }
  p.lead { font-size: 1.2rem; }
</style>
</head>
<body>
<main>
<h1>Wartable</h1>
<p class="lead">Results of tabletop-wargame tournaments as a read-only JSON API: tournaments, standings, army lists,
clubs and battles.</p>
<nav><a href="/reference/">API reference</a><a href="/openapi.json">openapi.json</a>${link(termsUrl, 'Terms')}${link(contactUrl, 'Contact')}</nav>
<h2>First request</h2>
<pre><code>curl -H "Authorization: Bearer $KEY" \\
  "${address}/api/v1/tournaments?limit=5"</code></pre>
<p>Every request carries an API key. The operator of this service hands out the keys. A list has <code>data</code> and
<code>next</code>, the address of the following page. Answers carry an <code>ETag</code>: send it back as
<code>If-None-Match</code>, and an unchanged answer is an empty 304.</p>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
