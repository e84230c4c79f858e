import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { createTestDatabase } from '../../harness/support/database.ts';
import { startTestServer } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  apiUrl: 'https://api.wartable.example',
});

test('the guides are on the site, with samples that call this API and links that work', async () => {
  const seen = new Set<string>();
  const todo = ['/docs'];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const page = await fetch(`${server.siteUrl}${path}`);
    assert.equal(page.status, 200, path);
    const text = await page.text();
    if (!path.startsWith('/docs') || path.endsWith('.md')) continue;
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self';/,
    );
    assert.doesNotMatch(text, /localhost:3000/);
    for (const [, link = ''] of text.matchAll(/href="(\/[^"#]*)(?:#[^"]*)?"/g)) {
      if (link !== '/' && link !== '/tournaments') todo.push(link);
    }
  }
  const guides = (await readdir(new URL('../../docs/api', import.meta.url))).length;
  const pages = [...seen].filter((path) => path.startsWith('/docs'));
  assert.equal(pages.filter((path) => !path.endsWith('.md')).length, guides);
  assert.equal(pages.filter((path) => path.endsWith('.md')).length, guides);
  const first = await (await fetch(`${server.siteUrl}/docs/first-request`)).text();
  assert.match(first, /API=&quot;\$\{API:-https:\/\/api\.wartable\.example\}&quot;/);
});

test('without pages, the site still has the guides, and the way to them', async () => {
  const bare = await startTestServer(await database.loginAs('wartable_serve'), { sitePages: false });
  const front = await fetch(bare.siteUrl);
  assert.equal(front.url, `${bare.siteUrl}/docs`);
  assert.equal((await fetch(bare.siteUrl, { method: 'HEAD' })).url, `${bare.siteUrl}/docs`);
  assert.doesNotMatch(await front.text(), /href="\/(tournaments|search)/);
  for (const path of ['/tournaments', '/clubs/a', '/search', '/sitemap.xml']) {
    const page = await fetch(`${bare.siteUrl}${path}`);
    assert.equal(page.status, 404, path);
    assert.doesNotMatch(await page.text(), /search/i);
  }
});

test('below a path of the public address, links have the path, and requests may have it', async () => {
  const deep = await startTestServer(await database.loginAs('wartable_serve'), {
    siteUrl: 'https://club.example/results',
  });
  for (const path of ['/docs', '/results/docs']) {
    const text = await (await fetch(`${deep.siteUrl}${path}`)).text();
    assert.match(text, /<link rel="canonical" href="https:\/\/club\.example\/results\/docs">/);
    for (const [, link] of text.matchAll(/href="(\/[^"]*)"/g)) assert.match(link ?? '', /^\/results\//);
    const reference = await (await fetch(`${deep.siteUrl}${path.replace('docs', 'reference/')}`)).text();
    assert.match(reference, /"\/results\/openapi\.json"/);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    const answer = await fetch(`${deep.siteUrl}${style}`);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/css/);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
  }
});

