import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishFeed } from '../support/publish-feed.ts';
import { besideLiveImport } from './live-import.ts';
import type { Proof } from './proof.ts';
import { isTouched, restlessFeed } from './restless-feed.ts';
import { type Serving, withServing } from './serving.ts';
import { type List, type Row, type Shown, walkedLists } from './walked-lists.ts';
import { recordsOf, walkedWorld } from './walked-world.ts';

// Proves that paging is exact. An import adds, changes, moves and removes rows during a walk from page to
// page. The walk returns every row that was there all the time and did not move exactly once, in order.

export const walks: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async (serving) => {
    const wanted = size === 'stated' ? 10_000 : 200;
    const world = walkedWorld();
    const lists = Object.entries(walkedLists(world));
    await publishFeed(serving.pool, recordsOf(world));
    for (const [name, list] of lists) {
      assert.ok(list.expected.length > 8, `${name} has ${list.expected.length} rows`);
      assert.deepEqual((await walk(serving, list, () => 100)).rows, list.expected, name);
    }

    const sum = { walks: 0, pages: 0, met: 0, unsettled: 0 };
    const calm = new Set(lists.map(([name]) => name));
    const sawChanges = () => sum.met > wanted && calm.size === 0 && sum.unsettled > wanted / 10;
    // On a busy machine the walks may be over before the import has begun.
    const giveUpAt = performance.now() + 60_000;
    const walkOn = async (signal: AbortSignal) => {
      while (!signal.aborted && (sum.walks < wanted || (!sawChanges() && performance.now() < giveUpAt))) {
        const [name, list] = lists[sum.walks % lists.length] ?? [];
        assert.ok(name !== undefined && list !== undefined);
        sum.walks += 1;
        const most = 1 + Math.floor(Math.random() * 30);
        const { rows, revisions, pages } = await walk(
          serving,
          list,
          () => 1 + Math.floor(Math.random() * most),
        );
        assertExact(`a walk of ${name}`, list, rows);
        sum.pages += pages;
        sum.met += rows.length - list.expected.length;
        if (rows.length > list.expected.length) calm.delete(name);
        if (revisions.size > 1) sum.unsettled += 1;
      }
    };
    // There are many walks at the same time, so that each is slow enough to see changes.
    const { records, rows } = await besideLiveImport(serving, restlessFeed(world), (signal) =>
      Promise.all(Array.from({ length: 16 }, () => walkOn(signal))),
    );
    assert.ok(rows > wanted, `the import wrote only ${rows} rows`);
    assert.ok(sum.met > wanted, `only ${sum.met} of its rows were met`);
    assert.deepEqual([...calm], [], 'lists in which none was met');
    assert.ok(sum.unsettled > wanted / 10, `only ${sum.unsettled} walks saw their list change`);
    return [
      `${sum.walks} walks of ${lists.length} lists: every row that stayed, exactly once.`,
      `${sum.walks} walks of ${lists.length} lists with random limits, ${sum.pages} pages, while \`wartable import -\` imported ${records} records that add, change, move and remove rows, and wrote ${rows} rows of documents. ${sum.unsettled} walks saw their list change on the way. They met ${sum.met} rows that were added, moved or removed. Every row that stayed was returned exactly once, and all rows were in order.`,
    ];
  });

interface Walk {
  rows: Row[];
  pages: number;
  /** The revisions of the list, from the tags of its pages. */
  revisions: Set<string>;
}

/** Returns all rows from the first page to the last. Each page has another size. */
async function walk({ get, apiUrl }: Serving, list: List, limit: () => number): Promise<Walk> {
  const rows: Row[] = [];
  const revisions = new Set<string>();
  let target = `${list.target}${list.target.includes('?') ? '&' : '?'}limit=${limit()}`;
  for (let pages = 1; ; pages += 1) {
    const { status, text, header } = await answered(() => get(target));
    assert.equal(status, 200, text);
    revisions.add(/^W\/"(\d+)\./.exec(header('etag') ?? '')?.[1] ?? '');
    const { data, next } = JSON.parse(text) as { data: Shown[]; next: string | null };
    rows.push(...data.map(list.rowOf));
    if (next === null) return { rows, pages, revisions };
    const { pathname, search, port } = new URL(next);
    assert.equal(port, new URL(apiUrl).port);
    target = `${pathname}${search}`.replace(/limit=\d+/, `limit=${limit()}`);
  }
}

/**
 * Asserts that rows that stayed occur once and in order. The others are in the right position, and occur
 * again only in another position.
 */
function assertExact(what: string, list: List, rows: Row[]): void {
  const stayed = rows.filter(({ id }) => !isTouched(id));
  assert.deepEqual(stayed, list.expected, what);
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before !== undefined)
      assert.ok(list.compare(before, row) <= 0, `${what}: ${row.id} after ${before.id}`);
  }
  const places = new Set(rows.map(({ id, place }) => `${id} ${place.join(' ')}`));
  assert.equal(places.size, rows.length, `${what} met something twice in one place`);
}

/** Repeats the request if a busy machine answers 503, as a caller would. */
async function answered(ask: () => ReturnType<Serving['get']>): ReturnType<Serving['get']> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.status !== 503 || attempt === 10) return answer;
    await sleep(Number(answer.header('retry-after')) * 1_000);
  }
}
