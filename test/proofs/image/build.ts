import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './output.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** What an image says about itself. */
interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

export interface BuiltImage {
  /** The folder with its files. */
  root: string;
  config: ImageConfig;
  /** Of all layers, without compression, in megabytes. */
  megabytes: number;
  baseMegabytes: number;
  /** Its folder can be deleted after this. */
  unmount: () => Promise<unknown>;
}

/** A Debian made by debootstrap, which takes minutes. It stays in the folder for temporary files for the next run. */
export async function debianRoot(name: string, packages: string[]): Promise<string> {
  const root = path.join(tmpdir(), `wartable-proof-debian-${name}`);
  if (existsSync(root)) return root;
  const unfinished = `${root}.${process.pid}`;
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  await output('debootstrap', ['--variant=minbase', ...include, 'bookworm', unfinished]);
  // As the slim images of Debian do.
  for (const folder of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
  ]) {
    await rm(path.join(unfinished, folder), { recursive: true });
    await mkdir(path.join(unfinished, folder));
  }
  await rename(unfinished, root);
  return root;
}

/** Builds the Dockerfile without a registry: both images that it begins from are made here, under their names. */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const buildah = (...given: string[]) =>
    output('buildah', [
      '--root',
      path.join(folder, 'store'),
      '--runroot',
      path.join(folder, 'run'),
      '--storage-driver',
      'overlay',
      ...given,
    ]);
  const commit = async (root: string, tag: string) => {
    const container = await buildah('from', 'scratch');
    await buildah('add', '--quiet', container, root, '/');
    await buildah('config', '--env', `PATH=${imagePath}`, container);
    await buildah('commit', '--quiet', '--rm', container, tag);
  };

  const debian = await debianRoot('slim', []);
  await commit(debian, base);
  const withNode = path.join(folder, 'node');
  await output('cp', ['-a', debian, withNode]);
  await addNode(path.join(withNode, 'usr/local'));
  await commit(withNode, node);
  await rm(withNode, { recursive: true });

  await buildah(
    'build',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    ...(await npmSettings(folder)),

    '--build-arg',
    `NODE_IMAGE=${node}`,
    '--build-arg',
    `BASE_IMAGE=${base}`,
    '--tag',
    'wartable',
    repository,
  );
  const container = await buildah('from', '--pull-never', 'localhost/wartable');
  const { Docker: image } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/wartable')) as {
    Docker: { config: ImageConfig };
  };
  const megabytesOf = async (tag: string) => {
    const [size = '', unit] = (await buildah('images', '--format', '{{.Size}}', tag)).split(' ');
    if (unit !== 'MB') throw new Error(`buildah says that ${tag} has ${size} ${unit}`);
    return Number(size);
  };
  return {
    root: await buildah('mount', container),
    config: image.config,
    megabytes: await megabytesOf('localhost/wartable'),
    baseMegabytes: await megabytesOf(base),
    unmount: () => buildah('umount', container),
  };
}

const base = 'docker.io/library/debian:bookworm-slim';
const node = 'docker.io/library/node:24-bookworm-slim';
const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The Node and the npm that run this proof. */
async function addNode(prefix: string): Promise<void> {
  await cp(process.execPath, path.join(prefix, 'bin/node'));
  const cli = process.env['npm_execpath'];
  if (cli === undefined) throw new Error('Run this with npm: it copies npm into an image.');
  await cp(path.join(path.dirname(cli), '..'), path.join(prefix, 'lib/node_modules/npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(prefix, 'bin/npm'));
}

/** The registry and the certificates that this machine uses. They are lent to the build, not copied into an image. */
async function npmSettings(folder: string): Promise<string[]> {
  const lines = [`registry=${await output('npm', ['config', 'get', 'registry'])}`];
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  const lent = path.join(folder, 'npmrc');
  if (certificates !== undefined) lines.push('cafile=/certificates.pem');
  await writeFile(lent, `${lines.join('\n')}\n`);
  const volumes = certificates === undefined ? [] : ['--volume', `${certificates}:/certificates.pem:ro`];
  return ['--volume', `${lent}:/root/.npmrc:ro`, ...volumes];
}
