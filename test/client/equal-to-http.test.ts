import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { extraDocument } from '../../scripts/openapi/extra-document.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { feed } from '../conformance/feed/feed.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, get, startTestServer } from '../../harness/support/server.ts';
import { type Call, type Client, clients, onNode20, perform, type Result } from './clients.ts';

// Reads everything in the conformance world with each client and with plain HTTP.

const database = await createTestDatabase();
await publishFeed(database.pool, feed);
const { key } = await createTestKey(database);

/** A proxy in front of the server that remembers what a client asked for. */
const asked: { path: string; query: URLSearchParams; isConditional: boolean }[] = [];
const recorder = createServer(async ({ url = '', headers }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  asked.push({ path: pathname, query: searchParams, isConditional: headers['if-none-match'] !== undefined });
  const sent = Object.entries(headers).filter(([name]) => /^(authorization|if-none-match)$/.test(name));
  const answer = await fetch(`${server.apiUrl}${url}`, {
    headers: Object.fromEntries(sent) as Record<string, string>,
  });
  const kept = [...answer.headers].filter(([name]) => /^(etag|content-type|x-request-id)$/.test(name));
  response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text());
});
await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
atEnd(async () => recorder.close());
const baseUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
const server = await startTestServer(await database.loginAs('wartable_serve'), { apiUrl: baseUrl });

const pageSize = 7;
const keysOf = async (statement: string) =>
  (await database.pool.query<{ key: string }>(statement)).rows.map((row) => row.key);
const tournaments = [
  'unknown',
  'a b/..%2e?#ü',
  ...(await keysOf("select slug as key from published.tournament where slug <> 'some-day'")),
];
const clubs = await keysOf('select slug as key from published.club');
const battles = await keysOf('select id as key from published.battle');
const players = await keysOf('select distinct player as key from published.player_battle');
const stages = await keysOf(`select tournament || ' ' || stage as key from published.standings`);

const window = { from: '2026-01-01', to: '2026-06-30' };
const search = (query: object) => `?${new URLSearchParams(Object.entries(query)).toString()}`;
const reads: { call: Call; path: string }[] = [
  ...[
    {},
    window,
    { from: '2026-03-14' },
    { to: '2026-03-14' },
    { from: 'x' },
    ...['planned', 'ongoing', 'finished'].map((status) => ({ status })),
  ].map((options) => ({
    call: { name: 'tournaments.list', options },
    path: `/api/v1/tournaments${search(options)}`,
  })),
  ...tournaments.flatMap((slug) =>
    ['', 'standings', 'participants', 'battles'].map((part) => ({
      call: { name: `tournaments.${part || 'get'}`, args: [slug] },
      path: `/api/v1/tournaments/${encodeURIComponent(slug)}${part && '/'}${part}`,
    })),
  ),
  ...tournaments.map((slug) => ({
    call: { name: 'tournaments.now', args: [slug] },
    path: `/api/extra/v1/tournaments/${encodeURIComponent(slug)}/now`,
  })),
  ...stages.map((each) => {
    const [slug = '', stage = ''] = each.split(' ');
    return {
      call: { name: 'tournaments.standings', args: [slug], options: { stage } },
      path: `/api/v1/tournaments/${slug}/standings?stage=${stage}`,
    };
  }),
  ...clubs.flatMap((slug) => [
    { call: { name: 'clubs.get', args: [slug] }, path: `/api/v1/clubs/${slug}` },
    ...['tournaments', 'battles'].flatMap((part) =>
      [{}, window].map((options) => ({
        call: { name: `clubs.${part}`, args: [slug], options },
        path: `/api/v1/clubs/${slug}/${part}${search(options)}`,
      })),
    ),
  ]),
  ...players.flatMap((id) =>
    [{}, window].flatMap((options) => [
      {
        call: { name: 'players.battles', args: [id], options },
        path: `/api/v1/users/${id}/battles${search(options)}`,
      },
      {
        call: { name: 'players.tournaments', args: [id], options },
        path: `/api/extra/v1/players/${id}/tournaments${search(options)}`,
      },
    ]),
  ),
  ...['unknown', ...players].map((id) => ({
    call: { name: 'players.opponents', args: [id] },
    path: `/api/extra/v1/players/${id}/opponents`,
  })),
  ...[
    {},
    ...['month', 'quarter', 'all', 'x'].map((each) => ({ window: each })),
    { pack: "Warden's Almanac 2025" },
    { length: 'long' },
  ].map((options) => ({
    call: { name: 'factions.list', options },
    path: `/api/extra/v1/factions${search(options)}`,
  })),
  ...battles.map((id) => ({ call: { name: 'battles.get', args: [id] }, path: `/api/v1/battles/${id}` })),
  ...[{}, { kind: 'player' }, { kind: 'club' }].map((options) => ({
    call: { name: 'search', args: ['an'], options },
    path: `/api/extra/v1/search${search({ q: 'an', ...options })}`,
  })),
];
const expected: Result[] = [];
// One by one, because a server refuses a crowd of requests with 503.
for (const { path } of reads) expected.push(await read(path));
const changes = await pagesOfChanges();

