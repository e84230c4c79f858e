import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Proof, withFolder } from '../proofs/proof.ts';
import { samplesRunBy } from '../guides/samples.ts';
import { assertNothingIsLeft, followDemoGuide, followPreviewGuide } from './first-page.ts';
import { scriptOf, shownIn } from './install-page.ts';

const run = promisify(execFile);
const checkout = path.resolve(import.meta.dirname, '../..');
/** A bare Debian, which takes minutes to download and never affects what we test. */
const cachedRoot = path.join(tmpdir(), 'wartable-debian-bookworm.tar');
const longestMinutes = 25;
const maxExposure = 1.5;

/**
 * Everything that the proof does differently from docs/install.md. Each text must occur on the page exactly
 * once. Apart from these, `apt-get` and `npm` use the machine's network. Everything else runs in a network of
 * its own.
 */
const exceptions = [
  {
    what: 'Node 24 comes from the npm package `node`, not from the repository of NodeSource',
    page: 'curl -fsSL https://deb.nodesource.com/setup_24.x | bash -\napt-get install --yes nodejs\n',
    instead: '',
  },
  {
    what: 'the name is not public, so Caddy signs the certificate with its own authority, which the machine trusts',
    page: 'systemctl reload caddy\n',
    instead: `sed --in-place '1i { \\n local_certs \\n}' /etc/caddy/Caddyfile
systemctl reload caddy
AUTHORITY=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
until [ -f $AUTHORITY ]; do sleep 0.2; done
cp $AUTHORITY /usr/local/share/ca-certificates/caddy.crt
update-ca-certificates
`,
  },
];

/**
 * Follows docs/install.md in a fresh Debian with its own systemd, from the tarball to the rolling restart.
 */
export const installDebian: Proof = async () => {
  await needPrograms();
  return withFolder(async (folder) => {
    const tarball = await packFromClone(path.join(folder, 'clone'));
    const root = path.join(folder, 'root');
    await unpackDebian(root);
    await addNode(root, path.join(folder, 'node'));
    await tryWithNodeOnly(root, tarball);
    await cp(tarball, path.join(root, 'root', path.basename(tarball)));
    await writeScript(root);
    const started = Date.now();
    await boot(root, path.join(folder, 'network'));
    const seconds = Math.round((Date.now() - started) / 1000);
    const output = await readFile(path.join(root, 'root/output'), 'utf8');
    return [
      `It took ${seconds} s; exposure ${exposureIn(output)} of 10 (at most ${maxExposure}).`,
      ...judge(output, await shownIn('Debian')),
      'Before it, in the same Debian with nothing but Node 24: the demo, and the first two sections of docs/organisers.md. They left nothing.',
      ...exceptions.map(({ what }) => `Otherwise than on the page: ${what}.`),
      'Otherwise than on the page: the Debian has a network of its own. Only `apt-get` and `npm` use the network of the machine, and trust what it trusts.',
    ];
  });
};

/**
 * Follows the section "From a checkout" up to the tarball. test/guides/checkout-guide.test.ts runs its
 * script.
 */
async function packFromClone(clone: string): Promise<string> {
  await run('git', ['clone', '--quiet', checkout, clone]);
  const pack = await scriptOf('From a checkout');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', pack], { cwd: clone, maxBuffer: 1 << 26 });
  return path.join(clone, stdout.trim().split('\n').at(-1) ?? '');
}

async function needPrograms(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('install-debian boots a Debian of its own: run it as root');
  for (const program of ['debootstrap', 'systemd-nspawn', 'unshare']) {
    await run('which', [program]).catch(() => {
      throw new Error(`install-debian needs ${program}: apt-get install debootstrap systemd-container`);
    });
  }
}

async function unpackDebian(root: string): Promise<void> {
  await mkdir(root);
  if (existsSync(cachedRoot)) {
    await run('tar', ['--extract', '--file', cachedRoot, '--directory', root]);
    return;
  }
  const packages = '--include=systemd-sysv,dbus,ca-certificates';
  await run('debootstrap', ['--variant=minbase', packages, 'bookworm', root], { maxBuffer: 1 << 26 });
  await run('tar', ['--create', '--file', cachedRoot, '--directory', root, '.']);
}

