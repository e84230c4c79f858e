import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startPostgres } from '../../harness/support/postgres.ts';
import { startGuardedPostgres } from '../../src/throwaway/guarded-postgres.ts';
import { createCluster, nativeFolder, startCluster } from '../../src/throwaway/postgres.ts';
import { reasonOf } from '../../src/throwaway/reason.ts';
import { spawnServer, startWithPgCtl } from '../../src/throwaway/server-process.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { eventually } from '../../harness/support/eventually.ts';

// Other users of the machine can reach a throwaway PostgreSQL, because it listens on TCP. A superuser can run
// programs as the user of the server, so only the user who started it may connect.

const isRoot = process.getuid?.() === 0;
const postgres = await startPostgres();
atEnd(() => postgres.remove());
const standby = await postgres.startStandby();
const guarded = await startGuardedPostgres({ command: 'demo' }, (remove) => atEnd(remove));
const servers = { 'the tests': postgres.url, 'a standby': standby.url, 'the demo': guarded.url };

for (const [whose, url] of Object.entries(servers)) {
  const { password } = new URL(url);

  test(`the PostgreSQL of ${whose} refuses whoever does not know its password`, async () => {
    for (const guess of ['', 'postgres', password.slice(1)])
      for (const replication of [undefined, 'true'])
        await asSomebodyElse(() => assert.rejects(connect(url, guess, replication), /password/));
    await connect(url, password);
  });

  test(`the password for ${whose} is long, and in no file that others can read`, async () => {
    assert.match(password, /^[\w-]{32,}$/);
    const folder = path.dirname(await dataOf(url));
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    if (isRoot) await asSomebodyElse(() => assert.rejects(readdir(folder), { code: 'EACCES' }));
    for (const file of await filesWith(password, folder)) {
      assert.equal(path.basename(file), 'postgresql.auto.conf', 'only a standby needs it');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    }
  });
}

const skip = process.platform === 'linux' ? false : 'no /proc here';
test('the passwords are not in the arguments of any program', { skip }, async () => {
  // A standby looks for its primary only after it has started.
  let programs = '';
  await eventually(async () => {
    programs = await argumentsOfAll();
    for (const part of ['postgres-guard', 'walreceiver']) assert.ok(programs.includes(part), part);
  });
  for (const url of Object.values(servers)) assert.ok(!programs.includes(new URL(url).password));
});

test('initdb reads the password from a file that only its user can read, and that goes again', async () => {
  const native = await nativeWithInitdb(
    `(printf '%s\\n' "$@"; ls -ld "$PWD"; ls -l "$PWD") > seen\nexec "$0-itself" "$@"\n`,
  );
  const { folder, password } = await createCluster(native);
  atEnd(() => rm(folder, { recursive: true }));
  const seen = await readFile(path.join(folder, 'seen'), 'utf8');
  assert.ok(!seen.includes(password));
  const [, file = ''] = /^--pwfile=(.+)$/m.exec(seen) ?? [];
  assert.match(seen, new RegExp(`^-rw-------.* ${path.basename(file)}$`, 'm'));
  assert.match(seen, /^drwx------/m);
  assert.deepEqual(await filesWith(password, folder), []);
});

test('PostgreSQL may be installed in a folder whose name is not UTF-8, as Windows gives it to initdb', async () => {
  const native = await nativeWithInitdb(`share="$PWD/$(printf 'J\\366rg')"
ln -s "\${0%/*}/../share/postgresql" "$share"
"$0-itself" -L "$share" "$@"
code=$?
rm "$share"
exit $code
`);
  const server = await startCluster(await createCluster(native, true));
  atEnd(() => server.remove());
  for (const database of ['postgres', 'made_later']) {
    const client = new pg.Client({ connectionString: server.url.replace(/postgres$/, database) });
    await client.connect();
    try {
      const { rows } = await client.query(
        `select current_setting('server_encoding') as encoding, length('Jörg') as letters`,
      );
      assert.deepEqual(rows, [{ encoding: 'UTF8', letters: 4 }]);
      if (database === 'postgres') await client.query('create database made_later');
    } finally {
      await client.end();
    }
  }
});

test('pg_ctl, which Windows needs, starts, stops and removes a server here, too', async () => {
  const cluster = await createCluster(nativeFolder() ?? '');
  const server = await startCluster(cluster, startWithPgCtl);
  atEnd(() => server.remove());
  const { password } = new URL(server.url);
  await connect(server.url, password);
  assert.ok(process.kill(server.pid(), 0));
  await server.stop();
  await assert.rejects(connect(server.url, password), { code: 'ECONNREFUSED' });
  await server.start();
  await connect(server.url, password);
  await server.remove();
  await assert.rejects(stat(cluster.folder), { code: 'ENOENT' });
  await assert.rejects(connect(server.url, password), { code: 'ECONNREFUSED' });
});

for (const startServer of [spawnServer, startWithPgCtl]) {
  test(`${startServer.name} reports PostgreSQL's own sentence when it does not start`, async () => {
    const cluster = await createCluster(nativeFolder() ?? '');
    await writeFile(path.join(cluster.data, 'PG_VERSION'), '7\n');
    const reason = await startCluster(cluster, startServer).then(() => undefined, reasonOf);
    assert.deepEqual(reason, { problem: 'database files are incompatible with server' });
    await assert.rejects(stat(cluster.folder), { code: 'ENOENT' });
  });
}

/** Returns a copy of the installed PostgreSQL in which a shell script stands before `initdb-itself`. */
async function nativeWithInitdb(script: string): Promise<string> {
  const native = await mkdtemp(path.join(tmpdir(), 'wartable-native-'));
  atEnd(() => rm(native, { recursive: true }));
  // If root runs the tests, PostgreSQL runs as nobody.
  await chmod(native, 0o755);
  await cp(nativeFolder() ?? '', native, { recursive: true, verbatimSymlinks: true });
  const initdb = path.join(native, 'bin/initdb');
  await rename(initdb, `${initdb}-itself`);
  await writeFile(initdb, `#!/bin/sh\n${script}`, { mode: 0o755 });
  return native;
}

async function connect(url: string, password: string, replication?: string): Promise<void> {
  const { hostname: host, port, username: user } = new URL(url);
  // The password is a function because for an empty one the driver would look into one of our files.
  const config = { host, port: Number(port), user, database: user, password: () => password, replication };
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

async function dataOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

/** Works as a user who owns nothing here. Only root can do that; other users stay who they are. */
async function asSomebodyElse(work: () => Promise<void>): Promise<void> {
  if (isRoot) process.seteuid?.(12_345);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

async function filesWith(secret: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    // PostgreSQL may remove a file in the meantime.
    const content = entry.isFile() ? await readFile(file).catch(() => undefined) : undefined;
    if (content?.includes(secret) === true) found.push(file);
  }
  return found;
}

async function argumentsOfAll(): Promise<string> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const each = all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(each)).join('\n');
}
