import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../support/at-end.ts';
import type { FeedRecord } from '../../../src/record/feed/records.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { eventually, startTestServer } from '../../support/server.ts';
import { startBrowser, withoutBrowser, textsOf } from '../browser.ts';
import { moments, players } from './scripted-event.ts';

const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const moment = moments['two quarter-finals are open, and a semi-final is paired'];
assert.ok(moment);
await publishFeed(database.pool, [...players, moment]);
const server = await startTestServer(await database.loginAs('wartable_serve'));

async function open(path: string): Promise<(code: string) => Promise<unknown>> {
  assert.ok(browser !== undefined);
  await browser.open(`${server.siteUrl}${path}`);
  return (code) => browser.evaluate(code);
}

test(
  'a star keeps a followed player in the browser, and marks the player on all pages',
  { skip },
  async () => {
    const board = await open('/tournaments/cup?stage=placement-swiss');
    assert.equal(await board(`document.querySelectorAll('tbody tr .star').length`), 4);
    await board(`document.querySelector('.star[aria-label="Follow Kim"]').click()`);
    assert.match(String(await board(textsOf('.pinned'))), /^Followed Followed: \d Kim/);
    assert.equal(await board(textsOf('tbody:not(.pinned) .mine .name')), 'Kim');
    assert.equal(await board(`document.querySelector('.star[value=kim]').ariaPressed`), 'true');
    const now = await open('/tournaments/cup');
    assert.equal(await now(textsOf('.mine-top:not(:empty)')), 'Table 2 Jon Followed: Kim');
    const rounds = await open('/tournaments/cup/rounds?stage=placement-swiss&by=player&player=ida');
    assert.equal(
      await rounds(textsOf('.people:not(.mine-top) .mine .person')),
      'Followed: Ida vs Leo | Followed: Kim vs Jon',
    );
    const again = await open('/tournaments/cup?stage=placement-swiss');
    await again(`document.querySelector('.star[value=kim]').click()`);
    assert.equal(await again(textsOf('.pinned, .mine, .starred')), '');
    assert.equal(await again(`localStorage.getItem('followed')`), '[]');
  },
);

test(
  'the page of a player has a star, and a name that nobody has leads to the whole site',
  { skip },
  async () => {
    const rounds = await open('/tournaments/cup/rounds?stage=swiss&round=1');
    await rounds(`{ const field = document.querySelector('.find input'); field.value = 'zoe';
    field.dispatchEvent(new Event('input', { bubbles: true })); }`);
    await eventually(async () =>
      assert.equal(await rounds(textsOf('.found a')), 'Search the whole site for “zoe”'),
    );
    await rounds(`document.querySelector('.find').requestSubmit()`);
    await eventually(async () => {
      const loaded = await browser?.evaluate('`${location.href} ${document.readyState}`');
      assert.match(String(loaded), /participants\?name=zoe complete$/);
    });
    const player = await open('/players/leo');
    await player(`document.querySelector('h1 .star[aria-label="Follow Leo"]').click()`);
    assert.equal(await player(`document.querySelector('.star').ariaPressed`), 'true');
    await player(`document.querySelector('.star').click()`);
    assert.equal(await player(`localStorage.getItem('followed')`), '[]');
  },
);

test('a browser without a store marks for as long as the page is open', { skip }, async () => {
  const page = await open('/tournaments/cup?stage=placement-swiss');
  await page(`Object.defineProperty(window, 'localStorage', { get() { throw new Error('no store'); } })`);
  await page(`document.querySelector('.star[aria-label="Follow Leo"]').click()`);
  assert.equal(await page(textsOf('tbody:not(.pinned) .mine .name')), 'Leo');
});

test('a star of another tab is seen, and not lost', { skip }, async () => {
  const page = await open('/tournaments/cup?stage=placement-swiss');
  await page(`localStorage.setItem('followed', '["ida"]')`);
  await page(`document.querySelector('.star[aria-label="Follow Kim"]').click()`);
  assert.equal(await page(`localStorage.getItem('followed')`), '["ida","kim"]');
  await page(`localStorage.setItem('followed', '["leo"]'); dispatchEvent(new Event('storage'))`);
  assert.equal(await page(textsOf('tbody:not(.pinned) .mine .name')), 'Leo');
  await page(`localStorage.clear()`);
});

test('the stars move nothing', { skip }, async () => {
  for (const width of [390, 1_280]) {
    await browser?.look({ width, scheme: 'light' });
    const page = await open('/tournaments/cup?stage=swiss');
    const height = `document.querySelector('tbody:not(.pinned)').getBoundingClientRect().height`;
    const withStars = await page(height);
    await page(`for (const star of document.querySelectorAll('.star')) star.remove()`);
    assert.equal(await page(height), withStars, `${width} px`);
  }
});

/** Forty players, so that the page shows a part of each list. In round 2 the players of each table have another table. */
function large(rounds: 1 | 2): FeedRecord[] {
  const names = Array.from({ length: 40 }, (_, number) => `large-${number}`);
  const pairings = Array.from({ length: rounds }, (_, before) =>
    names.slice(0, 20).map((first, table) => ({
      id: `large-${before + 1}-${table + 1}`,
      stage: 'swiss',
      round: before + 1,
      table: table + 1,
      finished: before + 1 < rounds,
      ...(before + 1 < rounds && { winner: first }),
      sides: [{ participant: first }, { participant: names[20 + ((table + before * 7) % 20)] ?? '' }],
    })),
  );
  return [
    ...names.map((id): FeedRecord => ({ kind: 'player', id, name: `Large ${id.slice(6)}` })),
    {
      kind: 'tournament',
      slug: 'large',
      published: true,
      name: 'Large',
      status: 'ongoing',
      battleSize: 1000,
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
      participants: names.map((id) => ({ id, player: id })),
      battles: pairings.flat(),
    },
  ];
}

test('the table of a round that is over is not shown in the next', { skip }, async () => {
  await publishFeed(database.pool, large(1));
  await eventually(async () =>
    assert.equal((await fetch(`${server.siteUrl}/tournaments/large`)).status, 200),
  );
  const page = await open('/tournaments/large?player=large-35');
  assert.match(String(await page(textsOf('.mine-top'))), /^Table 16 Large 15 .*Large 35$/);
  await publishFeed(database.pool, large(2));
  await eventually(async () => {
    // The page itself is fetched at most every 30 s.
    await page(`{ const clock = Date.now; Date.now = () => clock() + 30_000; }
      document.dispatchEvent(new Event('visibilitychange'))`);
    assert.match(String(await page(textsOf('.board .mine .mark'))), /table 9/);
  });
  assert.equal(await page(textsOf('.mine-top')), '');
});
