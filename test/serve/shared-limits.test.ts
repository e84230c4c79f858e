import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../harness/support/database.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { startRedis, withoutRedis } from '../../harness/support/redis.ts';
import {
  bearer,
  createTestKey,
  eventually,
  get,
  startTestServer,
  type TestServer,
} from '../../harness/support/server.ts';

// Three instances count in one Redis.

test(
  'three instances share a limit; without Redis each limits by itself',
  { skip: withoutRedis },
  async (t) => {
    const redis = await startRedis();
    atEnd(() => redis.kill());
    const database = await createTestDatabase();
    await publishWorld(database.pool);
    const login = await database.loginAs('wartable_serve');
    const servers: TestServer[] = [];
    for (let i = 0; i < 3; i += 1)
      servers.push(await startTestServer(login, { rateLimit: 10, redisUrl: redis.url }));

    const untilShared = (shared: string) =>
      eventually(async () => {
        for (const { opsUrl } of servers) {
          const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
          assert.match(metrics, new RegExp(`^wartable_limits_shared ${shared}$`, 'm'));
        }
      });
    /** Returns how many of 45 requests with a new key passed. */
    const passed = async () => {
      const { key } = await createTestKey(database);
      const statuses = [];
      for (let i = 0; i < 45; i += 1)
        statuses.push((await get(`${servers[i % 3]?.apiUrl}/nowhere`, bearer(key))).status);
      assert.ok(
        statuses.every((status) => status === 404 || status === 429),
        statuses.join(),
      );
      return statuses.filter((status) => status === 404).length;
    };

    /** Retried because on a busy machine a command may take longer than a server waits for it. */
    const assertShared = async () => {
      await untilShared('1');
      await eventually(async () => assert.equal(await passed(), 10));
    };

    await t.test('shared', async () => {
      await assertShared();
    });
    await t.test('killed', async () => {
      await redis.kill();
      await untilShared('0');
      assert.equal(await passed(), 30);
      await eventually(async () => assert.match(servers[0]?.log() ?? '', /Redis does not answer/));
    });
    await t.test('started again', async () => {
      await redis.start();
      await assertShared();
    });
    await t.test('frozen, and awake again', async () => {
      redis.freeze();
      assert.equal(await passed(), 30);
      await untilShared('0');
      redis.thaw();
      await assertShared();
    });
  },
);
