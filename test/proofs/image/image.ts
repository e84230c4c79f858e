import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { installedFlags } from '../../../bench/installed-flags.ts';
import { readCompose } from '../../support/compose.ts';
import { type Proof, timed, withFolder } from '../proof.ts';
import { buildImage, debianRoot } from './build.ts';
import { type Container, createNetwork } from './container.ts';
import { output } from './output.ts';
import { createServices, type Services } from './services.ts';

const mostMegabytes = 300;
const root = new URL('../../..', import.meta.url);

/**
 * Builds the Dockerfile and runs compose.yaml as docs/install-image.md says, without Docker and without a registry. It needs
 * root, and Debian's packages buildah and debootstrap. The first run takes minutes longer: it makes two Debian roots.
 */
export const image: Proof = async ({ size }) => {
  if (process.getuid?.() !== 0) throw new Error('This proof creates namespaces and mounts: run it as root.');
  const requests = size === 'stated' ? 10_000 : 500;
  return withFolder(async (folder) => {
    const neighbours = await debianRoot('neighbours', ['postgresql', 'caddy']);
    const built = await buildImage(folder);
    const compose = readCompose(await environmentOfThePage(folder));
    const network = await createNetwork(
      folder,
      Object.keys(compose.services),
      compose.networks.default.ipam.config[0].subnet,
    );
    try {
      assert.ok(built.megabytes <= mostMegabytes, `the image has ${built.megabytes} MB`);
      const services = createServices(compose, built, neighbours, network, folder);
      const up = await bringUp(services);
      return [
        `The image has ${built.megabytes} MB in all its layers without compression, ${built.baseMegabytes} MB of them the Debian below it (debootstrap, minbase, without documentation); must be at most ${mostMegabytes} MB.`,
        `From empty volumes to two healthy servers and Caddy: ${up.seconds.toFixed(1)} s, each service of compose.yaml in its order, with its command, settings and mounts (PostgreSQL ${up.version} and Caddy are Debian's; the entry point of PostgreSQL's image is a stand-in).`,
        await rightsOf(up.servers[0], built.root),
        await firstRequests(services, up),
        await rollingRestart(services, up, requests),
        await healthWithoutDatabase(services, up),
      ];
    } finally {
      await network.remove();
      await built.unmount();
    }
  });
};

const page = await readFile(new URL('docs/install-image.md', root), 'utf8');

/** Runs the command of the page that makes `.env`. */
async function environmentOfThePage(folder: string): Promise<Record<string, string>> {
  const [, script = ''] = /^```sh\n(for name in .*?)^```$/ms.exec(page) ?? [];
  await promisify(execFile)('sh', ['-euc', script], { cwd: folder });
  return parseEnv(await readFile(path.join(folder, '.env'), 'utf8')) as Record<string, string>;
}

interface Up {
  seconds: number;
  version: string;
  primary: Container;
  replica: Container;
  servers: [Container, Container];
  caddy: Container;
  /** Known after the first requests. */
  key: string;
}

/** In the order of `depends_on`. */
async function bringUp(services: Services): Promise<Up> {
  const began = performance.now();
  const primary = await services.start('primary');
  await services.untilHealthy('primary', primary);
  const [replica, migrate] = [await services.start('replica'), await services.start('migrate')];
  assert.equal(await migrate.ended, 0, migrate.printed());
  await services.untilHealthy('replica', replica);
  const servers: [Container, Container] = [
    await services.start('server-1'),
    await services.start('server-2'),
  ];
  await services.untilHealthy('server-1', servers[0]);
  await services.untilHealthy('server-2', servers[1]);
  const caddy = await services.start('caddy');
  await answers(caddy);
  const seconds = (performance.now() - began) / 1_000;
  const followers = await asSuperuser(primary, 'select state from pg_stat_replication');
  assert.equal(followers, 'streaming');
  const version = await asSuperuser(primary, 'show server_version');
  return { seconds, version: version.split(' ')[0] ?? '', primary, replica, servers, caddy, key: '' };
}

async function asSuperuser(primary: Container, statement: string): Promise<string> {
  const { code, printed } = await primary.exec([
    'setpriv',
    '--reuid',
    'postgres',
    '--regid',
    'postgres',
    '--clear-groups',
    'psql',
    '-h',
    '/tmp',
    '-U',
    'postgres',
    '-d',
    'wartable',
    '-Atc',
    statement,
  ]);
  assert.equal(code, 0, printed);
  return printed;
}

async function answers(caddy: Container): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`http://${caddy.address}/`).catch(() => {});
    if (response?.status === 200) return;
    if (attempt > 100) assert.fail(`Caddy does not answer:\n${caddy.printed()}`);
    await sleep(100);
  }
}

async function rightsOf(server: Container, files: string): Promise<string> {
  const status = await readFile(`/proc/${await server.pid()}/status`, 'utf8');
  assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
  assert.match(status, /^CapBnd:\t0+$/m);
  const { printed: command } = await server.exec(['cat', '/proc/1/cmdline']);
  const flags = await installedFlags();
  assert.equal(
    command.replaceAll('\0', ' ').trim(),
    ['node', ...flags, '/usr/local/bin/wartable', 'serve'].join(' '),
  );
  for (const place of ['/', '/opt/wartable', '/etc', '/var/tmp']) {
    const { code, printed } = await server.exec(['touch', `${place}/new`]);
    assert.ok(code !== 0 && printed.includes('Read-only file system'), `${place}: ${printed}`);
  }
  assert.equal((await server.exec(['touch', '/tmp/new'])).code, 0);
  // Neither devices nor folders such as /tmp, where users cannot remove the files of others.
  const find = '-xdev -type f,d ( -uid 1000 -o -perm -o=w ) ! -perm -1000'.split(' ');
  const writable = await output('find', [files, ...find]);
  assert.equal(writable, '');
  const { code } = await server.exec(['sh', '-c', 'command -v npm || command -v gcc || command -v curl']);
  assert.notEqual(code, 0);
  return 'The first process is `node` with the memory flag, as user 1000 without capabilities, on a read-only root with a writable `/tmp`. No file of the image belongs to this user. There is no npm, compiler or curl.';
}

