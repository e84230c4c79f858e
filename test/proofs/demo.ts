import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { samplesRunBy } from '../guides/samples.ts';
import { paste, type RunningDemo, untilWelcomed } from '../support/demo.ts';
import { bearer, get } from '../support/server.ts';
import { type Proof, withFolder } from './proof.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/**
 * Packs the package into an empty folder with only Node on the path, and runs the sample of docs/demo.md there: the
 * requests work when pasted, the event reaches its knockout within three minutes, the next one begins, and Ctrl-C
 * leaves nothing. Small: without the wait for the knockout.
 */
export const demo: Proof = ({ size }) =>
  withFolder(async (folder) => {
    const environment = await bareMachine(folder);
    const empty = path.join(folder, 'empty');
    await mkdir(empty);
    await run('npm', ['pack', '--pack-destination', empty], { cwd: root });
    const started = performance.now();
    // In a group of its own, as in a terminal: Ctrl-C reaches npx and the demo.
    const [command = '', ...words] =
      samplesRunBy(import.meta.filename)[0]
        ?.text.trim()
        .split(' ') ?? [];
    const child = spawn(command, words, {
      cwd: empty,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const running = await untilWelcomed(child);
      for (const curl of running.curls) assert.ok((await paste(curl)).data.length > 0, curl);
      const starting = (performance.now() - started) / 1000;
      assert.deepEqual(await stagesOf(running), ['swiss 1']);
      const figures = [
        `In an empty folder, \`${[command, ...words].join(' ')}\` answered its three printed requests with 200 after ${starting.toFixed(1)} s, with the event in round 1. This includes the installation.`,
      ];
      if (size === 'stated') figures.push(await watch(running));
      const ended = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
      await untilNothingIsLeft(environment['TMPDIR'] ?? '');
      assert.match(running.output(), /The demo has ended\. Its data is deleted\./);
      figures.push('After Ctrl-C there was no process and no file of it.');
      return figures;
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
    }
  });

/** Node 24 with npm, and the shell that npm starts programs with. Nothing else is on the path. */
async function bareMachine(folder: string): Promise<Record<string, string>> {
  const [bin, tmp] = [path.join(folder, 'bin'), path.join(folder, 'tmp')];
  await mkdir(bin);
  for (const name of ['node', 'npm', 'npx', 'sh']) {
    const { stdout } = await run('sh', ['-c', `command -v ${name}`]);
    await symlink(stdout.trim(), path.join(bin, name));
  }
  await mkdir(tmp);
  // Where root runs this, PostgreSQL runs as nobody.
  await chmod(folder, 0o755);
  // npx keeps what it installs in the cache, so this one has a cache of its own. It asks before it installs: yes.
  const npm = { npm_config_cache: path.join(folder, 'cache'), npm_config_yes: 'true' };
  return { PATH: bin, TMPDIR: tmp, ...npm, ...wayToPackages() };
}

/** What npm needs to reach the packages: its settings in HOME, and a proxy with its certificates. */
export function wayToPackages(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|.*_proxy)$/i.test(name),
  );
  return Object.fromEntries(given.map(([name, value = '']) => [name, value]));
}

async function watch(running: RunningDemo): Promise<string> {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  while (!(await stagesOf(running)).includes('knockout 1')) {
    assert.ok(seconds() < 180, 'no knockout within three minutes');
    await sleep(1_000);
  }
  const knockout = seconds();
  const next = /The next event begins: (\S+)/;
  while (!next.test(running.output())) {
    assert.ok(seconds() < 300, 'no next event within five minutes');
    await sleep(1_000);
  }
  const begun = seconds();
  await sleep(2_000);
  const [, page = ''] = next.exec(running.output()) ?? [];
  assert.equal((await fetch(page)).status, 200);
  assert.deepEqual(await stagesOf({ ...running, slug: page.split('/').at(-1) ?? '' }), ['swiss 1']);
  return `The knockout began ${knockout} s after the first look (must be within 180 s), the next event after ${begun} s.`;
}

/** The rounds that are paired, such as `swiss 1`. */
async function stagesOf({ api, key, slug }: RunningDemo): Promise<string[]> {
  const { json, status } = await get(`${api}/tournaments/${slug}/battles?limit=100`, bearer(key));
  assert.equal(status, 200);
  const { data } = json as { data: { stage: string; round: number }[] };
  return [...new Set(data.map(({ stage, round }) => `${stage} ${round}`))].toSorted();
}

/** The guard and PostgreSQL name the folder, or work in it. */
export async function untilNothingIsLeft(folder: string): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  for (;;) {
    // npm keeps its compiled code there, too, and node-pg-migrate makes an empty folder.
    const files = (await readdir(folder)).filter((name) => !['node-compile-cache', 'jiti'].includes(name));
    const left = [...files, ...(await processesWith(folder))];
    if (left.length === 0) return;
    assert.ok(Date.now() < giveUpAt, `left behind: ${left.join(', ')}`);
    await sleep(100);
  }
}

async function processesWith(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // It may end while we look.
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const given = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
    if (command.includes(folder) || given.includes(`TMPDIR=${folder}`)) found.push(`process ${id}`);
  }
  return found;
}
