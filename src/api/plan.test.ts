import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageBasesOf } from '../read/page-address.ts';
import { errors } from '../contract/errors.ts';
import { createCursors } from './cursor.ts';
import { byName } from './order.ts';
import { listPlan } from './plan.ts';

test('a page that is read while the epoch changes has an identity and a cursor of the same epoch', () => {
  const secrets = ['a-secret-of-the-tests-and-of-nobody-else'];
  let time = createCursors(secrets, () => 0).cursorEpoch('/list?').endsAt - 1;
  const parts = {
    cursors: createCursors(secrets, () => time),
    apiUrl: () => 'https://api.example',
    siteUrl: 'https://site.example',
    pageBases: pageBasesOf('https://site.example'),
  };
  const row = { revision: '1', documents: '{}\n{}', isFull: true, sortKey: 'a', id: 'a' };
  const plan = () =>
    listPlan(parts, {
      path: '/list',
      query: new Map([['limit', '1']]),
      scope: 'tournaments',
      notFound: errors.internalError,
      order: byName,
      statement: { name: 'list', text: '' },
    });
  const contents = new Map<string, string>();
  for (const readingMs of [0, 1, 0]) {
    const { identity, content } = plan();
    time += readingMs;
    const body = content(row, [row]).toString();
    const key = JSON.stringify(identity);
    assert.equal(contents.get(key) ?? body, body);
    contents.set(key, body);
  }
  assert.equal(contents.size, 2);
});