/** The requests of the README, after the commands of the page. */
async function firstRequests(services: Services, up: Up): Promise<string> {
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const [club = ''] = /^\{"kind":"club".*\}/m.exec(readme.replaceAll("echo '", '')) ?? [];
  assert.ok(page.includes(`echo '${club}' |\n  docker compose run --rm -T importer import -\n`));
  await done(await services.start('importer', ['import', '-'], club));
  assert.ok(page.includes('docker compose run --rm -T owner keys create --account "First steps"'));
  const key = await done(await services.start('owner', ['keys', 'create', '--account', 'First steps']));
  up.key = key;
  const { caddy } = up;
  const wanted = [
    [undefined, 401, 'Missing or invalid Authorization header'],
    ['something', 401, 'Invalid API key format'],
    ['svc_v1_something', 401, 'Invalid API key'],
    [key, 200, 'Würfelbund Nordtor'],
  ] as const;
  for (const [given, status, said] of wanted) {
    const response = await fetch(`http://${caddy.address}/api/v1/clubs/north-gate`, {
      headers: given === undefined ? {} : { authorization: `Bearer ${given}` },
    });
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.ok(text.includes(`"${said}"`), text);
    if (status === 200) assert.ok(text.includes('"url":"http://localhost:8080/clubs/north-gate"'), text);
  }
  assert.ok(page.includes('docker compose run --rm -T importer world --battles 2000 |'));
  const season = await done(await services.start('importer', ['world', '--battles', '2000']));
  await done(await services.start('importer', ['import', '-'], `${season}\n`));
  await runCommandsAfterUpgrade(services);
  const front = await (await fetch(`http://${caddy.address}/tournaments`)).text();
  assert.match(front, /href="\/tournaments\/[^"]+"/);
  return 'Through Caddy, after the commands of the page: the three 401s and the 200 of the README, and the pages of an imported season. The doctor finds no fault.';
}

async function runCommandsAfterUpgrade(services: Services): Promise<void> {
  assert.ok(page.includes('docker compose run --rm -T importer publish\n'));
  await done(await services.start('importer', ['publish']));
  assert.ok(page.includes('docker compose run --rm -T owner doctor\n'));
  await done(await services.start('owner', ['doctor']));
}

async function done(container: Container): Promise<string> {
  assert.equal(await container.ended, 0, container.printed());
  return container.standardOutput().trim();
}

/** While requests come in through Caddy, the servers are stopped with SIGTERM and started again, in turn. */
async function rollingRestart(services: Services, up: Up, requests: number): Promise<string> {
  const seen = new Map<string, number>();
  const over = new AbortController();
  const headers = { authorization: `Bearer ${up.key}` };
  const ask = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const outcome = await fetch(`http://${up.caddy.address}/api/v1/clubs/north-gate`, { headers }).then(
        async (response) => (await response.text(), String(response.status)),
        (error: Error) => error.message,
      );
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  };
  const callers = Array.from({ length: 4 }, ask);
  const stops: number[] = [];
  try {
    for (let turn = 0; turn < 2 || sum(seen) < requests; turn += 1) {
      const name = turn % 2 === 0 ? 'server-1' : 'server-2';
      const server = up.servers[turn % 2] as Container;
      const drain = async () => {
        await server.signal('SIGTERM');
        assert.equal(await server.ended, 0, server.printed().slice(-2_000));
      };
      stops.push(await timed(drain));
      const next = await services.start(name);
      await services.untilHealthy(name, next);
      up.servers[turn % 2] = next;
      // Caddy asks every second.
      await sleep(2_000);
    }
  } finally {
    over.abort();
    await Promise.all(callers);
  }
  assert.deepEqual([...seen.keys()], ['200'], JSON.stringify([...seen]));
  return `While the servers were stopped with SIGTERM and started again in turn, ${stops.length} times: ${sum(seen)} requests to the API through Caddy, 0 failed. Each server drained and exited with 0, after at most ${Math.max(...stops).toFixed(1)} s.`;
}

function sum(seen: Map<string, number>): number {
  return [...seen.values()].reduce((total, count) => total + count, 0);
}

/** A server stays ready while the replica answers. Without both databases its health check fails, and it recovers. */
async function healthWithoutDatabase(services: Services, up: Up): Promise<string> {
  const [server] = up.servers;
  const stop = async (database: Container) => {
    await database.signal('SIGINT');
    assert.equal(await database.ended, 0, database.printed().slice(-2_000));
  };
  assert.deepEqual(await services.check('server-1', server), { code: 0, printed: '{"ready":true}' });
  await stop(up.primary);
  assert.equal((await services.check('server-1', server)).code, 0);
  await stop(up.replica);
  const { code, printed } = await services.check('server-1', server);
  assert.equal(code, 1, printed);
  assert.match(printed, /"ready":false,"reason":"no database answers/);
  up.primary = await services.start('primary');
  await services.untilHealthy('primary', up.primary);
  const seconds = await services.untilHealthy('server-1', server);
  up.replica = await services.start('replica');
  await services.untilHealthy('replica', up.replica);
  return `The HEALTHCHECK command succeeds while the server is ready, also without the primary. When the replica stops, too, it fails with 1 and prints ${printed}. ${seconds.toFixed(1)} s after the primary is back it succeeds again. Primary and replica started on their old volumes.`;
}
