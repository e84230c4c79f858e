import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { paste, untilWelcomed } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';

/** The environment in which somebody types the commands of a guide. */
export interface Terminal {
  folder: string;
  env: Record<string, string>;
  /** The command that starts a shell there. */
  shell?: string[];
}

/** Starts the demo, and pastes the requests that it prints. */
export async function followDemoGuide(terminal: Terminal, demo: string): Promise<void> {
  const child = start(terminal, demo);
  const ended = once(child, 'exit');
  try {
    const { curls } = await untilWelcomed(child);
    assert.equal(curls.length, 3);
    for (const curl of curls) assert.ok((await paste(curl)).data.length > 0, curl);
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  }
}

/** Follows docs/organisers.md up to the web space. `begin` ends with a preview, `save` with a folder. */
export async function followPreviewGuide(
  terminal: Terminal,
  [begin, save]: [begin: string, save: string],
): Promise<void> {
  const { folder } = terminal;
  const child = start(terminal, begin);
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  try {
    const address = () => /^ {2}(http:\S+)$/m.exec(output)?.[1];
    await eventually(() => assert.ok(address() !== undefined || child.exitCode !== null), 240_000);
    assert.equal(child.exitCode, null, output);
    const page = async (below = '') => (await fetch(`${address() ?? ''}${below}`)).text();
    assert.match(await page(), /Club Cup 2026/);
    const games = path.join(folder, 'games.csv');
    const text = await readFile(games, 'utf8');
    await writeFile(games, text.replace('14,14', '37,14'));
    await eventually(async () => assert.match(await page('/rounds?round=2'), />37</));
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  }
  assert.match(output, /The preview has ended\. Its data is deleted\./);
  const saving = start(terminal, save);
  const [code] = (await once(saving, 'exit')) as [number | null];
  assert.equal(code, 0);
  assert.match(await readFile(path.join(folder, 'page/index.html'), 'utf8'), /Saved on .*Club Cup 2026/s);
}

/** Asserts that the temporary directory is empty. */
export async function assertNothingIsLeft(tmp: string): Promise<void> {
  await eventually(async () => {
    // npm also keeps its compiled code there.
    const left = (await readdir(tmp)).filter((name) => name !== 'node-compile-cache');
    assert.deepEqual(left, []);
  });
}

function start({ folder, env, shell = ['sh'] }: Terminal, script: string) {
  const [command = '', ...words] = shell;
  return spawn(command, [...words, '-e', '-c', script], {
    cwd: folder,
    env,
    // A process group of its own, as in a terminal, where Ctrl-C reaches npx and what it starts.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