/** Adds Node to the same folders in which NodeSource's package installs it. */
async function addNode(root: string, folder: string): Promise<void> {
  await run('npm', ['install', '--silent', '--prefix', folder, 'node@24', 'npm@11']);
  const modules = path.join(folder, 'node_modules');
  await cp(path.join(modules, 'node/bin/node'), path.join(root, 'usr/bin/node'), { dereference: true });
  await cp(path.join(modules, 'npm'), path.join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/bin', name));
  }
}

/** Follows the guides that need only Node, as root in a folder of root. */
async function tryWithNodeOnly(root: string, tarball: string): Promise<void> {
  const authorities = 'etc/machine-authorities.crt';
  await cp('/etc/ssl/certs/ca-certificates.crt', path.join(root, authorities));
  await cp('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'));
  const inDebian = `mount --bind /proc '${root}/proc'; mount --bind /dev '${root}/dev'
    exec chroot '${root}' sh -c 'cd /root/first && exec sh "$@"' sh "$@"`;
  const env = {
    HOME: '/root',
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_EXTRA_CA_CERTS: `/${authorities}`,
    npm_config_yes: 'true',
  };
  const folder = path.join(root, 'root/first');
  const terminal = { folder, env, shell: ['unshare', '--mount', 'sh', '-e', '-c', inDebian, 'sh'] };
  const samples = samplesRunBy(path.join(import.meta.dirname, 'release.ts'));
  const [demo, begin, save] = samples.map(({ text }) => text);
  if (demo === undefined || begin === undefined || save === undefined) throw new Error('a guide has changed');
  for (const follow of [
    () => followDemoGuide(terminal, demo),
    () => followPreviewGuide(terminal, [begin, save]),
  ]) {
    await mkdir(folder);
    await cp(tarball, path.join(folder, path.basename(tarball)));
    await follow();
    await assertNothingIsLeft(path.join(root, 'tmp'));
    await rm(folder, { recursive: true });
  }
}

export async function scriptWithExceptions(): Promise<string> {
  let script = await scriptOf('Debian');
  for (const { page, instead } of exceptions) {
    const parts = script.split(page);
    if (parts.length !== 2) throw new Error(`docs/install.md must contain once: ${page}`);
    script = parts.join(instead);
  }
  return script;
}

async function writeScript(root: string): Promise<void> {
  const script = await scriptWithExceptions();
  const write = (file: string, text: string, mode = 0o644) =>
    writeFile(path.join(root, file), text, { mode });
  await write('root/page.sh', `${script}\n${looks}`);
  await write('etc/hosts', '127.0.0.1 localhost results.example.org\n');
  await write(
    'usr/local/bin/apt-get',
    `#!/bin/sh
outside() { nsenter --net=/mnt/network "$@"; }
if [ "$1" = update ]; then outside /usr/bin/apt-get "$@"; exit; fi
export DEBIAN_FRONTEND=noninteractive
outside /usr/bin/apt-get --download-only "$@" && exec /usr/bin/apt-get "$@"
`,
    0o755,
  );
  await write(
    'usr/local/bin/npm',
    `#!/bin/sh
export NODE_EXTRA_CA_CERTS=/etc/machine-authorities.crt
exec nsenter --net=/mnt/network /usr/bin/npm "$@"
`,
    0o755,
  );
  await write(
    'etc/systemd/system/page.service',
    `[Unit]
SuccessAction=exit
FailureAction=exit
[Service]
Type=exec
Environment=HOME=/root
ExecStart=/bin/bash -euo pipefail /root/page.sh
StandardOutput=append:/root/output
StandardError=append:/root/output
ExecStopPost=/bin/sh -c 'journalctl --unit "wartable-*" --lines 40 --no-pager > /root/journal'
`,
  );
  const wants = path.join(root, 'etc/systemd/system/multi-user.target.wants');
  await mkdir(wants, { recursive: true });
  await symlink('../page.service', path.join(wants, 'page.service'));
}

