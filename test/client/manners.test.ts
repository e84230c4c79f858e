import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Wartable } from '../../docs/recipes/client/wartable.mjs';
import { clients, javaScript, perform } from './clients.ts';
import { listen, send } from './listen.ts';

// Tests what a client does to spare the server, and what it never prints.

const key = 'svc_v1_AKeyThatNothingPrints00000000000000000000';

for (const client of clients) {
  const { name, skip } = client;

  test(`${name} has at most four requests at once`, { skip }, async () => {
    const running: (() => void)[] = [];
    const seen: number[] = [];
    const baseUrl = await listen(async (_request, response) => {
      const answered = new Promise<void>((resolve) => running.push(resolve));
      seen.push(running.length);
      // Four requests are in progress. A fifth would arrive now.
      if (running.length === 4) {
        await sleep(100);
        for (const answer of running.splice(0)) answer();
      }
      await answered;
      send(response, 200, { data: {} });
    });
    const calls = Array.from({ length: 12 }, (_, i) => ({ name: 'clubs.get', args: [`c${i}`] }));
    const [results] = await perform(client, [{ options: { baseUrl, key }, calls, atOnce: true }]);
    assert.deepEqual([results?.length, Math.max(...seen), seen.length], [12, 4, 12]);
  });

  test(`${name} remembers 500 answers by their whole address`, { skip }, async () => {
    const asked: string[] = [];
    const baseUrl = await listen(({ url = '', headers }, response) => {
      const etag = `W/"7.${url}"`;
      const isHeld = headers['if-none-match'] === etag;
      asked.push(`${url} ${isHeld ? 304 : 200}`);
      if (isHeld) response.writeHead(304, { etag }).end();
      else send(response, 200, { data: { url } }, { etag });
    });
    const club = (i: number) => ({ name: 'clubs.get', args: [`c${i}`] });
    const standings = (stage: string) => ({ name: 'tournaments.standings', args: ['t'], options: { stage } });
    const many = Array.from({ length: 501 }, (_, i) => club(i));
    const [results = []] = await perform(client, [
      {
        options: { baseUrl, key },
        calls: [...many, club(500), club(1), club(0), club(1), standings('a'), standings('b')],
      },
    ]);
    assert.deepEqual(asked.slice(501), [
      '/api/v1/clubs/c500 304',
      '/api/v1/clubs/c1 304',
      '/api/v1/clubs/c0 200',
      // This one was used before c0 arrived.
      '/api/v1/clubs/c1 304',
      '/api/v1/tournaments/t/standings?stage=a 200',
      '/api/v1/tournaments/t/standings?stage=b 200',
    ]);
    assert.deepEqual(results[501], results[500]);
  });

  test(`${name} asks for compressed answers, and sends a User-Agent and no cookies`, { skip }, async () => {
    let headers: IncomingMessage['headers'] = {};
    const baseUrl = await listen((request, response) => {
      ({ headers } = request);
      send(response, 200, { data: {} });
    });
    const call = { name: 'clubs.get', args: ['c'] };
    await perform(client, [{ options: { baseUrl, key, timeoutSeconds: 8.2003 }, calls: [call, call] }]);
    // The second request has no tag because the first answer had none.
    assert.equal(headers['if-none-match'], undefined);
    assert.match(String(headers['accept-encoding']), /gzip/);
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.equal(headers.cookie, undefined);
    assert.notEqual(headers['user-agent'], undefined);
  });

  test(`${name}: a change is pending until its revision, or until a later one`, { skip }, async () => {
    const entry = (kind: string, id: string, revision: number, change = 'changed') => ({
      kind,
      key: id,
      change,
      revision,
      tournament: null,
    });
    const pages: Record<string, object[]> = {
      0: [
        entry('club', 'a', 5),
        entry('club', 'b', 6, 'gone'),
        entry('battle', 'c', 7),
        entry('club', 'new', 8),
      ],
      1: [entry('club', 'a', 9)],
      2: [],
    };
    // The revisions of each document in the order in which they are served. Revision 0 means that it does not
    // exist.
    const revisions: Record<string, number[]> = {
      a: [4, 8, 9],
      b: [6, 0],
      c: [7],
      new: [0, 8],
      back: [3],
      down: [503],
    };
    const turns = new Map<string, number>();
    const baseUrl = await listen(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const [place = 'none'] = searchParams.getAll('after');
      if (pathname.endsWith('/changes'))
        return send(response, 200, {
          data: pages[place] ?? [],
          next: null,
          after: String(Number(place) + 1 || 0),
        });
      const id = pathname.split('/').at(-1) ?? '';
      const turn = turns.get(id) ?? 0;
      turns.set(id, turn + 1);
      const revision = revisions[id]?.[turn] ?? revisions[id]?.at(-1) ?? 0;
      if (revision === 0 || revision === 503) {
        const status = revision || 404;
        return send(
          response,
          status,
          { error: { status, code: status === 404 ? 'NOT_FOUND' : 'X', message: '' } },
          { 'retry-after': '999' },
        );
      }
      return send(response, 200, { data: { id, revision } }, { etag: `W/"${revision}.x"` });
    });
    const [a5, b6, , new8] = pages[0] ?? [];
    const [a9] = pages[1] ?? [];
    const back = entry('club', 'back', 2, 'gone');
    const down = entry('club', 'down', 1);
    const a1 = entry('club', 'a', 1);
    const follow = (args: unknown[], options?: object) => ({
      name: 'changes',
      args,
      ...(options && { options }),
    });
    const [results] = await perform(client, [
      {
        options: { baseUrl, key },
        calls: [
          follow([]),
          follow(['0']),
          follow(['1'], { pending: [a5, b6, new8] }),
          follow(['2'], { pending: [a9, back, down] }),
          follow(['0'], { wanted: 'battle' }),
          // A later entry that nobody wants replaces an earlier one.
          follow(['0'], { pending: [a1], wanted: 'battle' }),
        ],
      },
    ]);
    const settled = (of: object | undefined, revision: number) => ({
      ...of,
      document: revision === 0 ? null : { id: (of as { key: string }).key, revision },
    });
    assert.deepEqual(results, [
      { value: { data: [], pending: [], after: '0', more: false } },
      { value: { data: [settled(pages[0]?.[2], 7)], pending: [a5, b6, new8], after: '1', more: false } },
      { value: { data: [settled(b6, 0), settled(new8, 8)], pending: [a9], after: '2', more: false } },
      // A thing that is gone but has a later revision has come back.
      { value: { data: [settled(a9, 9), settled(back, 3)], pending: [down], after: '3', more: false } },
      { value: { data: [settled(pages[0]?.[2], 7)], pending: [], after: '1', more: false } },
      { value: { data: [settled(pages[0]?.[2], 7)], pending: [], after: '1', more: false } },
    ]);
  });

  test(`${name}: watch shows what changed, and nothing older`, { skip }, async () => {
    const baseUrl = await changingStandings();
    const calls = [{ name: 'watch', args: ['cup'], options: { everySeconds: 0.01 }, take: 2 }];
    const [[result] = []] = await perform(client, [{ options: { baseUrl, key }, calls }]);
    const seen = result?.value as { kind: string; data: unknown }[];
    assert.deepEqual(
      seen.map(({ kind, data }) => [kind, data]),
      [
        ['board', [{ points: 1 }]],
        ['board', [{ points: 2 }]],
      ],
    );
  });

  test(`${name} never prints the key`, { skip }, async () => {
    const baseUrl = await listen((request, response) => answerBadly(request, response));
    const script = client === javaScript ? 'prints.mjs' : 'prints.py';
    const [program = ''] = client.command;
    const { stdout, stderr } = await promisify(execFile)(
      program,
      [path.join(import.meta.dirname, script), baseUrl, key],
      { env: { PYTHONDONTWRITEBYTECODE: '1' } },
    );
    assert.equal(stderr, '');
    for (const shown of [/key must be/, /Not for you/, /No complete answer/, /next is .*, not below/])
      assert.match(stdout, shown);
    assert.doesNotMatch(stdout, /AKeyThatNothingPrints/);
  });
}

