import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../support/at-end.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { startTestServer } from '../../support/server.ts';
import { startBrowser, withoutBrowser } from '../browser.ts';
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

const texts = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].map((each) => each.innerText.replaceAll(/\\s+/g, ' ').trim()).join(' | ')`;

test(
  'a star keeps a followed player in the browser, and marks the player on all pages',
  { skip },
  async () => {
    const board = await open('/tournaments/cup?stage=placement-swiss');
    assert.equal(await board(`document.querySelectorAll('tbody tr .star').length`), 4);
    await board(`document.querySelector('.star[aria-label="Follow Kim"]').click()`);
    assert.match(String(await board(texts('.pinned'))), /^Followed Followed: \d Kim/);
    assert.equal(await board(texts('tbody:not(.pinned) .mine .name')), 'Kim');
    assert.equal(await board(`document.querySelector('.star[value=kim]').ariaPressed`), 'true');
    const now = await open('/tournaments/cup');
    assert.equal(await now(texts('.mine-top:not(:empty)')), 'Table 2 Jon Followed: Kim');
    const rounds = await open('/tournaments/cup/rounds?stage=placement-swiss&by=player&player=ida');
    assert.equal(
      await rounds(texts('.people:not(.mine-top) .mine .person')),
      'Followed: Ida vs Leo | Followed: Kim vs Jon',
    );
    const again = await open('/tournaments/cup?stage=placement-swiss');
    await again(`document.querySelector('.star[value=kim]').click()`);
    assert.equal(await again(texts('.pinned, .mine, .starred')), '');
    assert.equal(await again(`localStorage.getItem('followed')`), '[]');
  },
);

test('the script filters a round by name while one types', { skip }, async () => {
  const rounds = await open('/tournaments/cup/rounds?stage=swiss&round=1');
  await rounds(`{ const field = document.querySelector('#filter'); field.value = 'ÁNN';
    field.dispatchEvent(new Event('input', { bubbles: true })); }`);
  assert.equal(await rounds(texts('.pairings > li:not([hidden])')), 'Table 1 Ann won 30 Bea lost 10');
  assert.deepEqual(browser?.complaints, []);
});

test('a filter without a match says so, and the page of a player has a star', { skip }, async () => {
  const rounds = await open('/tournaments/cup/rounds?stage=swiss&round=1&by=player');
  const type = (text: string) =>
    rounds(`{ const field = document.querySelector('#filter'); field.value = '${text}';
    field.dispatchEvent(new Event('input', { bubbles: true })); }`);
  assert.equal(await rounds(texts('.none:not([hidden])')), '');
  await type('zoe');
  assert.equal(await rounds(texts('.none:not([hidden])')), 'No player of that name');
  await type('ann');
  assert.equal(await rounds(texts('.none:not([hidden]), .people > li:not([hidden]) .person')), 'Ann vs Bea');
  const player = await open('/players/leo');
  await player(`document.querySelector('h1 .star[aria-label="Follow Leo"]').click()`);
  assert.equal(await player(`document.querySelector('.star').ariaPressed`), 'true');
  await player(`document.querySelector('.star').click()`);
  assert.equal(await player(`localStorage.getItem('followed')`), '[]');
});

test('a browser without a store marks for as long as the page is open', { skip }, async () => {
  const page = await open('/tournaments/cup?stage=placement-swiss');
  await page(`Object.defineProperty(window, 'localStorage', { get() { throw new Error('no store'); } })`);
  await page(`document.querySelector('.star[aria-label="Follow Leo"]').click()`);
  assert.equal(await page(texts('tbody:not(.pinned) .mine .name')), 'Leo');
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
