import assert from 'node:assert/strict';
import { bearer } from '../../harness/support/server.ts';
import { agedCursor } from './aged-cursor.ts';
import { datedLists, everyPath, items, lists } from './paths.ts';
import { rule } from './rule.ts';
import { type Page, type Row, startWorld } from './world.ts';

// Tests what applies to all lists: pages, date windows, limits.

const world = await startWorld();
const namesOf = (rows: Row[]) => rows.map((row) => String(row['slug'] ?? row['id']));

const endpoints = 'Endpoints';
rule(endpoints, 'All endpoints use the method GET', async () => {
  for (const path of everyPath) {
    assert.equal((await world.get(path)).status, 200, path);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${world.apiUrl}/api/v1${path}`, { method, headers: bearer(world.key) });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`);
    }
  }
});
rule(endpoints, 'All endpoints require authentication', async () => {
  for (const path of everyPath) assert.equal((await world.get(path, {})).status, 401, path);
});

/** The expected contents of each of the four lists in a window. */
type Windows = [query: string, expected: string[]][];
async function checkWindows(windows: Windows): Promise<void> {
  for (const [query, expected] of windows) {
    for (const [index, path] of datedLists.entries()) {
      const shown = namesOf(await world.all(`${path}?${query}`));
      assert.equal(shown.join(' '), expected[index], `${path}?${query}`);
    }
  }
}
rule(endpoints, '`from` bounds the range below, its own day included, on all four lists', () =>
  checkWindows([
    [
      'from=2026-05-02',
      ['spring-plan winter-cut group-cup', 'group-cup', 'gc-4 gc-3 gc-2 gc-1', 'wc-semi-1 gc-4 wc-1 gc-1'],
    ],
    ['from=2026-05-03', ['spring-plan', '', '', 'wc-semi-1']],
  ]),
);
rule(endpoints, '`to` bounds the range above, its own day included, on all four lists', () =>
  checkWindows([
    [
      'to=2025-01-02',
      [
        'league-02 league-01 full-house old-guard',
        'league-02 league-01',
        'league-02-1 league-01-1',
        'league-02-1 league-01-1 og-1',
      ],
    ],
    ['to=2025-01-01', ['league-01 full-house old-guard', 'league-01', 'league-01-1', 'league-01-1 og-1']],
  ]),
);
rule(endpoints, 'Both together bound a range', () =>
  checkWindows([
    [
      'from=2025-01-21&to=2025-01-22',
      ['league-22 league-21', 'league-22 league-21', 'league-22-1 league-21-1', 'league-22-1 league-21-1'],
    ],
    ['from=2025-01-07&to=2025-01-07', ['league-07', 'league-07', 'league-07-1', 'league-07-1']],
    ['from=2025-02-01&to=2025-12-31', ['', '', '', '']],
  ]),
);
rule(endpoints, 'Each is optional, and omitting one means no bound on that side', async () => {
  for (const path of datedLists) {
    const all = namesOf(await world.all(path));
    const from = namesOf(await world.all(`${path}?from=2025-01-12`));
    const to = namesOf(await world.all(`${path}?to=2025-01-11`));
    const undated = all.slice(from.length + to.length);
    assert.deepEqual([...from, ...to, ...undated], all, path);
    assert.ok(from.length > 0 && to.length > 0);
  }
});
rule(endpoints, 'Undated rows come last, and are left out as soon as from or to is given', async () => {
  const undated = ['some-day', 'some-day', 'friendly-undated', 'friendly-undated'];
  for (const [index, path] of datedLists.entries()) {
    const last = undated[index] ?? '';
    assert.equal(namesOf(await world.all(path)).at(-1), last);
    for (const query of ['from=0001-01-01', 'to=9999-12-31']) {
      assert.ok(!namesOf(await world.all(`${path}?${query}`)).includes(last), `${path}?${query}`);
    }
  }
});
rule(endpoints, 'When both are given, the window must not exceed one year', async () => {
  for (const path of datedLists) {
    assert.equal((await world.get(`${path}?from=2025-01-01&to=2026-01-01`)).status, 200);
    assert.deepEqual(await world.refusal(`${path}?from=2025-01-01&to=2026-01-02`), {
      status: 400,
      message: 'date window must not exceed one year',
      code: 'BAD_REQUEST',
    });
  }
});
rule(endpoints, 'List endpoints paginate with limit and cursor, except standings', async () => {
  for (const path of lists) {
    const { data, next } = await world.page(`${path}?limit=1`);
    const cursor = new URL(next ?? '').searchParams.get('cursor');
    const following = await world.page(`${path}?limit=1&cursor=${cursor}`);
    assert.deepEqual([...data, ...following.data], (await world.all(path)).slice(0, 2), path);
  }
  const whole = (await world.get('/tournaments/grand-muster/standings')).text;
  assert.equal((await world.get('/tournaments/grand-muster/standings?limit=1&cursor=x')).text, whole);
});

