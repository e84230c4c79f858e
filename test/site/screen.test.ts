import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';
import { moments, players as scripted } from './scripted-event.ts';

// Tests the screen in the hall: nobody touches it from the morning to the prizes, and everybody reads it from
// a distance.

const browser = await startBrowser();
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const url = await database.loginAs('wartable_serve');
let server = await startTestServer(url);
const today = dayNumber(new Date().toISOString().slice(0, 10));

type Battle = Extract<FeedRecord, { kind: 'battle'; round: number }>;
const isBattle = (record: FeedRecord): record is Battle => record.kind === 'battle' && 'round' in record;

/**
 * Returns what does not fit in a scene: names that are cut or too small, numbers in two lines, cards with
 * more than they show, and parts that leave the screen or cover others. Empty if all is well.
 */
const misfits = `(() => {
  const found = [];
  if (document.documentElement.scrollHeight > innerHeight) found.push('the page scrolls');
  const bottom = document.querySelector('footer').getBoundingClientRect().top + 1;
  const own = (each) => { const range = document.createRange(); range.selectNodeContents(each); return range.getBoundingClientRect(); };
  for (const each of document.querySelectorAll('header :is(h1, p), h2 > span'))
    if (getComputedStyle(each).overflowX === 'visible' && each.scrollWidth > each.clientWidth + 1) found.push(each.textContent + ' covers what is beside it');
  for (const page of document.querySelectorAll('.page')) {
    for (const each of document.querySelectorAll('.page')) each.classList.toggle('on', each === page);
    for (const name of page.querySelectorAll('bdi')) {
      const size = parseFloat(getComputedStyle(name).fontSize) / innerHeight;
      const { bottom: end, right } = name.getBoundingClientRect();
      if (size < 0.0238) found.push(name.textContent + ' is small: ' + size);
      if (name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 0.3 * size * innerHeight) found.push(name.textContent + ' is cut in ' + name.parentElement.className + ' of ' + name.closest('section, li').className);
      if (end > bottom || right > innerWidth) found.push(name.textContent + ' is outside');
    }
    for (const number of page.querySelectorAll('.pts, .at, .az b, .card > b > span')) {
      const most = number.querySelector('.at') ? 3.6 : number.querySelector('small') ? 2.5 : 1.6;
      if (own(number).height > most * parseFloat(getComputedStyle(number).fontSize)) found.push(number.textContent + ' is in two lines');
    }
    for (const card of page.querySelectorAll('.card'))
      if (card.scrollHeight > card.clientHeight + 0.012 * innerHeight) found.push(card.textContent + ' does not fit its card');
    for (const part of page.querySelectorAll('.steps3 .sub, .steps3 .run'))
      if (own(part).bottom > bottom) found.push(part.textContent + ' is below');
  }
  return found.join('\\n');
})()`;

async function assertFits(path: string): Promise<number> {
  assert.ok(browser !== undefined);
  await browser.open(`${server.siteUrl}${path}/screen`);
  await takePictures(path);
  assert.equal(await browser.evaluate(misfits), '', path);
  return Number(await browser.evaluate(`document.querySelectorAll('.page').length`));
}

/** Writes a picture of each page into the folder that SCREENSHOTS names. */
async function takePictures(path: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined || browser === undefined) return;
  const count = Number(await browser.evaluate(`document.querySelectorAll('.page').length`));
  const width = String(await browser.evaluate('innerWidth'));
  for (let page = 0; page < count; page += 1) {
    await browser.evaluate(
      `document.querySelectorAll('.page').forEach((each, at) => { each.style.animation = 'none'; each.classList.toggle('on', at === ${page}); })`,
    );
    pictures += 1;
    const file = `${String(pictures).padStart(4, '0')}-${path.split('/').at(-1)}-${width}-${page + 1}.png`;
    await writeFile(`${folder}/${file}`, await browser.screenshot());
  }
}

let pictures = 0;

const slugIn = (records: readonly FeedRecord[]): string =>
  records.flatMap((record) => (record.kind === 'tournament' ? [record.slug] : []))[0] ?? '';

