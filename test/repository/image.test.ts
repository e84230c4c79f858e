import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settings } from '../../src/config/config.ts';
import { readCompose, readScaledCompose, requiredVariables } from '../../harness/support/compose.ts';

const root = new URL('../..', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
const lastStage = stages.at(-1) ?? '';
const settingNames = new Set(Object.values(settings).map(({ name }) => name));
const secrets = Object.fromEntries(requiredVariables.map((name) => [name, `${name}-${'x'.repeat(32)}`]));
const compose = readCompose(secrets);
const scaled = readScaledCompose(secrets);
const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('wartable'));
const wartable = ours.filter(([, { image }]) => image === 'wartable');
const serversOf = ({ services }: typeof compose) =>
  Object.keys(services).filter((name) => name.startsWith('server-'));

test('the image is built on the version of Node that .node-version names, and on one Debian', () => {
  const [, node, debian] = /^ARG NODE_IMAGE=node:(\d+)-(\w+)-slim$/m.exec(dockerfile) ?? [];
  assert.equal(node, read('.node-version').trim());
  // The program from one image must find its libraries in the other.
  assert.match(dockerfile, new RegExp(`^ARG BASE_IMAGE=debian:${debian}-slim$`, 'm'));
});

test('the last stage has no package manager of Node, no root user and a health check of /ready', () => {
  assert.equal(stages.length, 3);
  assert.match(lastStage, /^FROM \$\{BASE_IMAGE\}$/m);
  assert.doesNotMatch(lastStage, /\bnpm\b|apt-get/);
  const user = /^USER (\d+):(\d+)$/m.exec(lastStage);
  assert.ok(Number(user?.[1]) >= 1000 && Number(user?.[2]) >= 1000, `USER ${user?.[0]}`);
  assert.match(lastStage, /^HEALTHCHECK .*CMD \["node", .*OPS_PORT.*\/ready/m);
  assert.match(lastStage, /^ENTRYPOINT \["wartable"\]$/m);
});

test('every source of COPY exists, and .dockerignore lets in what the build needs and no more', () => {
  for (const [, sources = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const source of sources.split(' ')) assert.ok(existsSync(new URL(source, root)), source);
  }
  const [first, ...allowed] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(first, '*');
  for (const line of allowed) assert.ok(existsSync(new URL(line.replace(/^!/, ''), root)), line);
  const { bin } = JSON.parse(read('package.json')) as { bin: { wartable: string } };
  for (const needed of [
    'assets',
    'docs/api',
    'docs/recipes/client',
    'migrations',
    'openapi.json',
    'openapi-extra.json',
    'src',
    bin.wartable,
  ]) {
    assert.ok(
      allowed.some((line) => `${needed}/`.startsWith(`${line.slice(1)}/`)),
      `.dockerignore leaves ${needed} out`,
    );
  }
});

test('the stage of the tools has the programs of the PostgreSQL in compose.yaml', () => {
  const [, image] = /^FROM (postgres:\S+) AS tools$/m.exec(dockerfile) ?? [];
  assert.equal(image, compose.services['primary']?.image);
  assert.equal(image, scaled.services['replica']?.image);
});

test('the settings in Dockerfile and compose.yaml are settings of Wartable', () => {
  const [, ofImage = ''] = /^ENV (.+)$/m.exec(lastStage) ?? [];
  const names = ofImage.split(' ').map((pair) => pair.split('=')[0] ?? '');
  for (const [, { environment }] of [
    ...ours,
    ...Object.entries(scaled.services).filter(([name]) => name.startsWith('server-')),
  ])
    names.push(...Object.keys(environment ?? {}));
  assert.ok(names.length > 8);
  for (const name of names) assert.ok(settingNames.has(name), `${name} is no setting`);
});

test('compose.yaml has one server, compose.scale.yaml two; a migration runs before them, jobs only when asked', () => {
  assert.deepEqual(serversOf(compose), ['server-1']);
  assert.deepEqual(serversOf(scaled), ['server-1', 'server-2']);
  for (const { services } of [compose, scaled]) {
    const servers = serversOf({ ...compose, services });
    for (const name of servers)
      assert.deepEqual(services[name]?.depends_on, {
        migrate: { condition: 'service_completed_successfully' },
      });
    assert.deepEqual(services['caddy']?.depends_on, {
      nightly: { condition: 'service_started' },
      ...Object.fromEntries(servers.map((name) => [name, { condition: 'service_healthy' }])),
    });
  }
  const jobs = wartable.filter(([, { command }]) => command !== undefined);
  assert.deepEqual(jobs.map(([name]) => name).toSorted(), ['importer', 'migrate', 'owner']);
  for (const [name, { healthcheck }] of ours)
    if (name !== 'server-1') assert.equal(healthcheck?.disable, true, name);
});

test('the small installation has one database and no Redis, the other one adds a replica that all ask', () => {
  const others = (services: object) =>
    Object.keys(services).filter((name) => /primary|replica|redis/.test(name));
  assert.deepEqual(others(compose.services), ['primary']);
  assert.deepEqual(others(scaled.services), ['primary', 'replica', 'redis']);
  for (const name of ['owner', 'nightly', 'server-1', 'server-2']) {
    assert.equal(compose.services[name]?.environment?.['READ_URLS'], undefined);
    assert.match(scaled.services[name]?.environment?.['READ_URLS'] ?? '', /@replica:5432\/wartable$/);
  }
});

test('both write the published files where Caddy offers them, and fetch sheets', () => {
  for (const { services } of [compose, scaled]) {
    const mounts = (name: string) => services[name]?.volumes ?? [];
    assert.ok(mounts('nightly').includes('files:/srv/wartable-files'));
    assert.ok(mounts('caddy').includes('files:/srv/wartable-files:ro'));
    for (const name of ['server-1', 'nightly']) assert.equal(services[name]?.environment?.['TERMS_URL'], '');
    assert.match(services['server-1']?.environment?.['DATA_URL'] ?? '', /\/data$/);
    assert.deepEqual(services['sheets']?.entrypoint, ['sh', '/sheets.sh']);
    assert.ok(mounts('sheets').includes('./deploy/live-sheet.sh:/live-sheet.sh:ro'));
  }
});

test('every container of ours has a read-only root, a writable /tmp and no capability', () => {
  for (const [name, { read_only, tmpfs, cap_drop, init, user }] of ours) {
    assert.deepEqual(
      { read_only, tmpfs, cap_drop, init, user },
      { read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], init: true, user: undefined },
      name,
    );
  }
});