const paging = 'Pagination';
rule(paging, '`limit`: results per page', async () => {
  for (const path of lists) {
    for (const limit of [1, 7, 21]) {
      assert.equal((await world.page(`${path}?limit=${limit}`)).data.length, limit, path);
    }
  }
});
rule(paging, '`limit`: default 20', async () => {
  for (const path of lists) {
    assert.deepEqual((await world.page(path)).data, (await world.page(`${path}?limit=20`)).data, path);
    assert.equal((await world.page(path)).data.length, 20, path);
  }
});
rule(paging, '`limit`: maximum 100', async () => {
  const { data, next } = await world.page('/tournaments/full-house/battles?limit=100');
  assert.equal(data.length, 100);
  assert.notEqual(next, null);
  for (const path of lists) {
    assert.equal((await world.get(`${path}?limit=100`)).status, 200);
    assert.equal((await world.get(`${path}?limit=101`)).status, 400);
  }
});
rule(paging, '`limit`: a positive integer', async () => {
  for (const path of lists) {
    for (const limit of ['0', '-1', '1.5', 'ten', '']) {
      assert.equal((await world.get(`${path}?limit=${limit}`)).status, 400, `${path}?limit=${limit}`);
    }
  }
});
rule(paging, '`cursor`: taken only from a previous response, never built by the client', async () => {
  for (const path of lists) {
    const { next } = await world.page(`${path}?limit=2`);
    const cursor = new URL(next ?? '').searchParams.get('cursor') ?? '';
    const changed = `${cursor.slice(0, -4)}${cursor.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    assert.equal((await world.get(`${path}?limit=2&cursor=${cursor}`)).status, 200, path);
    assert.equal((await world.get(`${path}?limit=2&cursor=${changed}`)).status, 400, path);
  }
});
rule(paging, 'The first request (no cursor) returns the first page', async () => {
  const firsts = await Promise.all(
    lists.map(async (path) => {
      const [first] = (await world.page(path)).data;
      return first?.['slug'] ?? first?.['id'] ?? first?.['player'];
    }),
  );
  assert.deepEqual(firsts, ['spring-plan', 'Guest 10', 'fh-9-21', 'group-cup', 'gc-4', 'wc-semi-1']);
});
rule(paging, 'A list response has data (array) and next', async () => {
  for (const path of lists) {
    const body = (await world.get(path)).json as Page;
    assert.deepEqual(Object.keys(body), ['data', 'next']);
    assert.ok(Array.isArray(body.data), path);
  }
});
rule(
  paging,
  'next is a complete absolute address that already carries the filters, the page size and the cursor',
  async () => {
    const filters: Record<string, string>[] = [
      { from: '2025-01-01', to: '2025-12-31', status: 'finished' },
      {},
      {},
      ...Array.from({ length: 3 }, () => ({ from: '2025-01-01', to: '2025-12-31' })),
    ];
    for (const [index, path] of lists.entries()) {
      const given = { ...filters[index], limit: '7' };
      const { next } = await world.page(`${path}?${new URLSearchParams(given).toString()}`);
      const url = new URL(next ?? '');
      assert.equal(url.port, new URL(world.apiUrl).port);
      assert.equal(url.pathname, `/api/v1${path}`);
      const { cursor = '', ...carried } = Object.fromEntries(url.searchParams);
      assert.deepEqual(carried, given);
      assert.ok(cursor.length > 20);
    }
    const usual = new URL((await world.page('/tournaments')).next ?? '');
    assert.equal(usual.searchParams.get('limit'), '20', 'the default page size, too');
  },
);
rule(paging, 'Fetching next returns the following page', async () => {
  for (const path of [...lists, '/tournaments?status=finished', '/users/ana/battles?from=2025-01-01']) {
    const walked: Row[] = [];
    let page = await world.page(`${path}${path.includes('?') ? '&' : '?'}limit=3`);
    walked.push(...page.data);
    while (page.next !== null) {
      const response = await fetch(page.next, { headers: bearer(world.key) });
      assert.equal(response.status, 200, page.next);
      page = (await response.json()) as Page;
      walked.push(...page.data);
    }
    assert.deepEqual(walked, await world.all(path), path);
  }
});
rule(paging, 'The page size may change on the way: a cursor goes on from the same place', async () => {
  for (const path of lists) {
    const { data, next } = await world.page(`${path}?limit=3`);
    const cursor = new URL(next ?? '').searchParams.get('cursor');
    const following = await world.page(`${path}?limit=5&cursor=${cursor}`);
    assert.deepEqual([...data, ...following.data], (await world.all(path)).slice(0, 8), path);
  }
});
rule(paging, 'next is null on the last page and on any list that fits in one page', async () => {
  const counts = [29, 24, 108, 25, 52, 33];
  for (const [index, path] of lists.entries()) {
    const count = counts[index] ?? 0;
    assert.equal((await world.all(path)).length, count, path);
    const half = await world.page(`${path}?limit=${Math.ceil(count / 2)}`);
    assert.notEqual(half.next, null, path);
    const rest = await world.get(half.next?.replace(/^.*\/api\/v1/, '') ?? '');
    assert.equal((rest.json as Page).next, null, `${path}: the last page`);
    if (count > 100) continue;
    assert.equal((await world.page(`${path}?limit=${count}`)).next, null, `${path}: exactly one page`);
    assert.notEqual((await world.page(`${path}?limit=${count - 1}`)).next, null, `${path}: one row more`);
  }
});
rule(paging, 'Single-item responses have no next key', async () => {
  for (const path of items) {
    assert.deepEqual(Object.keys((await world.get(path)).json as object), ['data']);
  }
});

const limits = 'Limits';
rule(limits, 'Default page size: 20, on all paginated lists', async () => {
  for (const path of lists) assert.equal((await world.page(path)).data.length, 20, path);
});
rule(limits, 'Maximum page size: 100, on all paginated lists', async () => {
  for (const path of lists) {
    assert.equal(
      (await world.page(`${path}?limit=100`)).data.length,
      Math.min(100, (await world.all(path)).length),
    );
    assert.equal((await world.refusal(`${path}?limit=101`)).message, 'limit must not exceed 100');
  }
});
for (const [index, name] of [
  'Tournament list',
  'Club tournaments',
  'Club battles',
  'Player battles',
].entries()) {
  rule(limits, `Maximum date window: one year when both from and to are given (${name})`, async () => {
    const path = datedLists[index] ?? '';
    assert.equal((await world.get(`${path}?from=2024-02-29&to=2025-02-28`)).status, 200);
    assert.equal((await world.get(`${path}?from=2024-02-29&to=2025-03-01`)).status, 400);
    assert.equal((await world.get(`${path}?from=1900-01-01`)).status, 200, 'from alone');
    assert.equal((await world.get(`${path}?to=2100-01-01`)).status, 200, 'to alone');
  });
}
rule(limits, 'Cursor lifetime: a cursor works for a day, and then expires', async () => {
  for (const path of lists) {
    const { next } = await world.page(path);
    assert.equal((await world.get(`${path}?cursor=${agedCursor(next, 23.9)}`)).status, 200, path);
    assert.equal((await world.get(`${path}?cursor=${agedCursor(next, 31)}`)).status, 400, path);
  }
});