test(
  'every scene fills the screen for 8 to 300 players: nothing is cut, nothing scrolls',
  { skip: withoutBrowser },
  async () => {
    const formats = [
      [8, 'swiss'],
      [32, 'swiss+knockout'],
      [48, 'groups+knockout'],
      [100, 'swiss+knockout+placements+placement-swiss'],
      [300, 'swiss'],
    ] as const;
    for (const [players, format] of formats) {
      const series = eventSeries({ seed: 70 + players, players, format, rounds: 3, start: today }).map(
        ({ record }) => record,
      );
      const path = `/tournaments/${slugIn(series)}`;
      // Looks before the first record of each round that is paired, in the middle of the round, and when it
      // is over.
      const seen = new Map<string, number>();
      let told: FeedRecord[] = [];
      for (const [index, record] of series.entries()) {
        told.push(record);
        const next = series[index + 1];
        const isMoment =
          next === undefined ||
          (isBattle(record) && record.finished !== (isBattle(next) ? next.finished : undefined)) ||
          (isBattle(record) && record.finished && index % 40 === 0);
        if (!isMoment || (next !== undefined && seen.size > 12)) continue;
        await publishFeed(database.pool, told);
        told = [];
        for (const [width, height] of next === undefined
          ? [
              [1_280, 720],
              [1_920, 1_080],
              [3_840, 2_160],
            ]
          : [[1_280, 720]]) {
          await browser?.look({ width: width ?? 0, height: height ?? 0, scheme: 'light' });
          seen.set(`${index} ${width}`, await assertFits(path));
        }
      }
      assert.ok(seen.size > 5, `${seen.size} moments of ${format}`);
    }
  },
);

test(
  '300 players find their table within 90 seconds, and 200 sign-ups fit',
  { skip: withoutBrowser },
  async () => {
    await publishFeed(database.pool, [...hallPlayers(300), hallEvent('hall-150', 150, 0)]);
    await browser?.look({ width: 1_280, height: 720, scheme: 'light' });
    const pages = await assertFits('/tournaments/hall-150');
    assert.ok(pages * 10 <= 90, `${pages} pages`);
  },
);

test(
  'what is long still fits: names of 46 letters, tables from 101, points with decimals, titles and clubs',
  { skip: withoutBrowser },
  async () => {
    await browser?.look({ width: 1_280, height: 720, scheme: 'light' });
    const names = [
      'Jean-Baptiste de la Tour d’Auvergne-Lauraguais',
      'Ana',
      'محمد عبد الرحمن الأنصاري',
      'Wolfeschlegelsteinhausenbergerdorff',
    ];
    const players = names.map((name, index) => ({
      kind: 'player' as const,
      id: `h${index + 1}`,
      name,
    }));
    const club = {
      kind: 'club' as const,
      slug: 'long',
      name: 'Verein für historische und phantastische Brettstrategiespiele Oberammergau-Unterpfaffenhofen',
    };
    const long = (results: number) => {
      const event = hallEvent('hall-long', 16, results);
      return {
        ...event,
        name: 'Internationale Meisterschaft der fantastischen Tabletop-Schlachten',
        organizer: 'long',
        battles: (event.battles ?? []).map((battle) => ({
          ...battle,
          table: (battle.table ?? 0) + 100,
          scenario: 'The Very Long Scenario of the Broken Bridges',
          sides: battle.sides.map((side) => ({
            ...side,
            ...(typeof side.battlePoints === 'number' && { battlePoints: side.battlePoints * 100 + 0.5 }),
          })) as typeof battle.sides,
        })),
      };
    };
    await publishFeed(database.pool, [...hallPlayers(16), ...players, club]);
    for (const event of [long(0), long(2), long(8), { ...long(8), status: 'finished' as const }]) {
      await publishFeed(database.pool, [event]);
      await assertFits('/tournaments/hall-long');
    }
    await publishFeed(database.pool, hallPlayers(4));
  },
);