for (const client of clients)
  test(`${client.name} reads what plain HTTP reads`, { skip: client.skip }, () => readEverything(client));
test('wartable.mjs on Node 20 reads what plain HTTP reads', { skip: onNode20.skip }, () =>
  readEverything(onNode20),
);

async function readEverything(client: Client): Promise<void> {
  asked.length = 0;
  const options = { baseUrl, key, pageSize };
  const following = changes.map(({ from }) => ({ name: 'changes', args: [from] }));
  const calls = [...reads.map(({ call }) => call), ...following];
  // Each kind of call once more; these answers come from the client's memory.
  const again = [...new Map(calls.map((call, turn) => [call.name, turn])).values()];
  const twice = [...again, ...again].flatMap((turn) => calls[turn] ?? []);
  const [results = [], repeated = []] = await perform(client, [
    { options, calls },
    { options, calls: twice },
  ]);
  for (const { error } of [...results, ...repeated]) {
    if (error === undefined) continue;
    assert.match(String(error.requestId), /^[\w-]{8,}$/);
    delete error.requestId;
  }
  for (const [turn, { path }] of reads.entries()) assert.deepEqual(results[turn], expected[turn], path);
  for (const [turn, { data, after, next }] of changes.entries()) {
    const value = { data, pending: [], after, more: next !== null };
    assert.deepEqual(results[reads.length + turn], { value });
  }
  const first = again.map((turn) => results[turn]);
  for (const [turn, result] of repeated.entries())
    assert.deepEqual(result, first[turn % first.length], twice[turn]?.name);
  assert.deepEqual(missing(), [], 'no request reached these endpoints or parameters');
}

test('the world has pages, groups, brackets and unknown things', () => {
  const values = expected.map(({ value }) => value as { kind?: string } | undefined);
  const lengths = values.map((each) => (Array.isArray(each) ? each.length : 0));
  assert.ok(Math.max(...lengths) > 3 * pageSize, 'no list has four pages');
  const kinds = new Set(values.map((each) => each?.kind));
  assert.ok(kinds.has('board') && kinds.has('bracket'));
  assert.ok(changes.length > 3);
  assert.deepEqual(new Set(expected.flatMap(({ error }) => error?.status ?? [])), new Set([400, 404]));
});

interface Body {
  data: unknown;
  next?: string | null;
  stage?: { type: string };
  error?: object;
}

/** Returns all rows of a list, the data of one thing, or whole standings with `kind`. */
async function read(path: string): Promise<Result> {
  const isList = /(tournaments|participants|battles)(\?|$)/.test(path);
  const first = isList ? `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}` : path;
  const rows: unknown[] = [];
  for (let address = `${baseUrl}${first}`; ;) {
    const { json, status } = await get(address.replace(baseUrl, server.apiUrl), bearer(key));
    const body = json as Body;
    if (status !== 200)
      return {
        error: { kind: 'WartableError', retryAfter: null, ...body.error } as NonNullable<Result['error']>,
      };
    if (body.stage !== undefined) return { value: { kind: body.stage.type, ...body } };
    if (/(opponents|factions)(\?|$)/.test(path)) return { value: body };
    if (!isList) return { value: body.data };
    rows.push(...(body.data as unknown[]));
    if (typeof body.next !== 'string') return { value: rows };
    address = body.next;
  }
}

interface Entry {
  kind: string;
  key: string;
}
interface Page {
  from: string;
  data: Entry[];
  next: string | null;
  after: string;
}

/** Returns the pages from the first change on, with the document of each change. */
async function pagesOfChanges(): Promise<Page[]> {
  const address = `${server.apiUrl}/api/extra/v1/changes`;
  const { json } = await get(address, bearer(key));
  let from = `${(json as Page).after.split('.')[0]}.0`;
  for (const pages: Page[] = []; ;) {
    const page = (await get(`${address}?after=${from}&limit=${pageSize}`, bearer(key))).json as Page;
    const data = page.data.map(async (entry) => ({
      ...entry,
      document: (await read(`/api/v1/${entry.kind}s/${entry.key}`)).value,
    }));
    pages.push({ ...page, from, data: await Promise.all(data) });
    if (page.next === null) return pages;
    from = page.after;
  }
}

/** Returns the endpoints, and the parameters of endpoints, that no request has used. */
function missing(): string[] {
  interface Document {
    paths: Record<string, { get: { parameters: { $ref: string }[] } }>;
    components: { parameters: Record<string, { name: string; in: string }> };
  }
  return [openapiDocument(), extraDocument()].flatMap((document) => {
    const { paths, components } = document as unknown as Document;
    return Object.entries(paths).flatMap(([path, operation]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const requests = asked.filter((request) => pattern.test(request.path));
      const isMissing = (name: string, place: string) =>
        place === 'query'
          ? !requests.some(({ query }) => query.has(name))
          : !requests.some(({ isConditional }) => place === 'path' || isConditional);
      return operation.get.parameters.flatMap(({ $ref }) => {
        const { name = '', in: place = '' } = components.parameters[$ref.split('/').at(-1) ?? ''] ?? {};
        return isMissing(name, place) ? [`${path} ${name}`] : [];
      });
    });
  });
}