/** Commands that collect what the proof needs to know after the page has been followed. */
const looks = `
echo "== verify"
systemd-analyze verify wartable-serve@1.service wartable-import.socket wartable-import@1.service wartable-backup.timer wartable-doctor.timer
echo "== verified"
systemd-analyze security --no-pager wartable-serve@1.service | tail -1
for i in 1 2; do
  systemctl show --value --property NRestarts,ActiveState "wartable-serve@$i" | tr '\\n' ' '
  stat --format 'user %u' "/proc/$(systemctl show --value --property MainPID "wartable-serve@$i")"
done
journalctl --unit 'wartable-import@*' --output cat --no-pager
systemctl is-active wartable-backup.timer wartable-doctor.timer | sed 's/^/timer /'
echo "shared memory $(ls /dev/shm | grep --count '^PostgreSQL')"
runuser -u postgres -- createdb restored
runuser -u postgres -- sh -c 'pg_restore --exit-on-error --dbname=restored /var/backups/wartable/wartable-*Z/wartable.dump'
runuser -u postgres -- psql --tuples-only --no-align --dbname=restored --command="select 'restored ' || slug from record.club"
echo "== end"
`;

/** Starts the Debian and waits until its script is done. */
async function boot(root: string, network: string): Promise<void> {
  await writeFile(network, '');
  await run('mount', ['--bind', '/proc/self/ns/net', network]);
  try {
    const container = spawn(
      'systemd-nspawn',
      [
        '--quiet',
        '--boot',
        `--directory=${root}`,
        '--private-network',
        '--resolv-conf=copy-host',
        '--register=no',
        '--keep-unit',
        '--link-journal=no',
        '--console=pipe',
        `--bind=${network}:/mnt/network`,
      ],
      { stdio: 'ignore' },
    );
    const late = setTimeout(() => container.kill('SIGKILL'), longestMinutes * 60_000);
    const [code] = (await once(container, 'exit')) as [number | null];
    clearTimeout(late);
    if (code === 0) return;
    const read = (file: string) => readFile(path.join(root, 'root', file), 'utf8').catch(() => '(nothing)');
    const [output, journal] = await Promise.all(['output', 'journal'].map(read));
    throw new Error(`following docs/install.md ended with ${code}:\n${output?.slice(-4_000)}\n${journal}`);
  } finally {
    await run('umount', [network]);
  }
}

const exposureIn = (output: string): number =>
  Number(/Overall exposure level for wartable-serve@1.service: ([\d.]+)/.exec(output)?.[1]);

/** Returns the figures. Throws if something on the page did not work. */
function judge(output: string, shown: string[]): string[] {
  for (const line of shown) assert.ok(output.includes(`${line}\n`), `the page promises: ${line}\n${output}`);
  assert.match(output, /^HTTP\/2 200 \r?\n.*"slug":"north-gate"/ms, output);
  assert.equal(output.match(/^HTTP\/2 200/gm)?.length, 2, `the API and the site answer with 200:\n${output}`);
  assert.equal(output.match(/\{"ready":true\}/g)?.length, 4, 'ready at first, and after the restart');
  assert.match(output, /^== verify\n== verified\n/m, `systemd-analyze verify has no remarks:\n${output}`);
  const exposure = exposureIn(output);
  assert.ok(exposure <= maxExposure, `exposure ${exposure}`);
  const servers = [...output.matchAll(/^0 active user (\d+)$/gm)].map(([, user]) => Number(user));
  assert.equal(servers.length, 2, `two servers run:\n${output}`);
  for (const user of servers) assert.ok(user >= 61_184 && user <= 65_519, `user ${user} is made by systemd`);
  assert.equal(output.match(/^timer active$/gm)?.length, 2, `both timers are active:\n${output}`);
  // systemd can remove it at the end of a unit that runs as PostgreSQL's user.
  assert.match(
    output,
    /^shared memory [1-9]/m,
    `the backup left PostgreSQL's shared memory alone:\n${output}`,
  );
  assert.match(output, /^restored north-gate$/m, `the backup can be restored:\n${output}`);
  return [
    'docs/install.md, followed by a script in a fresh Debian 12 with its own systemd, PostgreSQL and Caddy: the API and the site answer 200 through Caddy with TLS; the first feed went through the socket; both servers were restarted one after the other.',
    'The timers of backup and doctor are active. The first backup was made and checked, and its restored copy has the club.',
    `\`systemd-analyze verify\` has no remarks. \`systemd-analyze security\`: ${exposure} of 10, lower is better; must be at most ${maxExposure}.`,
  ];
}