test(
  'the names of a list have one size, and the longest end after two lines; points are in columns',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    await browser.look({ width: 1_280, height: 720, scheme: 'light' });
    const event = hallEvent('hall-names', 20, 4);
    // More than a row has room for, even in two small lines.
    const longest =
      'Maximiliane-Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
    const battles = (event.battles ?? []).map((battle, index) => ({
      ...battle,
      sides: battle.sides.map((side) => ({
        ...side,
        ...(typeof side.battlePoints === 'number' && {
          battlePoints: side.battlePoints * (index % 3) + (index % 4) / 4,
        }),
      })) as typeof battle.sides,
    }));
    const longer = { kind: 'player' as const, id: 'h1', name: 'Jean-Baptiste Lachances' };
    await publishFeed(database.pool, [...hallPlayers(20), longer, { ...event, battles }]);
    const read = async (expression: string) =>
      JSON.parse(String(await browser.evaluate(`JSON.stringify(${expression})`)));
    const show = async (selector: string, text = '') => {
      // The server learns of what was published a moment later.
      await eventually(async () => {
        await browser.open(`${server.siteUrl}/tournaments/hall-names/screen`);
        const isShown = `[...document.querySelectorAll('${selector}')].some((each) => each.textContent.includes('${text}'))`;
        assert.equal(await browser.evaluate(isShown), true);
      });
      await takePictures('/tournaments/hall-names');
      await browser.evaluate(
        `document.querySelectorAll('.page').forEach((each) => each.classList.toggle('on', each.querySelector('${selector}') !== null))`,
      );
    };
    const sizes = (selector: string) =>
      read(
        `[...new Set([...document.querySelectorAll('${selector} > bdi')].map((each) => getComputedStyle(each).fontSize))]`,
      );
    await show('.line');
    assert.equal((await sizes('.line')).length, 1);
    const points = await read(`[...document.querySelectorAll('.line .pts')].map((each) => each.textContent)`);
    assert.ok(
      points.every((each: string) => /^[\d\u2007]+\.\d\d$/.test(each)),
      points.join(),
    );
    // Each page has its own dots, in one column.
    const columns = await read(
      `[...document.querySelectorAll('.page.on')].map((page) => new Set([...page.querySelectorAll('.line .run')].map((each) => Math.round(each.getBoundingClientRect().left))).size)`,
    );
    assert.ok(columns.includes(1) && columns.every((each: number) => each <= 1), columns.join());
    // The factions of a planned event are those of its page, even without a list.
    const planned = { ...event, battles: [], status: 'planned' as const };
    await publishFeed(database.pool, [planned]);
    await show('.sign');
    assert.equal((await sizes('.sign')).length, 1);
    assert.equal((await read(`document.querySelectorAll('.sign .crest:not(.none)').length`)) as number, 20);
    await publishFeed(database.pool, [{ ...longer, name: longest }]);
    await show('.sign', longest);
    // Whatever is below the second line is also below what its box shows.
    const below = `(() => {
      const name = [...document.querySelectorAll('.sign bdi')].find(({ textContent }) => textContent.startsWith('Maximiliane'));
      const lines = document.createRange();
      lines.selectNodeContents(name);
      const size = parseFloat(getComputedStyle(name).fontSize);
      const [, , third] = [...new Set([...lines.getClientRects()].map(({ top }) => top))];
      // The highest letters begin this much below the top of what a line takes up.
      return third === undefined ? 'two lines' : third + 0.3 * size >= name.getBoundingClientRect().bottom;
    })()`;
    assert.equal(await read(below), true);
  },
);

test('the screen shows every bracket, no empty half, and no event as running whose days are over', async () => {
  await publishFeed(database.pool, scripted);
  const shown = async (moment: string, status?: 'planned') => {
    const event = moments[moment];
    assert.ok(event);
    await publishFeed(database.pool, [status === undefined ? event : { ...event, status }]);
    const html = await (await fetch(`${server.siteUrl}/tournaments/${event.slug}/screen`)).text();
    return html
      .slice(html.indexOf('<header'))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  };
  assert.match(
    await shown('the match for third place is over beside the final'),
    /Third-place match Table 2 Dora lost Cleo won /,
  );
  // Every number of a match says that it is one, and the table of an open match stands beside it.
  const final = await shown('the match for third place is over beside the final');
  assert.match(final, /Match 1 Match (?!T1).* Match 2 Match (?!T2).* Match 3 Match T1 /);
  const typed = await shown('three games of twelve players are typed');
  assert.match(typed, /Provisional standings/);
  assert.doesNotMatch(typed, /Still playing/);
  const past = 'its last day is over, and nobody closed it';
  assert.match(await shown(past), /Last result 7 September 2025/);
  assert.doesNotMatch(await shown(past), /Running/);
  assert.doesNotMatch(await shown(past, 'planned'), /Begins/);
});

