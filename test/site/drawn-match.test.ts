import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';

// Tests matches that are easily misread: drawn, but with a winner; with points, but not over; shown twice on
// one page.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

const names = ['Ann', 'Bea', 'Cleo', 'Dora'];
const id = (name: string) => name.toLowerCase();
const stage = 'knockout';
const side = (participant: string, victoryPoints: number, battlePoints: number | null = null) => ({
  participant,
  victoryPoints,
  ...(battlePoints !== null && { battlePoints }),
});
const cup: TournamentRecord = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Harbour Cup',
  status: 'ongoing',
  startDate: new Date().toISOString().slice(0, 10),
  battleSize: 2000,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 1, phase: 1 },
    {
      id: stage,
      label: 'Top 4',
      type: 'bracket',
      rounds: 2,
      phase: 2,
      members: names.map((name, index) => ({ participant: id(name), seed: index + 1 })),
    },
  ],
  participants: names.map((name) => ({ id: id(name), player: id(name), faction: 'Marrow Choir' })),
  battles: [
    { id: 's1', stage: 'swiss', round: 1, table: 1, sides: [side('ann', 12), side('cleo', 8)] },
    {
      id: 's2',
      stage: 'swiss',
      round: 1,
      table: 2,
      sides: [{ participant: 'bea' }, { participant: 'dora' }],
    },
    {
      id: 'k1',
      stage,
      round: 1,
      table: 7,
      finished: true,
      winner: 'ann',
      sides: [side('ann', 32, 5), side('dora', 32, 1)],
    },
    {
      id: 'k2',
      stage,
      round: 1,
      table: 8,
      finished: true,
      sides: [side('bea', 30, 10), side('cleo', 30, 10)],
    },
    { id: 'k3', stage, round: 2, table: 9, sides: [side('ann', 14), side('cleo', 11)] },
  ],
  matches: [
    { stage, round: 1, position: 1, table: 7, players: ['ann', 'dora'], winner: 'ann', battle: 'k1' },
    { stage, round: 1, position: 2, table: 8, players: ['bea', 'cleo'], winner: 'cleo', battle: 'k2' },
    { stage, round: 2, position: 1, table: 9, players: ['ann', 'cleo'], winner: null, battle: 'k3' },
  ],
};
const league: TournamentRecord = {
  ...cup,
  slug: 'league',
  stages: cup.stages?.slice(0, 1) ?? [],
  battles: cup.battles?.slice(0, 2).map((battle) => ({ ...battle, id: `league-${battle.id}` })) ?? [],
  matches: [],
};
const done: TournamentRecord = {
  ...cup,
  slug: 'done',
  status: 'finished',
  battles: cup.battles?.map((battle) => ({ ...battle, id: `done-${battle.id}` })) ?? [],
  matches:
    cup.matches?.map((match) => ({
      ...match,
      winner: match.winner ?? 'ann',
      battle: `done-${match.battle}`,
    })) ?? [],
};
await publishFeed(database.pool, [
  ...names.map((name) => ({ kind: 'player' as const, id: id(name), name })),
  cup,
  league,
  done,
]);

