import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { output } from './output.ts';

/** Runs containers with the programs of util-linux: namespaces, an overlay over a root, and a user without capabilities. */

interface ContainerOptions {
  /** The files of its image. */
  root: string;
  command: string[];
  environment: Record<string, string>;
  /** Numbers or names, as in `USER`. Undefined: root. */
  user: string | undefined;
  workingFolder: string;
  isReadOnly: boolean;
  hasCapabilities: boolean;
  tmpfs: string[];
  /** [folder or file of this machine, path in the container] */
  mounts: [string, string][];
  stdin?: string;
}

export interface Container {
  address: string;
  /** Of the first process in it, as this machine numbers it. */
  pid: () => Promise<number>;
  /** Runs a program in it, as its user. */
  exec: (command: string[]) => Promise<{ code: number; printed: string }>;
  /** What it has printed, on both streams. */
  printed: () => string;
  standardOutput: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  signal: (name: NodeJS.Signals) => Promise<void>;
}

export interface Network {
  run: (name: string, options: ContainerOptions) => Promise<Container>;
  remove: () => Promise<void>;
}

/** A bridge to which every container is connected under its name, as in a network of Compose. */
export async function createNetwork(folder: string, names: string[], subnet: string): Promise<Network> {
  const tag = `wt${process.pid % 100_000}`;
  const bridge = `${tag}br`;
  // Of `172.30.77.0/24`, what all addresses begin with.
  const prefix = subnet.replace(/0\/24$/, '');
  const address = (name: string) => `${prefix}${names.indexOf(name) + 2}`;
  const space = (name: string) => `${tag}-${name}`;
  const hosts = path.join(folder, 'hosts');
  const lines = ['127.0.0.1 localhost', ...names.map((name) => `${address(name)} ${name}`)];
  await writeFile(hosts, `${lines.join('\n')}\n`);
  const ip = (...given: string[]) => output('ip', given);
  const running = new Set<Container>();
  let runs = 0;

  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${prefix}1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  for (const [index, name] of names.entries()) {
    const [outer, inner] = [`${tag}o${index}`, `${tag}i${index}`];
    await ip('netns', 'add', space(name));
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
    await ip('link', 'set', outer, 'master', bridge, 'up');
    await ip('link', 'set', inner, 'netns', space(name));
    await ip('-n', space(name), 'address', 'add', `${address(name)}/24`, 'dev', inner);
    await ip('-n', space(name), 'link', 'set', inner, 'up');
    await ip('-n', space(name), 'link', 'set', 'lo', 'up');
  }

  async function run(name: string, options: ContainerOptions): Promise<Container> {
    const scratch = path.join(folder, `container-${(runs += 1)}`);
    const mounts: [string, string][] = [...options.mounts, [hosts, '/etc/hosts']];
    for (const [source] of mounts) await stat(source);
    await mkdir(scratch);
    const script = path.join(scratch, 'start.sh');
    await writeFile(script, startScript(path.join(scratch, 'layer'), { ...options, mounts }));
    const child = spawn(
      'ip',
      ['netns', 'exec', space(name), 'unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', 'sh', script],
      { env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin);
    let printed = '';
    let standardOutput = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (standardOutput += chunk));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (printed += String(chunk)));
    const ended = once(child, 'close').then(([code]) => {
      running.delete(container);
      return code as number | null;
    });
    const pid = async () => {
      const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      // A signal to the process 0 would reach this proof itself.
      if (children === '') throw new Error(`${name} has not started or has ended`);
      return Number(children);
    };
    const container: Container = {
      address: address(name),
      pid,
      ended,
      printed: () => printed,
      standardOutput: () => standardOutput,
      signal: async (signal) => {
        process.kill(await pid(), signal);
      },
      exec: async (command) => {
        const target = await pid().catch(() => 0);
        if (target === 0) return { code: 1, printed: `${name} has ended` };
        const enter = ['--target', String(target), '--all', '--root', '--wd'];
        const program = ['env', '-i', ...environmentOf(options), ...asUser(options), ...command];
        const { code, stdout, stderr } = await promisify(execFile)('nsenter', [...enter, ...program]).then(
          (streams) => ({ code: 0, ...streams }),
          (error: { code: number; stdout: string; stderr: string }) => error,
        );
        return { code, printed: `${stdout}${stderr}`.trim() };
      },
    };
    running.add(container);
    await until(`${name} has started`, container, () => pid().then(Boolean, () => false));
    return container;
  }

  async function remove(): Promise<void> {
    // The first process of a container takes the others with it. Its parent could not: a change of the user unties them.
    await Promise.allSettled([...running].map(({ signal }) => signal('SIGKILL')));
    await Promise.all([...running].map(({ ended }) => ended));
    for (const name of names) await ip('netns', 'delete', space(name));
    await ip('link', 'delete', bridge);
  }
  return { run, remove };
}

/** Waits until a check of a running container succeeds. */
export async function until(
  what: string,
  container: Container,
  check: () => Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  let code: number | null | undefined;
  void container.ended.then((ended) => (code = ended));
  while (!(await check())) {
    if (code !== undefined) assert.fail(`${what}: it ended with ${code}:\n${container.printed()}`);
    if (performance.now() - began > 300_000)
      assert.fail(`${what}: not within 5 minutes:\n${container.printed()}`);
    await sleep(300);
  }
  return (performance.now() - began) / 1_000;
}

/** Every layer is above the image, as in Docker. So the places of mounts can be made, and the image stays as it is. */
function startScript(layer: string, options: ContainerOptions): string {
  const root = quoted(`${layer}/root`);
  const inRoot = (target: string) => quoted(`${layer}/root${target}`);
  const lines = [
    'set -eu',
    `mkdir -p ${quoted(layer)} && mount -t tmpfs tmpfs ${quoted(layer)}`,
    `cd ${quoted(layer)} && mkdir upper work root`,
    `mount -t overlay -o lowerdir=${quoted(options.root)},upperdir=upper,workdir=work overlay root`,
    `mount -t proc proc ${inRoot('/proc')}`,
    `mount --rbind /dev ${inRoot('/dev')}`,
    ...options.tmpfs.map((target) => `mount -t tmpfs -o mode=1777 tmpfs ${inRoot(target)}`),
    ...options.mounts.map(
      ([source, target]) =>
        `if [ -d ${quoted(source)} ]; then mkdir -p ${inRoot(target)}; else mkdir -p "$(dirname ${inRoot(target)})"; touch ${inRoot(target)}; fi; mount --bind ${quoted(source)} ${inRoot(target)}`,
    ),
    ...(options.isReadOnly ? [`mount -o remount,bind,ro ${root}`] : []),
    `exec env -i ${[...environmentOf(options), 'chroot', `${layer}/root`, 'sh', '-c', 'cd "$0" && exec "$@"', options.workingFolder, ...asUser(options), ...options.command].map(quoted).join(' ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function environmentOf({ environment }: ContainerOptions): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function asUser({ user, hasCapabilities }: ContainerOptions): string[] {
  const [login = '', group = login] = user?.split(':') ?? [];
  const identity = user === undefined ? [] : ['--reuid', login, '--regid', group, '--clear-groups'];
  const withoutRights = ['--no-new-privs', '--bounding-set', '-all', '--inh-caps', '-all'];
  const flags = [...identity, ...(hasCapabilities ? [] : withoutRights)];
  return flags.length > 0 ? ['setpriv', ...flags] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
