import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { errors } from '../../contract/errors.ts';
import { createByteBudget } from '../documents/byte-budget.ts';
import { createProgressWatch } from '../http/progress.ts';
import { createAnswerCache } from '../documents/answer-cache.ts';
import { createNewestRevisions } from '../documents/newest-revisions.ts';
import { createCursors } from './cursor.ts';
import type { Documents } from '../documents/reader.ts';
import { byName } from './order.ts';
import { sendPage } from './page.ts';

test('a page that is read while the epoch changes has a tag and a cursor of the same epoch', async () => {
  const secrets = ['a-secret-of-the-tests-and-of-nobody-else'];
  let time = createCursors(secrets, () => 0).era('/list?').endsAt - 1;
  let readingMs = 0;
  const read = async () => {
    time += readingMs;
    const row = { revision: '1', documents: '{}\n{}', isFull: true, sortKey: 'a', id: 'a' };
    return { rows: [row], isKeepable: true };
  };
  const newestRevisions = createNewestRevisions();
  const parts = {
    answers: createAnswerCache({ newestRevisions, isListening: () => true, heardAt: () => 0, mostBytes: 0 }),
    budget: createByteBudget({ mostBytes: 1e6, mostWaiting: 0, longestWaitMs: 0, onWaited: () => {} }),
    progress: createProgressWatch(),
    hits: { remember: () => {} },
    isDraining: () => false,
    documents: { read } as unknown as Documents,
    cursors: createCursors(secrets, () => time),
    apiUrl: () => 'https://api.example',
    siteUrl: 'https://site.example',
  };
  const app = fastify();
  app.get('/list', (request, reply) =>
    sendPage(request, reply, parts, {
      path: '/list',
      query: new Map([['limit', '1']]),
      window: { from: undefined, to: undefined },
      scope: 'tournaments',
      notFound: errors.internalError,
      order: byName,
      statement: { name: 'list', text: '' },
      of: [],
    }),
  );
  const bodyByTag = new Map<unknown, string>();
  for (readingMs of [0, 1, 0]) {
    const { headers, body } = await app.inject('/list');
    assert.equal(bodyByTag.get(headers.etag) ?? body, body);
    bodyByTag.set(headers.etag, body);
  }
  assert.equal(bodyByTag.size, 2);
});