test('only Caddy is reached from outside, and by default only from this machine', () => {
  for (const [name, { ports }] of Object.entries(scaled.services)) {
    if (name !== 'caddy') assert.equal(ports, undefined, name);
    for (const port of ports ?? []) assert.match(port, /^127\.0\.0\.1:/);
  }
});

test('every password and secret is required, and the page makes each of them', () => {
  assert.deepEqual(requiredVariables, [
    'CURSOR_SECRETS',
    'IMPORTER_PASSWORD',
    'OWNER_PASSWORD',
    'POSTGRES_PASSWORD',
    'REPLICA_PASSWORD',
    'SERVER_PASSWORD',
  ]);
  for (const missing of requiredVariables) {
    const { [missing]: _, ...others } = secrets;
    assert.throws(() => readCompose(others), new RegExp(`^Error: ${missing}: see docs/install-image.md`));
  }
  const [, made = ''] = /^for name in (.+); do$/m.exec(read('docs/install-image.md')) ?? [];
  assert.deepEqual(made.split(' ').toSorted(), requiredVariables);
  const values = Object.values(scaled.services).flatMap(({ environment }) =>
    Object.entries(environment ?? {}),
  );
  for (const [name, value] of values) {
    if (/PASSWORD|SECRET/.test(name)) assert.match(value, /x{32}$/, name);
    if (/DATABASE_URL|READ_URLS/.test(name)) assert.match(value, /:[A-Z_]+-x{32}@/, name);
  }
});

