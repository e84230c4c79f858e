import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { Body } from '../http/compress.ts';
import { createHits, type HitsParts } from './hits.ts';
import { routerTarget } from './protocol.ts';

// The answers `old` and `new` are in memory, for every key.
function stage() {
  const answers: Record<string, { etag: string; body: Body }> = {
    old: { etag: 'W/"1.a"', body: new Body('old') },
    new: { etag: 'W/"2.a"', body: new Body('new') },
  };
  const logged: { path: string }[] = [];
  let forget: (target: string, key: string) => void = () => {};
  const parts = {
    answers: {
      kept: (key: string) => answers[key],
      countHit() {},
      addTarget: (key: string) => key in answers,
      onForgotten: (listener: typeof forget) => (forget = listener),
    },
    verifier: { verified: () => ({ keyId: '1', accountId: '2' }) },
    budget: { fits: () => true },
    lastUse: { note() {} },
    metrics: { countAnswer() {} },
    log: (line: { path: string }) => logged.push(line),
    isDraining: () => false,
    isLastOf: () => false,
  };
  const hits = createHits(parts as unknown as HitsParts);
  const ask = (url: string): string | undefined => {
    let sent: string | undefined;
    const response = { writeHead() {}, end: (bytes: Buffer) => (sent = bytes.toString()) };
    hits.answer(messageTo(url), response as unknown as ServerResponse);
    return sent;
  };
  return { hits, ask, logged, forget: (target: string, key: string) => forget(target, key) };
}

function messageTo(url: string): IncomingMessage {
  const headers = { host: 'localhost', authorization: 'Bearer svc_v1_x' };
  const socket = { writableLength: 0 };
  return { method: 'GET', httpVersion: '1.1', url, headers, socket } as unknown as IncomingMessage;
}

test('when the cursors of a list have changed, its target leads to the new answer', () => {
  const { hits, ask } = stage();
  const list = '/api/v1/tournaments';
  hits.remember(messageTo(list), { key: 'old', route: list, until: Date.now() - 1 });
  assert.equal(ask(list), undefined);
  hits.remember(messageTo(list), { key: 'new', route: list, until: Date.now() + 60_000 });
  assert.equal(ask(list), 'new');
});

test('a target goes with its answer, but not with an older answer that it had', () => {
  const { hits, ask, forget } = stage();
  const list = '/api/v1/tournaments';
  hits.remember(messageTo(list), { key: 'old', route: list, until: Infinity });
  hits.remember(messageTo(list), { key: 'new', route: list, until: Infinity });
  forget(list, 'old');
  assert.equal(ask(list), 'new');
  forget(list, 'new');
  assert.equal(ask(list), undefined);
  hits.remember(messageTo(list), { key: 'not in memory', route: list, until: Infinity });
  assert.equal(ask(list), undefined);
});

test('a target that was first asked for with a host is logged like any other', () => {
  const { hits, ask, logged } = stage();
  const club = '/api/v1/clubs/a';
  // As the framework does it.
  const message = messageTo(`http://other${club}`);
  message.url = routerTarget(message);
  hits.remember(message, { key: 'new', route: club, until: Infinity });
  assert.equal(ask(club), 'new');
  assert.equal(logged[0]?.path, club);
});
