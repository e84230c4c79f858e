import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';

/** Follows docs/organisers.md up to the web space: `begin` ends with a preview, `save` with a folder. */
export async function followPreviewGuide(
  folder: string,
  [begin, save]: [begin: string, save: string],
  env: Record<string, string>,
): Promise<void> {
  // In a group of its own, as in a terminal: Ctrl-C reaches npx and the preview.
  const child = spawn('sh', ['-e', '-c', begin], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  try {
    const address = () => /^ {2}(http:\S+)$/m.exec(output)?.[1];
    await eventually(240_000, () => assert.ok(address() !== undefined || child.exitCode !== null));
    assert.equal(child.exitCode, null, output);
    const page = async (below = '') => (await fetch(`${address() ?? ''}${below}`)).text();
    assert.match(await page(), /Club Cup 2026/);
    const games = path.join(folder, 'games.csv');
    const text = await readFile(games, 'utf8');
    await writeFile(games, text.replace('14,14', '37,14'));
    await eventually(30_000, async () => assert.match(await page('/rounds?round=2'), />37</));
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  }
  assert.match(output, /The preview has ended\. Its data is deleted\./);
  await promisify(execFile)('sh', ['-e', '-c', save], { cwd: folder, env });
  assert.match(await readFile(path.join(folder, 'page/index.html'), 'utf8'), /Saved on .*Club Cup 2026/s);
}
