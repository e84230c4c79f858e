import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from './database.ts';
import { publishWorld } from './published-world.ts';
import { exchange } from './raw-socket.ts';
import { createTestKey, startTestServer } from './server.ts';

// A tournament that is not published must look like one that never existed: on every endpoint that could show it, to
// GET and HEAD, with old cursors and old tags, in every byte.
const database = await createTestDatabase();
await publishWorld(database.pool);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);

// No longer published: its cursors and tags were handed out before. Never published, and not yet: never had a row.
const [gone, never] = ['event-4', 'event-4x'];
const [goneBattle, neverBattle] = ['b_4_0', 'b_4_x'];
const paths = [
  '',
  '/standings',
  '/standings?stage=swiss',
  '/standings?stage=xyz',
  '/participants',
  '/battles',
];
const old = new Map<string, { etag: string; cursor: string | undefined }>();

for (const path of [...paths, '/participants?limit=3', '/battles?limit=3']) {
  const { status, header, text } = await send('GET', `/tournaments/${gone}${path}`);
  if (status !== 200) continue;
  const cursor = /cursor=([\w-]+)/.exec(text)?.[1];
  old.set(path, { etag: header('etag') ?? '', cursor });
}
const battleTag = (await send('GET', `/battles/${goneBattle}`)).header('etag') ?? '';
await takeBack();

test('before it was taken back there were tags and cursors to keep', () => {
  assert.equal(old.size, 7);
  assert.ok(old.get('/battles?limit=3')?.cursor !== undefined);
  assert.match(battleTag, /^W\//);
});

for (const method of ['GET', 'HEAD']) {
  for (const path of paths) {
    test(`${method} …${path} of a tournament taken back is what it is of one that never was`, async () => {
      await same(method, path);
    });
    test(`${method} …${path} with the tags it had changes nothing`, async () => {
      for (const tag of [old.get(path)?.etag ?? '"x"', '*', '"x"'])
        await same(method, path, `If-None-Match: ${tag}`);
    });
  }

  test(`${method} with limits, and with what is no limit`, async () => {
    for (const list of ['/participants', '/battles']) {
      for (const query of ['?limit=3', '?limit=0', '?limit=1&limit=1', '?from=x', '?cursor=x', '?cursor=']) {
        await same(method, list + query);
      }
    }
  });

  test(`${method} of its battle by id is what it is of one that never was`, async () => {
    for (const header of [[], [`If-None-Match: ${battleTag}`], ['If-None-Match: *']]) {
      const [one, other] = [
        await send(method, `/battles/${goneBattle}`, ...header),
        await send(method, `/battles/${neverBattle}`, ...header),
      ];
      assert.equal(one.status, 404);
      assert.equal(one.comparable, other.comparable);
    }
  });
}

test('an old cursor of it finds nothing, as a cursor of any tournament finds nothing without it', async () => {
  for (const list of ['/participants', '/battles']) {
    const cursor = old.get(`${list}?limit=3`)?.cursor ?? '';
    const { status, text } = await send('GET', `/tournaments/${gone}${list}?cursor=${cursor}`);
    assert.equal(status, 404);
    assert.equal(text, (await send('GET', `/tournaments/${never}${list}`)).text);
  }
});

test('no list shows it or its battles any more', async () => {
  for (const list of [
    '/tournaments',
    '/clubs/club-4/tournaments',
    '/clubs/club-4/battles',
    '/users/p_4/battles',
  ]) {
    let target: string | undefined = `${list}?limit=100`;
    while (target !== undefined) {
      const { status, text } = await send('GET', target);
      assert.equal(status, 200);
      assert.ok(!text.includes(`"${gone}"`), `${target} shows ${gone}`);
      assert.ok(!text.includes(`"${goneBattle}"`), `${target} shows ${goneBattle}`);
      const { next } = JSON.parse(text) as { next: string | null };
      target = next?.replace(/^.*\/api\/v1/, '');
    }
  }
});

/** Compares what is answered about the one taken back and about one that never was. */
async function same(method: string, path: string, ...headers: string[]): Promise<void> {
  const [one, other] = [
    await send(method, `/tournaments/${gone}${path}`, ...headers),
    await send(method, `/tournaments/${never}${path}`, ...headers),
  ];
  assert.ok([400, 404].includes(one.status), `${one.status}`);
  assert.equal(one.comparable, other.comparable);
}

function send(method: string, target: string, ...headers: string[]) {
  const lines = [
    `${method} /api/v1${target} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${key}`,
    ...headers,
  ];
  return exchange(server.apiUrl, `${lines.join('\r\n')}\r\n\r\n`);
}

async function takeBack(): Promise<void> {
  await database.pool.query(`
    delete from published.player_battle where battle in (select id from published.battle where tournament = '${gone}');
    delete from published.club_battle where battle in (select id from published.battle where tournament = '${gone}');
    delete from published.battle_detail where id in (select id from published.battle where tournament = '${gone}');
    delete from published.battle where tournament = '${gone}';
    delete from published.participant where tournament = '${gone}';
    delete from published.standings where tournament = '${gone}';
    delete from published.tournament where slug = '${gone}'`);
}
