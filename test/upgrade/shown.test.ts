import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownIn } from '../../harness/upgrade/shown.ts';

const page = (digest: string, result: string) =>
  `<!doctype html><html><head><link rel="stylesheet" href="/assets/style-${digest}.css"></head>
<body class="x"><main><h1>Cup</h1>
<p class="${digest}">Ann ${result} Bea</p></main><script src="/assets/script-${digest}.js"></script></body></html>`;

test('a page is the same with another style sheet, and another one with another result', () => {
  assert.equal(shownIn('/', page('1a', '2–0')), 'Cup Ann 2–0 Bea');
  assert.equal(shownIn('/', page('2b', '2–0')), shownIn('/', page('1a', '2–0')));
  assert.notEqual(shownIn('/', page('1a', '2–1')), shownIn('/', page('1a', '2–0')));
  assert.throws(() => shownIn('/', '{"error":"none"}'), /is not a page/);
});

test('a description of the API is the same with another version, and another one with another path', () => {
  const api = (version: string, path: string) =>
    JSON.stringify({ info: { title: 'API', version }, paths: { [path]: {} } });
  assert.equal(shownIn('/openapi.json', api('1.0.0', '/a')), shownIn('/openapi.json', api('1.1.0', '/a')));
  assert.notEqual(shownIn('/openapi.json', api('1.0.0', '/a')), shownIn('/openapi.json', api('1.0.0', '/b')));
});
