import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellUntilReady } from './readiness.ts';

test('a server says why it is not ready, again for another reason, and once that it is ready', async () => {
  const reasons = ['no database answers', 'no database answers', 'not migrated', undefined, 'no more'];
  const t: string[] = [];
  await tellUntilReady(
    {
      notReady: async () => reasons.shift(),
      logger: { warn: (text: string) => t.push(`warn ${text}`), info: (text: string) => t.push(text) },
      everyMs: 1,
    },
    new AbortController().signal,
  );
  assert.deepEqual(t, ['warn not ready: no database answers', 'warn not ready: not migrated', 'ready']);
});

test('a server that is ending says nothing more', async () => {
  const ending = new AbortController();
  const t: string[] = [];
  const say = (text: string) => t.push(text);
  await tellUntilReady(
    {
      notReady: async () => {
        if (t.length > 0) ending.abort();
        return t.length > 0 ? 'draining' : 'no database answers';
      },
      logger: { warn: say, info: say },
      everyMs: 1,
    },
    ending.signal,
  );
  assert.deepEqual(t, ['not ready: no database answers']);
});