test(
  'the screen follows a day without a touch: restarts, a lost network, and no growth',
  { skip: withoutBrowser },
  async ({ mock }) => {
    assert.ok(browser !== undefined);
    // Each result arrives a minute after the one before.
    mock.timers.enable({ apis: ['Date'], now: today * 86_400_000 + 8 * 3_600_000 });
    const series = eventSeries({
      seed: 66,
      players: 32,
      format: 'swiss+knockout',
      rounds: 5,
      start: today,
    }).map(({ record }) => record);
    const path = `/tournaments/${slugIn(series)}`;
    const told = new Map<string, boolean>();
    await browser.look({ width: 1_280, height: 720, scheme: 'light' });
    let isOpen = false;
    let olderRound: number | null | undefined;
    let marked = 0;
    let heap = 0;
    let pending: FeedRecord[] = [];
    const state = async () => String(await browser.evaluate(`document.querySelector('.rd').textContent`));
    const heapNow = () => browser.evaluate('performance.memory.usedJSHeapSize').then(Number);
    const results = () => [...told.values()].filter(Boolean).length;
    for (const [index, record] of series.entries()) {
      pending.push(record);
      if (isBattle(record)) told.set(record.id, record.finished === true);
      if (!(isBattle(record) && record.finished) && index < series.length - 1) continue;
      // What a tournament is first imported with has no time of arrival.
      if (!isOpen) await publishFeed(database.pool, pending.splice(0, pending.length - 1));
      mock.timers.setTime(Date.now() + 60_000);
      await publishFeed(database.pool, pending);
      pending = [];
      if (!isOpen) {
        await browser.open(`${server.siteUrl}${path}/screen`);
        await browser.evaluate(`window.isUntouched = true`);
        isOpen = true;
      }
      // The network is gone for a while: the picture stays, says so, and keeps rotating.
      if (results() === 20 || results() === 50) {
        const before = await browser.evaluate(`document.querySelector('main').textContent`);
        await browser.evaluate(
          `window.realFetch = fetch; window.fetch = () => Promise.reject(new TypeError('offline'))`,
        );
        await browser.evaluate('look()');
        assert.match(
          String(await browser.evaluate(`document.querySelector('.lost').textContent`)),
          /Not live · \d\d:\d\d/,
        );
        assert.equal(await browser.evaluate(`document.querySelector('main').textContent`), before);
        // The sign-in page of a public network is no screen.
        await browser.evaluate(`window.fetch = async () => new Response('<title>Sign in</title>')`);
        await browser.evaluate('look()');
        assert.equal(await browser.evaluate(`document.querySelector('main').textContent`), before);
        await browser.evaluate(`window.fetch = realFetch`);
      }
      if (results() === 30 || results() === 60) {
        const { port } = new URL(server.siteUrl);
        await server.close();
        await browser.evaluate('look()');
        server = await startTestServer(url, { sitePort: Number(port) });
      }
      await eventually(async () => {
        await browser.evaluate('look()');
        assert.equal(await browser.evaluate(`document.querySelector('.lost').textContent`), '');
        const answer = await fetch(`${server.siteUrl}${path}/screen`);
        const tag = /data-tag="([^"]*)"/.exec(await answer.text())?.[1]?.replaceAll('&quot;', '"');
        assert.equal(await browser.evaluate('tag'), tag);
      });
      if (index === series.length - 1) break;
      // The newest result comes first in the strip, and the header counts the results like the tournament's
      // page. The screen and the page are read separately, so a read that the other has overtaken is
      // repeated.
      const newest = isBattle(record) ? record : undefined;
      assert.ok(newest);
      await eventually(async () => {
        await browser?.evaluate('look()');
        const strip = String(
          await browser?.evaluate(`document.querySelector('.strip li')?.textContent ?? ''`),
        );
        assert.match(strip, new RegExp(`Table ${newest.table ?? ''} `), await state());
        // At the table of an older result, others are playing by now.
        const [older, round] = [olderRound, newest.round];
        if (older !== undefined && older !== round && (await state()).includes(`Round ${round} of`)) {
          const second = `document.querySelector('.strip li:nth-child(2)')?.textContent ?? ''`;
          assert.match(String(await browser?.evaluate(second)), new RegExp(`R${older} Table`));
          marked += 1;
        }
        const page = await (await fetch(`${server.siteUrl}${path}`)).text();
        const [, counted = ''] = /<p class="state">.*?<span>(.*?)<\/span>/.exec(page) ?? [];
        assert.ok((await state()).includes(counted), `${await state()} without ${counted}`);
      });
      olderRound = newest.round;
      if (results() === 16) heap = await heapNow();
    }
    assert.ok(marked >= 4, `an older round was named ${marked} times`);
    assert.match(await state(), /Finished.*Won by/);
    assert.equal(await browser.evaluate('isUntouched'), true, 'nobody reloaded it');
    assert.ok((await heapNow()) <= 1.2 * heap + 2e6, `${await heapNow()} bytes after ${heap}`);
  },
);

