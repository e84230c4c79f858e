import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { settings } from '../../src/config/config.ts';
import { withFolder } from '../../harness/proofs/proof.ts';
import { scriptWithExceptions } from '../../harness/install/install-debian.ts';
import { scriptOf } from '../../harness/install/install-page.ts';
import { deployed, isInstalled } from '../../harness/install/proxies.ts';

const root = path.resolve(import.meta.dirname, '../..');
const deploy = path.join(root, 'deploy');
const units = [
  'wartable-serve@.service',
  'wartable-import@.service',
  'wartable-import.socket',
  'wartable-files.service',
  'wartable-files.timer',
  'wartable-backup.service',
  'wartable-backup.timer',
  'wartable-doctor.service',
  'wartable-doctor.timer',
];
const known = new Set(Object.values(settings).map(({ name }) => name));

test('units and environment files name only settings that exist', async () => {
  const page = await scriptOf('Debian');
  const files = [...page.matchAll(/<<END\n(.*?)^END$/gms)].map(([, text = '']) => text);
  const named = files.flatMap((text) => [...text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name));
  for (const unit of units) {
    for (const [, line = ''] of (await deployed(`systemd/${unit}`)).matchAll(/^Environment=(.*)$/gm)) {
      named.push(...line.split(' ').map((pair) => pair.split('=')[0] ?? ''));
    }
  }
  assert.ok(named.length >= 8, `found ${named.join(', ')}`);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('the page creates the environment files that the units read, and the group of the socket', async () => {
  const page = await scriptOf('Debian');
  for (const unit of units) {
    for (const [, file] of (await deployed(`systemd/${unit}`)).matchAll(
      /^EnvironmentFile=\/etc\/wartable\/(.*)$/gm,
    )) {
      assert.ok(new RegExp(`cat > (/etc/wartable/)?${file} <<END`).test(page), `${unit} reads ${file}`);
    }
  }
  const [, group] = /^SocketGroup=(.*)$/m.exec(await deployed('systemd/wartable-import.socket')) ?? [];
  assert.ok(page.includes(`groupadd --system ${group}\n`));
  const [, socket] = /^ListenStream=(.*)$/m.exec(await deployed('systemd/wartable-import.socket')) ?? [];
  assert.ok(page.includes(`nc -N -U ${socket}\n`));
});

test('the unit that runs as PostgreSQL’s user does not remove its shared memory', async () => {
  // systemd reads these files in the order of their names, whatever folder they are in.
  const files: string[] = [];
  for await (const file of glob('wartable-{.service,backup.service}.d/*.conf', { cwd: `${deploy}/systemd` }))
    files.push(file);
  const inOrder = files.toSorted((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1));
  const texts = await Promise.all(inOrder.map((file) => deployed(`systemd/${file}`)));
  const values = [...texts.join('\n').matchAll(/^DynamicUser=(.*)$/gm)].map(([, value]) => value);
  assert.equal(values.at(-1), 'no', `from ${inOrder.join(', ')}`);
});

test('the page names every proxy file and the version of the package, and the package ships them', async () => {
  const page = await readFile(path.join(root, 'docs/install.md'), 'utf8');
  const { version, files } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
    files: string[];
  };
  assert.ok(files.includes('deploy'));
  assert.deepEqual(new Set(page.match(/wartable-\d+\.\d+\.\d+\.tgz/g)), new Set([`wartable-${version}.tgz`]));
  for await (const file of glob('*', { cwd: deploy })) assert.ok(page.includes(`../deploy/${file}`), file);
  await scriptWithExceptions();
});

test('the proxies use the default ports and addresses of the units', async () => {
  const { apiPort, sitePort, opsPort } = settings;
  const caddy = await deployed('Caddyfile');
  assert.ok(caddy.includes(`health_port ${opsPort.default}\n`));
  for (const text of [caddy, await deployed('nginx.conf')]) {
    for (const number of [1, 2]) {
      for (const port of [apiPort, sitePort]) assert.ok(text.includes(`127.0.10.${number}:${port.default}`));
    }
  }
});

const hasSystemd = await isInstalled('systemd-analyze');
test(
  'systemd-analyze verify has no remarks',
  { skip: hasSystemd ? false : 'no systemd-analyze here' },
  async () => {
    await withFolder(async (folder) => {
      await cp(path.join(deploy, 'systemd'), folder, { recursive: true });
      for (const unit of units) {
        const file = path.join(folder, unit);
        // Only this differs, because the command need not be installed here.
        await writeFile(
          file,
          (await readFile(file, 'utf8')).replace('ExecStart=wartable', 'ExecStart=/bin/true'),
        );
      }
      const names = units.map((unit) => path.join(folder, unit.replace('@', '@1')));
      const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', ...names], {
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
      });
      assert.deepEqual(
        stderr.split('\n').filter((line) => line.includes('wartable')),
        [],
      );
    });
  },
);
