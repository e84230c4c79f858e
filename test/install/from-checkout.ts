import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/postgres.ts';
import { withDatabase } from '../proofs/proof.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { scriptOf } from './install-page.ts';

const run = promisify(execFile);
const checkout = path.resolve(import.meta.dirname, '../..');

/** Follows the section "From a checkout" up to the tarball. */
export async function packFromClone(clone: string): Promise<string> {
  await run('git', ['clone', '--quiet', checkout, clone]);
  const [pack] = await parts();
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', pack], { cwd: clone, maxBuffer: 1 << 26 });
  return path.join(clone, stdout.trim().split('\n').at(-1) ?? '');
}

/** Follows the rest of the section: a server in the checkout. */
export async function fromCheckout(clone: string, serverUrl: string): Promise<string[]> {
  const [, serve] = await parts();
  return withDatabase(serverUrl, async (databaseUrl) => {
    const ops = await freePort();
    const ports = {
      API_PORT: '0',
      SITE_PORT: String(await freePort()),
      OPS_PORT: String(ops),
      DRAIN_SECONDS: '0',
    };
    // A group of its own, so that a signal reaches the server and not only its shell.
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', serve], {
      cwd: clone,
      env: { ...bareEnvironment, ...ports, DATABASE_URL: databaseUrl },
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(shell, 'exit');
    try {
      for (let attempt = 0; ; attempt += 1) {
        const isReady = await fetch(`http://127.0.0.1:${ops}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) break;
        if (attempt === 300 || shell.exitCode !== null)
          throw new Error('the server of a checkout is not ready');
        await sleep(200);
      }
    } finally {
      if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGTERM');
      await ended;
    }
    return ['A server from a fresh clone, as the page says, becomes ready.'];
  });
}

async function parts(): Promise<[pack: string, serve: string]> {
  const [pack, serve] = (await scriptOf('From a checkout')).split(/^(?=export DATABASE_URL)/m);
  if (pack === undefined || serve === undefined) throw new Error('the section about a checkout has changed');
  return [pack, serve];
}