test('every file that compose.yaml mounts exists, and every volume is declared', () => {
  const used = Object.values(scaled.services).flatMap(({ volumes }) => volumes ?? []);
  for (const volume of used) {
    const [source = ''] = volume.split(':');
    // The folder of the sheets belongs to the operator.
    if (source === './sheets') continue;
    if (source.startsWith('./')) assert.ok(existsSync(new URL(source, root)), source);
    else assert.ok(source in scaled.volumes, source);
  }
  const mounted = new Set(used.map((volume) => volume.split(':')[0]?.slice('./'.length)));
  for (const file of globSync('deploy/compose/*', { cwd: root })) assert.ok(mounted.has(file), file);
});

test('the Caddyfile names the servers of compose.yaml and the ports of Wartable', () => {
  const caddyfile = read('deploy/compose/Caddyfile');
  const ports = [settings.apiPort, settings.sitePort].map((setting) => setting.default);
  assert.deepEqual(
    [...caddyfile.matchAll(/reverse_proxy (.+) \{/g)].map(([, upstreams]) => upstreams),
    ['{$API_SERVERS}', '{$SITE_SERVERS}'],
  );
  for (const each of [compose, scaled]) {
    const { API_SERVERS, SITE_SERVERS } = each.services['caddy']?.environment ?? {};
    assert.deepEqual(
      [API_SERVERS, SITE_SERVERS],
      ports.map((port) =>
        serversOf(each)
          .map((name) => `${name}:${port}`)
          .join(' '),
      ),
    );
  }
  assert.match(caddyfile, new RegExp(`health_port ${settings.opsPort.default}$`, 'm'));
});

test('a key may send 600 requests a minute unless RATE_LIMIT says otherwise, and Redis keeps nothing', () => {
  const server = scaled.services['server-2'];
  assert.equal(String(server?.environment?.['RATE_LIMIT']), '600');
  assert.equal(server?.environment?.['REDIS_URL'], 'redis://redis:6379');
  for (const limit of ['', '90']) {
    const limited = readCompose({ ...secrets, RATE_LIMIT: limit }).services['server-1'];
    assert.equal(String(limited?.environment?.['RATE_LIMIT']), limit);
  }
  const { command, volumes } = scaled.services['redis'] ?? {};
  assert.equal(command?.slice(0, 3).join(' '), 'redis-server --save ');
  assert.equal(volumes, undefined);
});

test('a server believes the addresses that Caddy sends from the network, and from no other', () => {
  const own = readScaledCompose({ ...secrets, SUBNET: '10.77.0.0/24' });
  for (const { services, networks } of [scaled, own]) {
    const [{ subnet }] = networks.default.ipam.config;
    for (const name of ['server-1', 'server-2'])
      assert.equal(services[name]?.environment?.['TRUST_PROXY'], subnet);
  }
  assert.equal(own.networks.default.ipam.config[0].subnet, '10.77.0.0/24');
});

test('the page saves the database before a new version, publishes after it and asks the doctor', () => {
  const page = read('docs/install-image.md');
  const [, steps = ''] = page.split('## A new version\n');
  const order = ['wartable backup ', 'git pull', 'run --rm migrate', 'server-1'];
  const places = [...order, 'importer publish', 'owner doctor'].map((step) => steps.indexOf(step));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(places[0] !== undefined && places[0] >= 0);
  assert.ok(page.split('## What runs')[0]?.includes('docker compose run --rm -T owner doctor\n'));
});

test('PostgreSQL 18 and newer keep their data below /var/lib/postgresql: the volume is there', () => {
  for (const name of ['primary', 'replica']) {
    const { image = '', volumes } = scaled.services[name] ?? {};
    assert.ok(Number(/^postgres:(\d+)-/.exec(image)?.[1]) >= 18, image);
    assert.ok(volumes?.includes(`${name}:/var/lib/postgresql`));
  }
});
