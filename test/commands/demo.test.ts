import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { endDemo, paste, untilWelcomed } from '../../harness/support/demo.ts';
import { runSample } from '../guides/run-sample.ts';
import { root } from '../../harness/guides/samples.ts';
import { allFacts, importLines } from '../../harness/support/feed.ts';
import { bearer, eventually, get } from '../../harness/support/server.ts';

// Starts `wartable demo` and `npm run dev` as a person does. Their PostgreSQL is in a folder of this test.

const scratch = await mkdtemp(path.join(tmpdir(), 'wartable-demo-'));
// If root runs the tests, PostgreSQL runs as nobody.
await chmod(scratch, 0o755);
atEnd(() => rm(scratch, { recursive: true }));

test('it plays an event from round 1 on, its requests work when pasted, and SIGTERM leaves nothing', async (t) => {
  const child = spawnDemo({});
  const welcomed = untilWelcomed(child);
  await once(child.stdout, 'data');
  // The ports are taken after the demo has first looked at them.
  for (const port of [3000, 3001, 9090]) await take(t, port);
  const demo = await welcomed;
  const [apiPort] = /^Port 3000 is taken: the API is on (\d+)\.$/m.exec(demo.output())?.slice(1) ?? [];
  assert.equal(new URL(demo.api).port, apiPort);
  assert.match(demo.output(), /^Port 3001 is taken: the site is on \d+\.$/m);
  assert.match(demo.output(), /^Port 9090 is taken: the private listener is on \d+\.$/m);
  // Whoever knows an address with its password is a superuser there.
  assert.doesNotMatch(demo.output(), /postgres:/);
  const long = demo
    .output()
    .split('\n')
    .find((line) => line.length > 80 && !/^\s*"?http/.test(line));
  assert.equal(long, undefined);

  assert.equal(demo.curls.length, 3);
  for (const curl of demo.curls) assert.ok((await paste(curl)).data.length > 0, curl);
  // One command and one paste: the first request on the site has the key in it.
  const guides = await (await fetch(new URL('/docs', demo.page))).text();
  const [, first = ''] = /<pre[^>]*><code>(curl [^<]*)<\/code>/.exec(guides) ?? [];
  const pasted = await paste(first.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  assert.equal(pasted.data.length, 1, first);
  assert.equal((await fetch(demo.page)).status, 200);
  for (const [, address = ''] of demo.output().matchAll(/on (http\S+?)[.,]? /g))
    assert.equal((await fetch(address)).status, 200, address);
  assert.equal((await get(`${demo.api}/clubs/north-gate`, bearer(demo.key))).status, 200);

  const battles = async () => {
    const { json } = await get(`${demo.api}/tournaments/${demo.slug}/battles?limit=100`, bearer(demo.key));
    return (json as { data: { round: number; players: { outcome: string | null }[] }[] }).data;
  };
  const paired = await battles();
  assert.ok(paired.every(({ round }) => round === 1));
  const finished = async () => (await battles()).filter(({ players }) => players[0]?.outcome !== null).length;
  const before = await finished();
  await eventually(async () => assert.ok((await finished()) > before + 1));

  const [exports = ''] = /^ {2}export API=.*\n {2}export KEY=.*$/m.exec(demo.output()) ?? [];
  for (const [program, ...recipe] of clientsAndRecipes) {
    const { stdout } = await runSample(`${exports}\n${program}`, {}, ...recipe);
    assert.ok(stdout.trim().length > 0, program);
  }

  await endDemo(demo.child);
  assert.deepEqual(await readdir(scratch), []);
});

test('Ctrl-C while it starts leaves nothing, and a kill of the demo takes its PostgreSQL along', async () => {
  const child = spawnDemo({});
  const errors = text(child.stderr);
  for await (const chunk of child.stdout) if (String(chunk).includes('Recording')) break;
  await endDemo(child, 'SIGINT');
  assert.deepEqual(await readdir(scratch), []);
  assert.equal(await errors, '');

  const killed = spawnDemo({});
  for await (const chunk of killed.stdout) if (String(chunk).includes('Recording')) break;
  killed.kill('SIGKILL');
  await eventually(async () => assert.deepEqual(await readdir(scratch), []));
});

test('what a killed guard left is removed by the next run, and what runs is not', async () => {
  const dead = spawn(process.execPath, ['--version']);
  await once(dead, 'exit');
  const left = path.join(scratch, `wartable-postgres-${dead.pid}-abcdef`);
  const inUse = path.join(scratch, `wartable-postgres-${process.pid}-abcdef`);
  await mkdir(path.join(left, 'data'), { recursive: true });
  await mkdir(inUse);
  const child = spawnDemo({});
  for await (const chunk of child.stdout) if (String(chunk).includes('Recording')) break;
  await endDemo(child);
  assert.deepEqual(await readdir(scratch), [path.basename(inUse)]);
  await rmdir(inUse);
});

test('with DATABASE_URL it can run twice: the results stay, events of before go, and the key ends with it', async () => {
  const database = await createTestDatabase();
  const first = await untilWelcomed(spawnDemo({ DATABASE_URL: database.url }));
  assert.doesNotMatch(first.output(), /PostgreSQL/);
  await endDemo(first.child, 'SIGHUP');
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from keys.key where revoked_at is null',
  );
  assert.equal(rows[0]?.count, 0);
  // As if the previous demo had reached its next event.
  await database.pool.query(`update record.tournament set slug = slug || 'zz' where slug = $1`, [first.slug]);

  const second = await untilWelcomed(spawnDemo({ DATABASE_URL: database.url }));
  const { rows: slugs } = await database.pool.query<{ slug: string }>(
    'select slug from record.tournament where slug like $1',
    [`${first.slug}%`],
  );
  assert.deepEqual(slugs, [{ slug: first.slug }]);
  await endDemo(second.child);
});

test('it writes nothing into a database with results of a feed, or with an account', async () => {
  const database = await createTestDatabase();
  const client = await database.pool.connect();
  await importLines(client, [{ kind: 'club', slug: 'real-club', name: 'Real Club' }]);
  const before = await allFacts(client);
  const sentence = (found: string) =>
    `wartable: The database in DATABASE_URL is in use (it has the ${found}), and the demo writes invented results: give it an empty database, or run it without DATABASE_URL.\n`;
  assert.deepEqual(await failure({ DATABASE_URL: database.url }), [2, sentence('club real-club')]);
  assert.deepEqual(await allFacts(client), before);

  await importLines(client, [{ kind: 'remove', of: 'club', id: 'real-club' }]);
  await client.query(`insert into keys.account (name) values ('Real Account')`);
  assert.deepEqual(await failure({ DATABASE_URL: database.url }), [2, sentence('account Real Account')]);
  client.release();
});

test('without the optional package it says in one sentence what to do', async () => {
  const hook = `import module, { syncBuiltinESMExports } from 'node:module';
    module.findPackageJSON = () => undefined;
    syncBuiltinESMExports();`;
  const [code, said] = await failure({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
  });
  assert.equal(
    said,
    'wartable: There is no PostgreSQL for the demo: set DATABASE_URL to an empty database, or install Wartable again with its optional dependencies (`npm install --include=optional`).\n',
  );
  assert.equal(code, 2);
});

for (const [setting, listener] of [
  ['API', 'API'],
  ['SITE', 'site'],
  ['OPS', 'private listener'],
] as const) {
  test(`a taken ${setting}_PORT is one sentence, and no PostgreSQL stays`, async (t) => {
    const other = await take(t, 0);
    assert.ok(other);
    const { port } = other.address() as AddressInfo;
    assert.deepEqual(await failure({ [`${setting}_PORT`]: String(port) }), [
      2,
      `wartable: The ${listener} cannot listen on 127.0.0.1:${port}: the port is taken: set ${setting}_PORT to another, or end the program that has it.\n`,
    ]);
    assert.deepEqual(await readdir(scratch), []);
  });
}

const year = new Date().getUTCFullYear() - 1;
const lastYear = `${year}-01-01 ${year}-12-31`;
/** Programs that follow `next`, each run in its own folder. */
const clientsAndRecipes: [program: string, folder?: string][] = [
  [
    `node --input-type=module -e 'import { Wartable } from "./wartable.mjs";
      const api = new Wartable({ baseUrl: process.env.API, key: process.env.KEY, pageSize: 5 });
      for await (const { name } of api.tournaments.list()) console.log(name);'`,
    path.join(root, 'docs/recipes/client'),
  ],
  [
    `python3 -c 'import os
from wartable import Wartable
for row in Wartable(os.environ["API"], os.environ["KEY"], page_size=5).tournaments.list(): print(row["name"])'`,
    path.join(root, 'docs/recipes/client'),
  ],
  [`node docs/recipes/win-rates.mjs ${lastYear}`],
  [`python3 docs/recipes/win-rates.py ${lastYear}`],
];

function spawnDemo(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['src/cli.ts', 'demo'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, TMPDIR: scratch, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // It is still running only after a failure.
  atEnd(async () => void child.kill());
  return child;
}

/** Returns the exit code and the standard error of a demo that does not start. */
async function failure(environment: Record<string, string>): Promise<[number, string]> {
  const child = spawnDemo(environment);
  child.stdout.resume();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [code as number, errors];
}

/** Listens on the port until the test ends. Returns undefined if another program already does. */
async function take(t: TestContext, port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  t.after(() => server.close());
  return server.unref();
}
