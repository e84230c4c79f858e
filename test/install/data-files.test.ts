import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../scripts/postgres.ts';
import { withFolder } from '../proofs/proof.ts';
import { proxies, withoutProxies } from './proxies.ts';
import { ProxyCaller } from './proxy-caller.ts';

// The files of `wartable files` behind each proxy of deploy/, without a server of ours.

const skip = await withoutProxies();
for (const { program, start } of proxies) {
  test(`${program} offers the files, and only them`, { skip }, async () => {
    await withFolder(async (folder) => {
      const data = path.join(folder, 'wartable-files');
      await mkdir(data);
      // nginx reads as another user.
      await chmod(folder, 0o755);
      await writeFile(path.join(data, 'index.json'), '{}');
      await writeFile(path.join(data, 'battles-2026-04-0123456789abcdef.ndjson.gz'), 'bytes');
      const [api, site, ops, https] = [
        await freePort(),
        await freePort(),
        await freePort(),
        await freePort(),
      ];
      const proxy = await start(folder, { api, site, ops, https, data });
      const caller = new ProxyCaller(program, https, proxy.authority);
      try {
        await caller.untilAnswered({ path: '/data/index.json' });
        assert.deepEqual(await answerOf('/data/index.json'), [
          200,
          '{}',
          'no-cache',
          '*',
          'application/json',
        ]);
        assert.deepEqual(await answerOf('/data/battles-2026-04-0123456789abcdef.ndjson.gz'), [
          200,
          'bytes',
          'public, max-age=86400',
          '*',
          'application/gzip',
        ]);
        const gone = '/data/battles-2026-04-fedcba9876543210.ndjson.gz';
        assert.equal((await caller.ask({ path: gone })).status, 404);
        for (const outside of ['/data/..%2fCaddyfile', '/data/../nginx.conf', '/data../nginx.conf'])
          assert.notEqual((await caller.ask({ path: outside })).status, 200, outside);
        assert.ok([403, 404].includes((await caller.ask({ path: '/data/' })).status), 'no list of files');
      } finally {
        caller.close();
        await proxy.stop();
      }

      async function answerOf(address: string) {
        const { status, text, header } = await caller.ask({ path: address });
        assert.equal(header('content-encoding'), '');
        return [
          status,
          text,
          header('cache-control'),
          header('access-control-allow-origin'),
          header('content-type'),
        ];
      }
    });
  });
}
