import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startBrowser } from '../serve/browser.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../support/server.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { freePort } from '../../scripts/postgres.ts';
import { startSample } from './run-sample.ts';
import { samplesRunBy } from './samples.ts';

// docs/recipes/standings-widget.md, started as the page says.

const hostile = '<img src=x onerror="document.title=1">';
const cup = (status: 'ongoing' | 'finished'): FeedRecord => ({
  kind: 'tournament',
  slug: 'tidewatch-open-2025',
  published: true,
  name: 'Tidewatch Open 2025',
  status,
  battleSize: 1000,
  stages: [
    { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 1 },
    { id: 'knockout', label: 'Top Cut', type: 'bracket', rounds: 1 },
  ],
  participants: [
    { id: 'p1', name: hostile, faction: 'Lanternsworn', finalPlacement: 1 },
    { id: 'p2', name: 'Ben', finalPlacement: 2 },
  ],
  battles: [],
  matches: [
    {
      stage: 'knockout',
      round: 1,
      position: 1,
      name: 'Final',
      table: 1,
      players: ['p1', 'p2'],
      winner: 'p1',
    },
  ],
});

const database = await createTestDatabase();
await publishFeed(database.pool, [cup('ongoing')]);
const { key: KEY } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const [sample] = samplesRunBy(import.meta.filename);
const PORT = String(await freePort());
const started = await startSample(sample?.text ?? '', { KEY, API: server.apiUrl, PORT, POLL_SECONDS: '0.3' });
const widget = `http://127.0.0.1:${PORT}`;
const headers = { Authorization: `Bearer ${KEY}` };
const path = '/api/v1/tournaments/tidewatch-open-2025/standings';

test('it prints its address, and serves the page and what the API answers, without the key', async () => {
  assert.equal(started, `http://localhost:${PORT}/`);
  const page = await fetch(`${widget}/`);
  const file = new URL('../../docs/recipes/standings-widget.html', import.meta.url);
  assert.equal(await page.text(), readFileSync(file, 'utf8'));
  const standings = await fetch(`${widget}/standings`);
  assert.equal(standings.headers.get('content-type'), 'application/json');
  const text = await standings.text();
  assert.equal(text, await (await fetch(`${server.apiUrl}${path}`, { headers })).text());
  const said = [page, standings].map((answer) => JSON.stringify([...answer.headers]));
  assert.ok(!said.join('').includes('svc_v1_') && !text.includes('svc_v1_'));
});

test('it answers nothing else with the key', async () => {
  for (const other of ['/api/v1/tournaments', '/standings?stage=swiss', '//', '/standings/../x', '/%'])
    assert.equal((await fetch(`${widget}${other}`)).status, 404, other);
});

test('many visitors are one request to the API, a conditional one after the first', async () => {
  const before = requests().length;
  const since = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => fetch(`${widget}/standings`)));
  const periods = 1 + Math.ceil((performance.now() - since) / 300);
  assert.ok(requests().length - before <= periods, `${requests().length - before} requests`);
  await eventually(20_000, async () => {
    await fetch(`${widget}/standings`);
    assert.ok(requests().some(({ status }) => status === 304));
  });
  assert.equal(
    requests().filter(({ status }) => status === 200).length,
    2,
    'one by this test, one by the widget',
  );
});

test('a visitor who has the standings gets a 304 until they change', async () => {
  const first = await fetch(`${widget}/standings`);
  const etag = first.headers.get('etag') ?? '';
  const again = () => fetch(`${widget}/standings`, { headers: { 'If-None-Match': etag }, cache: 'no-store' });
  assert.equal((await again()).status, 304);
  await publishFeed(database.pool, [cup('finished')]);
  await eventually(20_000, async () => {
    const changed = await again();
    assert.equal(changed.status, 200);
    assert.equal(((await changed.json()) as { stage: { id: string } }).stage.id, 'standings');
  });
});

test('the page shows a board and a bracket, names as text, in a browser', async (t) => {
  const browser = await startBrowser();
  if (browser === undefined) return t.skip('there is no Chromium on this machine');
  atEnd(() => browser.close());
  const shown = async () => {
    await browser.open(`${widget}/`);
    let cells: unknown;
    await eventually(20_000, async () => {
      cells = JSON.parse(
        String(
          await browser.evaluate(
            `JSON.stringify([...document.querySelectorAll('caption, tr')].map((row) => row.tagName === 'TR' ? [...row.cells].map((cell) => cell.textContent.trim()) : row.textContent))`,
          ),
        ),
      );
      assert.ok(Array.isArray(cells) && cells.length > 1);
    });
    return cells;
  };
  assert.deepEqual(await shown(), [
    'Final Standings',
    ['Rank', 'Player', 'Faction', 'Points'],
    ['1', hostile, 'Lanternsworn', '0'],
    ['2', 'Ben', '–', '0'],
  ]);
  await publishFeed(database.pool, [cup('ongoing')]);
  await eventually(20_000, async () =>
    assert.deepEqual(await shown(), [
      'Top Cut',
      ['Round', 'Players', 'Winner'],
      ['Final', `${hostile} – Ben`, hostile],
    ]),
  );
  assert.equal(await browser.evaluate('document.title'), 'Standings');
  assert.equal(await browser.evaluate(`document.querySelectorAll('img').length`), 0);
});

test('while the API is away, visitors get the last standings', async () => {
  const last = await (await fetch(`${widget}/standings`)).text();
  await server.close();
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await fetch(`${widget}/standings`);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), last);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
});

/** The requests for standings that the API logged. */
function requests(): { status: number }[] {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes(`"path":"${path}"`))
    .map((line) => JSON.parse(line) as { status: number });
}