test('a proxy may keep pages and files for two seconds, and no errors', async () => {
  for (const path of ['/', '/docs', '/tournaments', '/tournaments.ics', '/openapi.json']) {
    const { status, headers } = await fetch(`${server.siteUrl}${path}`);
    assert.equal(status, 200, path);
    assert.equal(
      headers.get('cache-control'),
      'public, max-age=0, s-maxage=2, stale-while-revalidate=1, stale-if-error=60',
      path,
    );
    assert.equal(headers.get('cdn-cache-control'), 'max-age=2, stale-if-error=60', path);
    assert.match(headers.get('etag') ?? '', /^W\//, path);
  }
  const missing = await fetch(`${server.siteUrl}/tournaments/nothing-here`);
  const { headers } = missing;
  assert.deepEqual(
    [missing.status, headers.get('cache-control'), headers.get('cdn-cache-control')],
    [404, 'no-store', 'no-store'],
  );
});

test('a proxy may keep its connections to the site as long as those to the API', async () => {
  const page = await fetch(`${server.siteUrl}/docs`);
  assert.equal(page.headers.get('keep-alive'), 'timeout=72');
});

test('openapi.json is the contract, with the address that the API has', async () => {
  const response = await fetch(`${server.siteUrl}/openapi.json`);
  const document = (await response.json()) as { servers: unknown; paths: object };
  assert.deepEqual(document.servers, [{ url: 'https://api.wartable.example' }]);
  assert.equal(Object.keys(document.paths).length, 10);
});

test('/.well-known/api-catalog leads to both OpenAPI documents, the guides and the terms', async () => {
  const terms = 'https://club.example/terms';
  const { siteUrl, close } = await startTestServer(database.url, { termsUrl: terms });
  const address = `${siteUrl}/.well-known/api-catalog`;
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(address, { method });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/linkset\+json; ?profile=".*rfc9727"$/);
    assert.match(headers.get('link') ?? '', /^<http.*\/\.well-known\/api-catalog>; rel="api-catalog"$/);
  }
  const { linkset } = (await (await fetch(address)).json()) as {
    linkset: ({ anchor: string } & Record<string, { href: string; type?: string }[]>)[];
  };
  assert.deepEqual(
    linkset.map(({ anchor }) => new URL(anchor).pathname),
    ['/api/v1', '/api/extra/v1'],
  );
  for (const [index, found] of linkset.entries()) {
    const [description] = found['service-desc'] ?? [];
    const path = new URL(description?.href ?? '').pathname;
    const answer = await fetch(`${siteUrl}${path}`);
    assert.equal(answer.headers.get('content-type')?.split(';')[0], description?.type);
    const { paths, info } = (await answer.json()) as {
      paths: object;
      info: object;
    };
    const base = new URL(found.anchor).pathname;
    assert.ok(Object.keys(paths).length > 3 && Object.keys(paths).every((each) => each.startsWith(base)));
    assert.deepEqual((info as { termsOfService: string }).termsOfService, terms, `document ${index}`);
    for (const { href } of found['service-doc'] ?? [])
      assert.equal((await fetch(`${siteUrl}${new URL(href).pathname}`)).status, 200, href);
    assert.deepEqual(found['terms-of-service'], [{ href: terms }]);
  }
  await close();
});

test('the terms and the contact of the operator stand in openapi.json and on the page, and the licence of the software does not', async () => {
  const infoOf = async (given: { termsUrl?: string; contactUrl?: string }) => {
    const { siteUrl, close } = await startTestServer(database.url, given);
    const { info } = (await (await fetch(`${siteUrl}/openapi.json`)).json()) as {
      info: Record<string, unknown>;
    };
    const page = await (await fetch(`${siteUrl}/docs`)).text();
    await close();
    const { termsOfService, contact, license } = info;
    return { termsOfService, contact, license, links: page.match(/<a href="(?![/#])[^>]*>\w+<\/a>/g) };
  };
  const operator = 'The operator of this installation';
  const terms = 'https://club.example/terms?a=1&b=2';
  assert.deepEqual(await infoOf({ termsUrl: terms, contactUrl: 'https://club.example/contact' }), {
    termsOfService: terms,
    contact: { name: operator, url: 'https://club.example/contact' },
    license: undefined,
    links: [
      '<a href="https://club.example/contact">Contact</a>',
      '<a href="https://club.example/terms?a=1&amp;b=2">Terms</a>',
    ],
  });
  assert.deepEqual(await infoOf({ contactUrl: 'mailto:results@club.example' }), {
    termsOfService: undefined,
    contact: { name: operator, email: 'results@club.example' },
    license: undefined,
    links: ['<a href="mailto:results@club.example">Contact</a>'],
  });
  assert.deepEqual(await infoOf({}), {
    termsOfService: undefined,
    contact: { name: operator },
    license: undefined,
    links: null,
  });
});

test('with DATA_URL the pages link to the files of everything, and the guide loads them', async () => {
  const pagesOf = async (given: { dataUrl?: string }) => {
    const { siteUrl, close } = await startTestServer(database.url, given);
    const pages = await Promise.all(
      ['/', '/docs/files'].map(async (path) => (await fetch(`${siteUrl}${path}`)).text()),
    );
    await close();
    return pages.join('');
  };
  const linked = await pagesOf({ dataUrl: 'https://club.example/data' });
  assert.match(linked, /<a href="https:\/\/club\.example\/data\/index\.json">see the list<\/a>/);
  assert.match(linked, /<li><a href="\/docs\/files">All data as files<\/a><\/li><\/ul>\n<\/footer>/);
  assert.match(linked, /DATA:-https:\/\/club\.example\/data\}/);
  const bare = await pagesOf({});
  assert.match(bare, /DATA:-https:\/\/results\.example\.org\/data\}/);
  assert.doesNotMatch(
    bare,
    /see the list|<\/a><\/li><li><a href="\/docs\/files">All data as files<\/a><\/li><\/ul>\n<\/footer>/,
  );
});