test(
  'all screens show the same page at the same time, and without a script each page leads to the next',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    const screen = `${server.siteUrl}/tournaments/hall-150/screen`;
    await browser.open(screen);
    const shown = `[...document.querySelectorAll('.page')].findIndex((each) => each.matches('.on'))`;
    const expected = `Math.floor((Date.now() + ahead) / 10_000) % document.querySelectorAll('.page').length`;
    await eventually(async () => assert.equal(await browser.evaluate(`${shown} === ${expected}`), true));
    const text = async (query: string) => (await fetch(`${screen}${query}`)).text();
    const count = (await text('')).split('class="page').length - 1;
    for (const page of [1, 2, count, count + 1]) {
      const answer = await text(`?page=${page}`);
      const on = [...answer.matchAll(/class="page \w+( on)?"/g)].findIndex(([, isOn]) => isOn);
      assert.equal(on, (page - 1) % count);
      assert.match(answer, new RegExp(`refresh" content="10;url=\\?page=${(page % count) + 1}"`));
    }
    assert.match(await text('?day'), /class="stage day/);
    // Phones can reach this site, but not a preview on a laptop.
    assert.match(await text(''), /<div class="qr">.*wartable\.example.*<path d="M/s);
    const preview = await startTestServer(url, { siteUrl: 'http://localhost:3001' });
    const own = await (await fetch(`${preview.siteUrl}/tournaments/hall-150/screen`)).text();
    assert.doesNotMatch(own, /class="qr"/);
    for (const bad of ['?page=0', '?page=x', '?page=1e9'])
      assert.equal((await fetch(`${screen}${bad}`)).status, 404, bad);
    assert.equal((await fetch(`${server.siteUrl}/tournaments/nothing/screen`)).status, 404);
    for (const language of ['de', 'fr', 'es', 'it', 'pl'])
      assert.equal((await fetch(`${server.siteUrl}/${language}/tournaments/hall-150/screen`)).status, 200);
  },
);

test(
  'on the podium, nobody has a larger crest or name than the winner, and two rounds fill the screen',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    await browser.look({ width: 1_280, height: 720, scheme: 'light' });
    const winner = { kind: 'player' as const, id: 'h1', name: 'Encarnación Ordóñez Fuertes' };
    const event = hallEvent('hall-podium', 8, 4);
    const open = { stage: 'knockout', position: 1, table: 1, winner: null };
    const cup = {
      ...hallEvent('hall-cup', 8, 4),
      battles: [],
      stages: [
        { id: 'knockout', label: 'Top 4', type: 'bracket' as const, rounds: 2, phase: 1, members: [] },
      ],
      matches: [
        { ...open, round: 1, players: ['e1', 'e2'] },
        { ...open, round: 1, position: 2, table: 2, players: ['e3', 'e4'] },
        { ...open, round: 2, players: [] },
      ],
    };
    await publishFeed(database.pool, [...hallPlayers(8), winner, { ...event, status: 'finished' }, cup]);
    await browser.open(`${server.siteUrl}/tournaments/hall-podium/screen`);
    const sizesOf = async (part: string): Promise<number[]> => {
      const script = `JSON.stringify(['.p1', '.p2', '.p3'].map((each) => parseFloat(getComputedStyle(document.querySelector(each + ' ' + '${part}')).fontSize)))`;
      return JSON.parse(String(await browser.evaluate(script))) as number[];
    };
    for (const part of ['.crest', 'bdi']) {
      const [first = 0, ...others] = await sizesOf(part);
      assert.ok(
        others.every((each) => each < first),
        `${part}: ${first}, ${others.join()}`,
      );
    }
    await browser.open(`${server.siteUrl}/tournaments/hall-cup/screen`);
    const right = `Math.max(...[...document.querySelectorAll('.tree .card')].map((each) => each.getBoundingClientRect().right))`;
    assert.ok(Number(await browser.evaluate(right)) > 1_200);
  },
);
