import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowOfPage, standingsOfPage } from '../../../src/site/tournament/statements.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { startTestServer } from '../../support/server.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';

// What "Now" reads must not grow with the round: it is what every phone asks for when a result comes.
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
await publishFeed(database.pool, [
  ...hallPlayers(300),
  hallEvent('large', 300, 60),
  hallEvent('small', 40, 8),
]);

async function currentOf(text: string, values: unknown[]): Promise<{ table: number; stage: string }[]> {
  const { rows } = await database.pool.query<{ current: { table: number; stage: string }[] }>(text, values);
  return rows[0]?.current ?? [];
}

test('the fragment and the page read the first tables and the first results of a round', async () => {
  for (const [slug, results] of [
    ['large', 60],
    ['small', 8],
  ] as const) {
    const tables = [1, 2, 3, 4, ...Array.from({ length: 8 }, (_, i) => results + 1 + i)];
    const fragment = await currentOf(nowOfPage.text, [slug, []]);
    assert.deepEqual(
      fragment.map(({ table }) => table),
      tables,
    );
    const page = await currentOf(standingsOfPage.text, [slug, null, [], null]);
    assert.deepEqual(page, fragment);
    const text = await (await fetch(`${server.siteUrl}/tournaments/${slug}/now`)).text();
    const open = slug === 'large' ? 90 : 12;
    assert.match(
      text,
      new RegExp(`${open} tables still playing.*All ${open} open tables.*All ${results} results`, 's'),
    );
  }
  const buffers = await Promise.all(['large', 'small'].map((slug) => buffersOf(nowOfPage.text, [slug, []])));
  // The documents of the event itself are larger, its battles are not more.
  assert.ok((buffers[0] ?? 0) < 2 * (buffers[1] ?? 0), `${buffers.join(' and ')} buffers`);
});

test('who follows a player sees the table, however far down it is, and the board marks all who play', async () => {
  assert.equal((await currentOf(standingsOfPage.text, ['large', null, [], 'h140'])).length, 150);
  const page = await (await fetch(`${server.siteUrl}/tournaments/large?player=h140`)).text();
  assert.match(page, /<ol class="flat mine-top"><li>.*?<span class="vh">Table <\/span>140</s);
  assert.equal(
    page.match(/<tbody>.*<\/tbody>/s)?.[0].match(/no result yet, <\/span>table \d+/g)?.length,
    180,
  );
});

async function buffersOf(text: string, values: unknown[]): Promise<number> {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}
