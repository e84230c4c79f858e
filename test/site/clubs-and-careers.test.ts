import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

// Tests what the players of a club did, and what one player did. Only finished games count.
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

const names = ['Ann', 'Bea', 'Cleo', 'Dora'];
const today = new Date().toISOString().slice(0, 10);

/**
 * Returns an event in which Ann and Bea play for the Owls. `won` contains the winners of Ann's games, or null
 * for one that is still open.
 */
function event(slug: string, fields: Partial<TournamentRecord>, won: (string | null)[]): TournamentRecord {
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: `Event ${slug}`,
    status: 'ongoing',
    startDate: today,
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3, phase: 1 }],
    participants: names.map((name, index) => ({
      id: `p${index}`,
      player: name.toLowerCase(),
      faction: index === 0 ? 'Marrow Choir' : 'Lanternsworn',
      club: index < 2 ? 'owls' : null,
    })),
    battles: won.map((winner, index) => ({
      id: `${slug}-${index + 1}`,
      stage: 'swiss',
      round: index + 1,
      table: 4,
      finished: winner !== null,
      ...(winner !== null && { winner }),
      sides: [{ participant: 'p0' }, { participant: `p${index + 1}` }],
    })),
    ...fields,
  };
}

const past = (placements: Record<string, number>) => ({
  status: 'finished' as const,
  startDate: '2024-05-04',
  participants: (event('any', {}, []).participants ?? []).map((each) => ({
    ...each,
    ...(placements[each.id] !== undefined && { finalPlacement: placements[each.id] }),
  })),
});

await publishFeed(database.pool, [
  { kind: 'club', slug: 'owls', name: 'Night Owls', city: 'Porto', country: 'Portugal' },
  ...names.map((name) => ({ kind: 'player' as const, id: name.toLowerCase(), name })),
  event('spring', past({ p0: 2, p1: 3, p2: 1, p3: 4 }), ['p0', 'p2', 'p0']),
  event('now', {}, ['p0', null]),
  event('soon', { status: 'planned', startDate: '2099-01-02' }, []),
]);

async function page(path: string): Promise<string> {
  const response = await fetch(`${server.siteUrl}${path}`);
  const text = await response.text();
  assert.equal(response.status, 200, path);
  await assertValidHtml(text, path);
  return text;
}

/** Returns a section of a page as a person reads it. */
function section(text: string, id: string): string {
  const [, found = ''] =
    new RegExp(`<section[^>]*aria-labelledby="${id}">(.*?)</section>`, 's').exec(text) ?? [];
  return wordsOf(found);
}

const wordsOf = (text: string) =>
  text
    .replaceAll(/<i [^>]*>[^<]*<\/i>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('a career counts games with a result, and events in which something was played', async () => {
  const text = await page('/players/ann');
  const numbers = wordsOf(/<dl class="stats">.*?<\/dl>/s.exec(text)?.[0] ?? '');
  assert.equal(numbers, 'W–D–L 3–0–1 Events 2 Best finish 2nd of 4');
  assert.equal(
    section(text, 'factions'),
    'Factions played Marrow Choir 3–0–1 75% The length of a bar shows the games played, and its coloured part the games won, with a draw as half a win.',
  );
  assert.match(text, /<html lang="en" class="h\d+">/);
  assert.match(wordsOf(text), / Ann Night Owls since 2024 /);
  const card = wordsOf(/<div class="card big".*?<\/div>/s.exec(text)?.[0] ?? '');
  assert.match(card, /^Table 4 Playing now , vs Cleo /);
});

test('each event of a career has its results as dots, and leads to the page of the player there', async () => {
  const text = await page('/players/ann');
  const dots = [
    ...text.matchAll(/<span class="run[^"]*"><span class="vh">([^<]*)<\/span>(.*?)<\/span>/g),
  ].map(([, spoken, marks = '']) => [
    spoken,
    [...marks.matchAll(/class="(.)"/g)].map(([, mark]) => mark).join(''),
  ]);
  assert.deepEqual(dots.slice(0, 2), [
    ['1–0–0', 'wpt'],
    ['2–0–1', 'wlw'],
  ]);
  assert.match(text, /href="\/tournaments\/spring\/players\/p0"><bdi>Event spring</);
  assert.match(section(text, 'tournaments'), /Event soon 2 Jan 2099 .* Upcoming Event now /);
});

test('a club shows the newest results of its players, and the factions that they play', async () => {
  const text = await page('/clubs/owls');
  assert.equal(
    section(text, 'results').replaceAll(/\d+ \w+ \d{4}/g, '(day)'),
    'Recent results Ann Event now · (day) 1–0–0 Running Bea Event now · (day) 0–0–1 Running ' +
      'Ann Event spring · (day) 2nd of 4 Bea Event spring · (day) 3rd of 4',
  );
  assert.equal(
    section(text, 'factions'),
    'Factions played Marrow Choir 2 entries 3–0–1 75% Lanternsworn 2 entries 0–0–2 0% The length of a bar shows the games played, and its coloured part the games won, with a draw as half a win.',
  );
  assert.doesNotMatch(section(text, 'results'), /soon|Cleo/);
  assert.doesNotMatch(await page('/clubs/owls?before=2024-05-05.9.9.z'), /Recent results/);
});

test('the page of a club follows a result, a new name and another club', async () => {
  await page('/clubs/owls');
  await publishFeed(database.pool, [{ ...event('now', {}, ['p0', 'p2']) }]);
  await eventually(async () => assert.match(section(await page('/clubs/owls'), 'results'), /Ann .*? 1–0–1 /));
  await publishFeed(database.pool, [{ kind: 'player', id: 'bea', name: 'Beatrix' }]);
  await eventually(async () => assert.match(section(await page('/clubs/owls'), 'results'), /Beatrix/));
  await publishFeed(database.pool, [
    { kind: 'participant', tournament: 'now', id: 'p1', player: 'bea', faction: 'Lanternsworn', club: null },
  ]);
  await eventually(async () =>
    assert.doesNotMatch(section(await page('/clubs/owls'), 'results'), /Beatrix Event now/),
  );
});