test('the reference names no other host, and its policy lets it reach none but the API', async () => {
  const page = await fetch(`${server.siteUrl}/reference`);
  const html = await page.text();
  assert.doesNotMatch(html.replace(/<link rel="canonical"[^>]*>/, ''), /(src|href)="(https?:)?\/\//);
  assert.match(
    html,
    /<html lang="en">.*<a href="\/docs">Back to the guides<\/a>.*<li>List tournaments<code>GET \/api\/v1\/tournaments</s,
  );
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /connect-src 'self' https:\/\/api\.wartable\.example;/);
  assert.match(policy, /script-src 'self' 'sha256-[^']+';/);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
});

test('pages are compressed where that is accepted, under one weak tag', async () => {
  const script = `${server.siteUrl}/reference/js/scalar.js`;
  const tags = new Set<string | null>();
  for (const encoding of ['gzip', 'br', 'identity']) {
    const response = await fetch(script, { headers: { 'accept-encoding': encoding } });
    assert.equal(response.headers.get('content-encoding') ?? 'identity', encoding);
    assert.ok((await response.text()).length > 1_000_000);
    tags.add(response.headers.get('etag'));
  }
  assert.equal(tags.size, 1);
  assert.match([...tags].join(), /^W\/"[\w-]{16}"$/);
});

for (const path of ['/docs', '/reference/', '/reference/js/scalar.js', '/openapi.json']) {
  test(`${path} is not sent again to a caller who has it, for every form of its tag`, async () => {
    for (const encoding of ['gzip', 'br', 'identity']) {
      const ask = async (method: string, more: Record<string, string> = {}) => {
        const headers = { 'accept-encoding': encoding, ...more };
        const response = await fetch(`${server.siteUrl}${path}`, { method, headers });
        await response.arrayBuffer();
        const of = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name));
        return { status: response.status, headers: Object.fromEntries(of) };
      };
      const full = await ask('GET');
      assert.deepEqual(await ask('HEAD'), full);
      const ofNoBody = Object.entries(full.headers).filter(
        ([name]) => !/^content-(type|length|encoding)$/.test(name),
      );
      const notModified = { status: 304, headers: Object.fromEntries(ofNoBody) };
      const etag = full.headers['etag'] ?? '';
      for (const condition of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
        assert.deepEqual(await ask('GET', { 'if-none-match': condition }), notModified, condition);
        assert.deepEqual(await ask('HEAD', { 'if-none-match': condition }), notModified, condition);
      }
      for (const condition of ['"x"', `${etag} ${etag}`, etag.slice(2, -1)]) {
        assert.deepEqual(await ask('GET', { 'if-none-match': condition }), full, condition);
      }
    }
  });
}

test('a flood of made-up Accept-Encoding values compresses once, and memory stays bounded', async (t) => {
  const { mock: compressing } = t.mock.method(zlib, 'brotliCompress');
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  const flooded = await startTestServer(await database.loginAs('wartable_serve'));
  const flood = (from: number) =>
    Array.from(
      { length: 150 },
      (_, i) =>
        `HEAD /reference/js/scalar.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, x${from + i}\r\n\r\n`,
    ).join('');
  await answersTo(flooded, flood(0), 150);
  const memory = process.memoryUsage.rss();
  let peak = memory;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const lengths = new Set<string | undefined>();
  for (let round = 1; round <= 4; round += 1) {
    const answers = await answersTo(flooded, flood(round * 150), 150);
    for (const [, length] of answers.matchAll(/^content-length: (\d+)/gim)) lengths.add(length);
  }
  clearInterval(watch);
  assert.equal(lengths.size, 1);
  assert.equal(compressing.callCount(), 1);
  assert.ok(peak - memory < 100e6, `${(peak - memory) / 1e6} MB more`);
});

test('everything else gets one and the same page, with nothing of the request in it', async () => {
  const pages = new Set<string>();
  for (const path of [
    '/nowhere',
    '/api/v1/tournaments',
    '/reference/x',
    '/%zz',
    '/clubs/none',
    '/clubs/%00',
  ]) {
    const response = await fetch(`${server.siteUrl}${path}`);
    assert.equal(response.status, 404, path);
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self';/,
    );
    pages.add(await response.text());
  }
  assert.equal(pages.size, 1);
  assert.match([...pages].join(), /<h1>We can’t find this page<\/h1>/);
});

/** Sends everything in one write, and reads until that many answers have arrived. */
function answersTo({ siteUrl }: { siteUrl: string }, requests: string, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(siteUrl).port), '127.0.0.1');
    let answers = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answers += chunk;
      if (answers.split('HTTP/1.1 200 ').length > count && answers.endsWith('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(answers));
    socket.on('error', reject);
    socket.write(requests);
  });
}
