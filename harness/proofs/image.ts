import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ended } from '../measure/serve-process.ts';
import { freePort } from '../support/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { type Proof, withDatabase, withFolder } from './proof.ts';

const maxMegabytes = 300;
const repository = path.resolve(import.meta.dirname, '../..');
const [base, node] = ['docker.io/library/debian:bookworm-slim', 'docker.io/library/node:24-bookworm-slim'];
const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Builds the Dockerfile without a registry, and runs its command in its files, as its user: migrate, import,
 * a key, a server and the health check. It needs root, and Debian's packages buildah and debootstrap.
 * compose.yaml is checked by test/repository/image.test.ts.
 */
export const image: Proof = async ({ serverUrl }) => {
  if (process.getuid?.() !== 0) throw new Error('This proof makes images and mounts them: run it as root.');
  return withFolder((folder) =>
    withDatabase(serverUrl, async (databaseUrl) => {
      const built = await buildImage(folder);
      try {
        assert.ok(built.megabytes <= maxMegabytes, `the image has ${built.megabytes} MB`);
        await checkFiles(built);
        await useImage(built, databaseUrl);
        return [
          `${built.megabytes} MB; migrates, imports, serves and drains as user ${built.config.User}.`,
          'No file of the image belongs to its user. There is no npm, compiler or curl. The requests of install.md get three 401s and a 200. The HEALTHCHECK succeeds while the server is ready.',
        ];
      } finally {
        await built.unmount();
      }
    }),
  );
};

interface BuiltImage {
  /** The folder with the files of the image. */
  root: string;
  config: {
    User: string;
    Env: string[];
    Entrypoint: string[];
    Cmd: string[];
    Healthcheck: { Test: string[] };
  };
  /** The size of all layers, without compression. */
  megabytes: number;
  unmount: () => Promise<unknown>;
}

async function checkFiles({ root }: BuiltImage): Promise<void> {
  // Leaves out devices, and folders such as /tmp in which users cannot remove the files of others.
  const find = '-xdev -type f,d ( -uid 1000 -o -perm -o=w ) ! -perm -1000'.split(' ');
  assert.equal(await output('find', [root, ...find]), '');
  const has = await output('chroot', [
    root,
    'sh',
    '-c',
    'command -v npm || command -v gcc || command -v curl || true',
  ]);
  assert.equal(has, '');
}

