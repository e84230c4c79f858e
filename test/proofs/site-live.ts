import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishStale } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayOf } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { type Browser, startBrowser } from '../serve/browser.ts';
import { importLines } from '../support/feed.ts';
import { onClient, type Proof } from './proof.ts';
import { withServing } from './serving.ts';

/**
 * Follows an event in a browser, from the first sign-up to the champion. Each change is on the page within 20 s, scroll
 * and focus stay, and a poll without news is one 304.
 */
export const siteLive: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async ({ url, siteUrl, pool }) => {
    const browser = await startBrowser();
    if (browser === undefined) throw new Error('it needs Chromium: apt-get install chromium');
    try {
      const isStated = size === 'stated';
      const series = eventSeries({
        seed: 3,
        players: 16,
        format: 'swiss+knockout',
        rounds: 3,
        start: dayOf('2026-06-27'),
      });
      const steps = inSteps(
        series.map(({ record }) => record),
        isStated ? 24 : 8,
      );
      const record = (records: FeedRecord[]) =>
        onClient(url, async (client) => {
          assert.deepEqual((await importLines(client, records)).refusals, []);
          assert.deepEqual((await publishStale(pool)).failed, []);
        });
      const started = steps.findIndex((step) => step.some((each) => each.kind === 'battle'));
      for (const step of steps.slice(0, started + 1)) await record(step);
      const { rows } = await pool.query<{ slug: string }>('select slug from published.tournament');
      const page = `${siteUrl}/tournaments/${rows[0]?.slug ?? ''}`;
      await browser.look({ width: 390, height: 500, scheme: 'light' });
      await browser.open(page);
      await browser.evaluate(
        // A link of every state: when the knockout begins, its bracket takes the place of the board.
        `window.scrollTo(0, 300); document.querySelector('main a[href$="/rounds"]').focus({ preventScroll: true })`,
      );
      const before = await place(browser);

      // In CI we do not wait for the clock of the page: a tab that becomes visible looks at once.
      const waitMs = 20_000;
      const look = async () =>
        void (isStated || (await browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)));
      await quietPolls(browser, page, isStated ? 32_000 : 0, look);
      let seen = 0;
      for (const step of steps.slice(started + 1)) {
        const shown = await main(browser);
        const fresh = await freshMain(page);
        await record(step);
        if ((await freshMain(page)) === fresh) continue;
        await until(waitMs, async () => {
          await look();
          return (await main(browser)) !== shown;
        });
        seen += 1;
        assert.deepEqual(await place(browser), before);
      }
      assert.match(String(await browser.evaluate('document.querySelector(".podium")?.textContent')), /1/);
      assert.deepEqual(browser.complaints, []);
      return [
        `An event of 16 followed in Chromium to its champion: ${seen} changes of the page, each within ${waitMs / 1_000} s, scroll and focus kept; a poll without news is one 304.`,
      ];
    } finally {
      await browser.close();
    }
  });

function inSteps(records: FeedRecord[], count: number): FeedRecord[][] {
  const size = Math.ceil(records.length / count);
  return Array.from({ length: count }, (_, index) => records.slice(index * size, (index + 1) * size));
}

async function quietPolls(
  browser: Browser,
  page: string,
  ms: number,
  look: () => Promise<void>,
): Promise<void> {
  // A browser may load the icon of the page much later than the page.
  const answers = () => browser.statuses.filter(({ url }) => url === page);
  const known = answers().length;
  await look();
  await sleep(ms);
  await until(5_000, async () => answers().length > known);
  const polls = answers().slice(known);
  assert.deepEqual(
    polls,
    polls.map(() => ({ url: page, status: 304 })),
  );
}

/** Without the line that says the time. */
const main = (browser: Browser) =>
  browser.evaluate(
    `[...document.getElementById('main').children].map((part) => part.matches('.pulse') || part.innerText).join()`,
  );

async function freshMain(page: string): Promise<string | undefined> {
  return /<main[^>]*>(.*)<\/main>/s.exec(await (await fetch(page)).text())?.[1];
}

const place = (browser: Browser) =>
  browser.evaluate('JSON.stringify([window.scrollY, document.activeElement.getAttribute("href")])');

async function until(ms: number, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isDone())) {
    assert.ok(performance.now() < end, `not within ${ms / 1_000} s`);
    await sleep(50);
  }
}
