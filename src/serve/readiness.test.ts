import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellUntilReady } from './readiness.ts';

test('a server says why it is not ready, again for another reason, and once that it is ready', async () => {
  const reasons = ['no database answers', 'no database answers', 'not migrated', undefined, 'no more'];
  const said: string[] = [];
  await tellUntilReady(
    {
      notReady: async () => reasons.shift(),
      logger: { warn: (text: string) => said.push(`warn ${text}`), info: (text: string) => said.push(text) },
      everyMs: 1,
    },
    new AbortController().signal,
  );
  assert.deepEqual(said, ['warn not ready: no database answers', 'warn not ready: not migrated', 'ready']);
});

test('a server that is ending says nothing more', async () => {
  const ending = new AbortController();
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  await tellUntilReady(
    {
      notReady: async () => {
        if (said.length > 0) ending.abort();
        return said.length > 0 ? 'draining' : 'no database answers';
      },
      logger: { warn: say, info: say },
      everyMs: 1,
    },
    ending.signal,
  );
  assert.deepEqual(said, ['not ready: no database answers']);
});