/** Runs the script of docs/install.md with the command of the image. */
async function useImage({ root, config }: BuiltImage, databaseUrl: string): Promise<void> {
  const [api, ops] = [await freePort(), await freePort()];
  const env = {
    ...Object.fromEntries(config.Env.map((each) => [each.split('=', 1)[0], each.replace(/^[^=]*=/, '')])),
    DATABASE_URL: databaseUrl,
    CURSOR_SECRETS: 'x'.repeat(32),
    API_PORT: String(api),
    SITE_PORT: String(await freePort()),
    OPS_PORT: String(ops),
    DRAIN_SECONDS: '0',
  };
  const start = (words: string[]): ChildProcess =>
    spawn('chroot', [`--userspec=${config.User}`, root, ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
  const run = async (words: string[], input = ''): Promise<string> => {
    const child = start(words);
    child.stdin?.end(input);
    const [printed, [code]] = await Promise.all([
      child.stdout === null ? '' : text(child.stdout),
      once(child, 'exit'),
    ]);
    assert.equal(code, 0, words.join(' '));
    return printed.trim();
  };
  const page = await readFile(path.join(repository, 'docs/install.md'), 'utf8');
  const [club = ''] = /^\{"kind":"club".*\}/m.exec(page.replaceAll("echo '", '')) ?? [];
  await run([...config.Entrypoint, 'migrate']);
  await run([...config.Entrypoint, 'import', '-'], club);
  const key = await run([...config.Entrypoint, 'keys', 'create', '--account', 'First steps']);
  const server = start([...config.Entrypoint, ...config.Cmd]);
  try {
    const health = config.Healthcheck.Test.slice(1);
    await eventually(async () => assert.ok((await fetch(`http://127.0.0.1:${ops}/ready`)).ok));
    assert.equal(await run(health), '{"ready":true}');
    const statuses = [];
    for (const given of ['', 'something', 'svc_v1_something', key])
      statuses.push(
        (
          await fetch(`http://127.0.0.1:${api}/api/v1/clubs/north-gate`, {
            headers: given === '' ? {} : { authorization: `Bearer ${given}` },
          })
        ).status,
      );
    assert.deepEqual(statuses, [401, 401, 401, 200]);
    const over = once(server, 'exit');
    server.kill('SIGTERM');
    assert.deepEqual(await over, [0, null]);
  } finally {
    await ended(server);
  }
}

/** Builds the image. Both base images of the Dockerfile are made here, under their names. */
async function buildImage(folder: string): Promise<BuiltImage> {
  const store = ['--root', path.join(folder, 'store'), '--runroot', path.join(folder, 'run')];
  const buildah = (...given: string[]) =>
    output('buildah', [...store, '--storage-driver', process.env['STORAGE_DRIVER'] ?? 'overlay', ...given]);
  const commit = async (root: string, tag: string) => {
    const container = await buildah('from', 'scratch');
    await buildah('add', '--quiet', container, root, '/');
    await buildah('config', '--env', `PATH=${imagePath}`, container);
    await buildah('commit', '--quiet', '--rm', container, tag);
  };
  const debian = await debianRoot();
  await commit(debian, base);
  const withNode = path.join(folder, 'node');
  await output('cp', ['-a', debian, withNode]);
  await addNode(path.join(withNode, 'usr/local'));
  await commit(withNode, node);
  await rm(withNode, { recursive: true });
  const ways = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    ...(await npmSettings(folder)),
  ];
  const images = ['--build-arg', `NODE_IMAGE=${node}`, '--build-arg', `BASE_IMAGE=${base}`];
  await buildah('build', ...ways, ...images, '--tag', 'wartable', repository);
  const container = await buildah('from', '--pull-never', 'localhost/wartable');
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/wartable')) as {
    Docker: Pick<BuiltImage, 'config'>;
  };
  const [size = '', unit] = (await buildah('images', '--format', '{{.Size}}', 'localhost/wartable')).split(
    ' ',
  );
  assert.equal(unit, 'MB');
  return {
    root: await buildah('mount', container),
    config: inspected.Docker.config,
    megabytes: Number(size),
    unmount: () => buildah('umount', container),
  };
}

/**
 * Returns a Debian that debootstrap made, which takes minutes. It is kept in the temporary directory for the
 * next run.
 */
async function debianRoot(): Promise<string> {
  const root = path.join(tmpdir(), 'wartable-proof-debian-slim');
  if (existsSync(root)) return root;
  const unfinished = `${root}.${process.pid}`;
  await output('debootstrap', ['--variant=minbase', 'bookworm', unfinished]);
  // The slim images of Debian also leave these out.
  for (const each of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
  ]) {
    await rm(path.join(unfinished, each), { recursive: true });
    await mkdir(path.join(unfinished, each));
  }
  await rename(unfinished, root);
  return root;
}

/** Adds the Node and the npm that run this proof. */
async function addNode(prefix: string): Promise<void> {
  await cp(process.execPath, path.join(prefix, 'bin/node'));
  const cli = process.env['npm_execpath'];
  assert.ok(cli !== undefined, 'Run this with npm: it copies npm into an image.');
  const modules = path.join(prefix, 'lib/node_modules/npm');
  await cp(path.join(path.dirname(cli), '..'), modules, { recursive: true, verbatimSymlinks: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(prefix, 'bin/npm'));
}

/**
 * Returns volumes with the registry and the certificates that this machine uses. They are lent to the build,
 * not copied into an image.
 */
async function npmSettings(folder: string): Promise<string[]> {
  const lines = [`registry=${await output('npm', ['config', 'get', 'registry'])}`];
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  const lent = path.join(folder, 'npmrc');
  if (certificates !== undefined) lines.push('cafile=/certificates.pem');
  await writeFile(lent, `${lines.join('\n')}\n`);
  const volumes = certificates === undefined ? [] : ['--volume', `${certificates}:/certificates.pem:ro`];
  return ['--volume', `${lent}:/root/.npmrc:ro`, ...volumes];
}

/** Runs a program to its end and returns its output. */
async function output(program: string, given: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, given, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
