import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/postgres.ts';
import { assertNoKey } from '../support/no-key.ts';
import { root } from '../support/root.ts';

export interface ServeProcess {
  /** The address of the API. */
  origin: string;
  siteOrigin: string;
  pid: number;
  close: () => Promise<void>;
}

// All instances of one run share the secret, as in production.
const cursorSecret = randomBytes(32).toString('hex');

/**
 * Starts `wartable serve` as a separate process. It logs every request to a file, which is deleted with it.
 */
export async function startServe(
  databaseUrl: string,
  settings: Record<string, string> = {},
  [command, ...args]: [string, ...string[]] = [process.execPath, 'src/cli.ts'],
  /** The folder of the checkout to start. */
  folder: string | URL = root,
): Promise<ServeProcess> {
  const logs = await mkdtemp(path.join(tmpdir(), 'wartable-bench-'));
  const logFile = path.join(logs, 'log');
  const log = await open(logFile, 'w');
  const [apiPort, sitePort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(command, [...args, 'serve'], {
    cwd: folder,
    env: {
      // The installed command looks for `node` here.
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      DATABASE_URL: databaseUrl,
      API_PORT: String(apiPort),
      SITE_PORT: String(sitePort),
      OPS_PORT: String(opsPort),
      CURSOR_SECRETS: cursorSecret,
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const close = async () => {
    await ended(child);
    await assertNoKeyIn(logFile);
    await rm(logs, { recursive: true, force: true });
  };
  try {
    await untilReady(child, `http://127.0.0.1:${opsPort}/ready`);
  } catch (error) {
    const said = (await readFile(logFile, 'utf8')).slice(-2_000);
    await close();
    throw new Error(`the server did not become ready: ${said}`, { cause: error });
  }
  return {
    origin: `http://127.0.0.1:${apiPort}`,
    siteOrigin: `http://127.0.0.1:${sitePort}`,
    pid: child.pid ?? 0,
    close,
  };
}

/** Reads the log in pieces, because that of a long measurement is longer than a string can be. */
async function assertNoKeyIn(file: string): Promise<void> {
  let end = '';
  for await (const piece of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    assertNoKey(`${end}${String(piece)}`);
    // A key may be split between two pieces.
    end = String(piece).slice(-100);
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > giveUpAt) throw new Error('it took longer than two minutes');
    await sleep(50);
  }
}

/** Ends a child process: first with SIGTERM, then with SIGKILL. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(force);
}
