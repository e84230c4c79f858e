import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentView } from '../../src/published/views.ts';
import { standingsOfPage } from '../../src/site/tournament-parts/statements.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';

// What "Now" reads must not grow with the round, because every phone asks for it when a result arrives.
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
await publishFeed(database.pool, [
  ...hallPlayers(300),
  hallEvent('large', 300, 60),
  hallEvent('small', 40, 8),
]);

async function tablesOf(text: string, values: unknown[]): Promise<(number | null)[]> {
  const { rows } = await database.pool.query<{ tournament: string }>(text, values);
  const { now } = JSON.parse(rows[0]?.tournament ?? '{}') as TournamentView;
  return (now ?? []).flatMap(({ done, open }) => [...done, ...open].map(({ table }) => table));
}

test('the page reads the first tables and the first results of a round', async () => {
  for (const [slug, results] of [
    ['large', 60],
    ['small', 8],
  ] as const) {
    const first = (from: number) => Array.from({ length: 8 }, (_, i) => from + i);
    const tables = [...first(1), ...first(results + 1)];
    assert.deepEqual(await tablesOf(standingsOfPage.text, [slug, null, []]), tables);
    const text = await (await fetch(`${server.siteUrl}/tournaments/${slug}`)).text();
    const [open, all] = slug === 'large' ? [90, 150] : [12, 20];
    assert.match(text, new RegExp(`${open} tables still playing.*All ${all} tables`, 's'));
    const [now = ''] = /<section class="now.*?<\/section>/s.exec(text) ?? [];
    assert.equal(now.match(/class="card /g)?.length, 8);
  }
});

test('who follows a player sees the table, however far down it is, and the board marks all who play', async () => {
  const [page, card] = await Promise.all(
    ['', '/followed?player=h140'].map(async (path) =>
      (await fetch(`${server.siteUrl}/tournaments/large${path}`)).text(),
    ),
  );
  assert.ok(page !== undefined && card !== undefined);
  assert.doesNotMatch(page, /<a class="card[^>]*>(?:(?!<\/a>).)*data-follow="h140"/s);
  assert.match(
    card,
    /^<ol [^>]*data-stage="swiss"><li><a class="card open"[^>]*><b><span><span class="vh">Table <\/span>140<.*data-follow="h140"/s,
  );
  // These are the first 200 rows. Players who are still playing have their table below their rank.
  const shown = page.match(/<tr[^>]*>.*?<\/tr>/gs)?.filter((row) => row.includes('<td class="pl')) ?? [];
  const playing = shown.filter((row) => /playing now, <\/span>T\d+</.test(row));
  const others = shown.filter((row) => row.includes('<td class="pl">'));
  assert.ok(playing.length > 0 && others.length > 0);
  assert.equal(playing.length + others.length, shown.length);
});