test('wartable.mjs: watch ends after its signal', async () => {
  const stop = new AbortController();
  const seen: unknown[] = [];
  const api = new Wartable({ baseUrl: await changingStandings(), key });
  for await (const { data } of api.watch('cup', { everySeconds: 0.01, signal: stop.signal })) {
    seen.push(...data);
    if (seen.length === 2) stop.abort();
  }
  assert.deepEqual(seen, [{ points: 1 }, { points: 2 }]);
});

test('wartable.mjs takes only a text as the key', async () => {
  const baseUrl = 'http://localhost';
  for (const bad of [undefined, null, 7, [key], ''])
    assert.throws(() => new Wartable({ baseUrl, key: bad as string }), /^TypeError: key must be/);
});

/**
 * Starts a server whose answers include one from an instance that has not received the newest result yet, and
 * one from a proxy while the server restarts.
 */
async function changingStandings(): Promise<string> {
  const answers: [revision: number, points: number][] = [
    [5, 1],
    [4, 0],
    [6, 1],
    [0, 404],
    [7, 2],
  ];
  return listen((_request, response) => {
    const [revision, points] = answers.shift() ?? [7, 2];
    if (revision === 0) response.writeHead(404).end('<html>');
    else send(response, 200, { stage: { type: 'board' }, data: [{ points }] }, { etag: `W/"${revision}.x"` });
  });
}

function answerBadly({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.includes('refused'))
    send(response, 403, { error: { status: 403, code: 'X', message: 'Not for you' } });
  else if (url.includes('reset')) response.destroy();
  else send(response, 200, { data: [], next: 'http://example.org/api/' });
}