async function words(path: string): Promise<string> {
  const text = await (await fetch(`${server.siteUrl}${path}`)).text();
  return text
    .slice(text.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('a drawn match with a winner says why, in the bracket, under Rounds and on its own page', async () => {
  // The battle has a winner, so the standings count it as a win.
  const won = 'Won on tie-break: battle points 5–1';
  const recorded = 'Drawn. Recorded as the winner by the organiser';
  const bracket = await words('/tournaments/cup?stage=knockout');
  assert.match(
    bracket,
    new RegExp(
      `Table 7 seed #1 MC Ann won 32 seed #4 MC Dora lost 32 ${won} Match 1 · Winner plays match 3 ` +
        `Table 8 seed #2 MC Bea lost 30 seed #3 MC Cleo won 30 ${recorded} Match 2 · Winner plays match 3 `,
    ),
  );
  const round = await words('/tournaments/cup/rounds?stage=knockout&round=1');
  assert.match(round, new RegExp(`Dora lost 32 ${won} Match 1 .* ${recorded} Match 2 `));
  assert.match(
    await words('/battles/k1'),
    /Ann beat Dora 32–32 on victory points\. Won on tie-break: battle points 5–1\. .* Ann Marrow Choir Victory points: 32 –32 .* 5 Battle points decided the match 1 /,
  );
  assert.match(
    await words('/battles/k2'),
    /Cleo drew with Bea 30–30 on victory points\. Cleo won the match\. Recorded as the winner by the organiser\. .* Victory points: 30 –30 .* 10 Battle points 10/,
  );
});

test('a running game with points says that it is being played', async () => {
  const round = await words('/tournaments/league/rounds');
  assert.match(round, /Still playing Table 1 MC Ann 12 MC Cleo 8 Playing Table 2 MC Bea MC Dora /);
  assert.match(
    await words('/tournaments/cup?stage=knockout'),
    /Table 9 seed #1 MC Ann 14 seed #3 MC Cleo 11 Playing Match 3 /,
  );
  assert.match(await words('/tournaments/cup'), / Table 9 seed #1 MC Ann 14 seed #3 MC Cleo 11 Top 4 /);
  assert.match(await words('/battles/k3'), /Ann vs Cleo Playing .* Victory points: 14 –11 /);
  assert.match(await words('/battles/league-s2'), /Bea vs Dora No result yet /);
});

test('a followed match appears once', { skip }, async () => {
  assert.ok(browser !== undefined);
  const folder = process.env['SCREENSHOTS'];
  const seen = async (address: string) =>
    browser.evaluate(
      `[...document.querySelectorAll('.card[href="${address}"]')].filter((each) => each.checkVisibility()).length`,
    );
  const look = async (path: string, width: number, scheme: 'light' | 'dark' = 'light') => {
    await browser.look({ width, height: 844, scheme });
    await browser.open(`${server.siteUrl}${path}`);
    const file = `${folder}/${path.slice(1).replaceAll(/\W/g, '-')}-${width}-${scheme}.png`;
    if (folder !== undefined) await writeFile(file, await browser.screenshot());
  };
  const pages = [
    ['/tournaments/league', '/battles/league-s1'],
    ['/tournaments/done?stage=knockout', '/battles/done-k3'],
    ['/tournaments/done?stage=knockout&round=2', '/battles/done-k3'],
    ['/tournaments/league/rounds', '/battles/league-s1'],
    ['/tournaments/cup/rounds?stage=knockout', '/battles/k3'],
  ] as const;
  await look('/', 390);
  await browser.evaluate(`localStorage.setItem('followed', '["ann"]')`);
  for (const [path, address] of pages) {
    for (const width of [390, 1280, 1920]) {
      await look(path, width);
      assert.equal(await seen(address), 1, `${path} at ${width}`);
      assert.notEqual(await browser.evaluate(`document.querySelectorAll('.mine').length`), 0, path);
    }
  }
  // There are two parts on one page: what is being played, and where that is in the bracket.
  await look('/tournaments/cup', 390);
  assert.equal(await seen('/battles/k3'), 2);
  await look('/tournaments/cup?round=1', 390);
  assert.equal(await seen('/battles/k3'), 1);
  // "Now" is about nothing else than what is being played, and its cards have no room for the word.
  assert.doesNotMatch(
    String(await browser.evaluate('document.querySelector(".slide .mine").innerText')),
    /Playing/,
  );
  const overflow = `{ const card = document.querySelector('.slide .mine'); card.scrollHeight - card.clientHeight }`;
  assert.equal(await browser.evaluate(overflow), 0, 'nothing is cut off');
  // The slide cuts off what is outside its cards, so the ring of the focus is inside.
  const ring = `{
    const card = document.querySelector('.slide a.card');
    card.focus();
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
    [outlineStyle, parseFloat(outlineWidth) + parseFloat(outlineOffset)].join();
  }`;
  assert.equal(await browser.evaluate(ring), 'solid,0');
  for (const width of [390, 1280]) {
    for (const path of ['/battles/k1', '/battles/k2', '/tournaments/cup?stage=knockout&round=1'])
      await look(path, width, 'dark');
  }
  await browser.look({ width: 1280, scheme: 'light', media: 'print' });
  await browser.open(`${server.siteUrl}/tournaments/league/rounds`);
  assert.equal(await seen('/battles/league-s1'), 1, 'on paper');
});

test('a drawn match is drawn on the page of a participant, as in the standings, and says who won it', async () => {
  const cleo = await words('/tournaments/done/players/cleo');
  const bea = await words('/tournaments/done/players/bea');
  const decided = 'Cleo won the match. Recorded as the winner by the organiser';
  for (const page of [cleo, bea]) {
    assert.match(page, new RegExp(decided));
    assert.match(page, / drew 30–30/);
    assert.doesNotMatch(page, /(won|lost) 30–30/);
  }
  assert.match(bea, /W–D–L 0–1–0/);
});

test('where somebody else went through, every page says who won the battle and who the match', async () => {
  const overruled: TournamentRecord = {
    ...done,
    slug: 'overruled',
    battles: done.battles?.map((battle) => ({ ...battle, id: `over-${battle.id}` })) ?? [],
    matches:
      done.matches?.map((match) => ({
        ...match,
        winner: match.position === 1 && match.round === 1 ? 'dora' : (match.winner ?? null),
        battle: `over-${match.battle}`,
        ...(match.round === 2 && { players: ['dora', 'cleo'], battle: null, winner: 'dora' }),
      })) ?? [],
  };
  await publishFeed(database.pool, [overruled]);
  const battle = await words('/battles/over-done-k1');
  assert.match(battle, /Ann beat Dora/);
  assert.match(battle, /Dora won the match\. Recorded as the winner by the organiser\./);
  const decided = 'Dora won the match. Recorded as the winner by the organiser';
  assert.match(await words('/tournaments/overruled/players/dora'), new RegExp(`${decided}.* lost 32–32`));
  assert.match(await words('/tournaments/overruled/players/ann'), new RegExp(`${decided}.* won 32–32`));
  assert.match(
    await words('/tournaments/overruled?stage=knockout'),
    /Recorded as the winner by the organiser/,
  );
});

test('a battle without a result is not being played once its event is over', async () => {
  const swiss = (slug: string, more: object): TournamentRecord => ({
    ...league,
    slug,
    battles: league.battles?.map((battle) => ({ ...battle, id: `${slug}-${battle.id}` })) ?? [],
    ...more,
  });
  await publishFeed(database.pool, [
    swiss('ended', { status: 'finished' }),
    swiss('past', { startDate: '2024-05-04' }),
    swiss('now', {}),
  ]);
  assert.match(await words('/battles/now-league-s1'), / Playing Swiss /);
  for (const slug of ['ended', 'past']) {
    for (const battle of ['s1', 's2'])
      assert.match(await words(`/battles/${slug}-league-${battle}`), / Result missing Swiss /);
  }
});

test('before a knockout is drawn, nothing speaks of a round of it', async () => {
  const [, knockout] = cup.stages ?? [];
  await publishFeed(database.pool, [
    { ...cup, slug: 'undrawn', stages: knockout ? [knockout] : [], battles: [], matches: [] },
  ]);
  assert.doesNotMatch(await words('/tournaments/undrawn/screen'), /Round 0/);
  const page = await words('/tournaments/undrawn');
  assert.match(page, /No round has begun yet/);
  assert.doesNotMatch(page, /earlier rounds/);
});

test('a player whom the feed names in a match without an opponent is shown there', async () => {
  await publishFeed(database.pool, [
    {
      ...cup,
      slug: 'half',
      battles: [],
      matches: [{ stage, round: 1, position: 1, table: 1, players: ['ann'], winner: null, battle: null }],
    },
  ]);
  assert.match(await words('/tournaments/half?stage=knockout'), / Ann To be decided /);
});

test('points that an organiser took twice for the same reason are listed twice', async () => {
  const late = { stage: 'swiss', participant: 'ann', battlePoints: -1, reason: 'late list' };
  await publishFeed(database.pool, [
    { ...done, slug: 'late', adjustments: [late, late], battles: [], matches: [] },
  ]);
  const page = await words('/tournaments/late/players/ann');
  assert.equal(page.match(/−1 BP: late list/g)?.length, 2);
});
