import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { paste, untilWelcomed } from '../support/demo.ts';
import { untilNothingIsLeft, wayToPackages } from './demo.ts';
import { type Proof, timed, withFolder } from './proof.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const barSeconds = 60;

/** From `git clone` over `npm ci` and `npm run dev` to the first 200. Takes what is committed. */
export const firstMinute: Proof = () =>
  withFolder(async (folder) => {
    await chmod(folder, 0o755);
    const [clone, tmp] = [path.join(folder, 'clone'), path.join(folder, 'tmp')];
    await mkdir(tmp);
    const env = { PATH: process.env['PATH'], TMPDIR: tmp, ...wayToPackages() };
    const started = performance.now();
    await run('git', ['clone', '--quiet', root, clone]);
    const installing = await timed(() => run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, env }));
    const child = spawn('npm', ['run', 'dev'], {
      cwd: clone,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const { curls } = await untilWelcomed(child);
      assert.ok((await paste(curls[0] ?? '')).data.length > 0);
      const seconds = (performance.now() - started) / 1000;
      const ended = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
      await untilNothingIsLeft(tmp);
      const figure = `From \`git clone\` to the first 200: ${seconds.toFixed(1)} s, of which \`npm ci\` took ${installing.toFixed(1)} s; must be at most ${barSeconds} s.`;
      assert.ok(seconds <= barSeconds, figure);
      return [figure];
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
    }
  });
