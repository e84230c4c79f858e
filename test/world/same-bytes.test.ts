import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';

const cli = path.resolve(import.meta.dirname, '../../src/cli.ts');

test('the same seed gives the same bytes on every machine', async () => {
  const { hash } = await run(['--seed', '7', '--battles', '3000']);
  assert.equal(hash, (await run(['--seed', '7', '--battles', '3000'])).hash);
  // If the world was meant to change, run `npm run generate`.
  const recorded = await readFile(new URL('same-bytes.sha256', import.meta.url), 'utf8');
  assert.equal(hash, recorded.trim());
});

test('another seed gives another world, with no id in common', () => {
  const ids = (seed: number) => {
    const found = new Set<string>();
    for (const record of world({
      seed,
      battles: 1000,
      from: dayNumber('2024-01-01'),
      today: dayNumber('2025-01-01'),
    })) {
      if (record.kind === 'player' || record.kind === 'battle') found.add(record.id);
      if (record.kind === 'tournament' || record.kind === 'club') found.add(record.slug);
    }
    return found;
  };
  const first = ids(1);
  const second = ids(2);
  assert.ok(first.size > 200);
  assert.equal([...second].filter((id) => first.has(id)).length, 0);
});

test('memory does not grow with the size: 20,000 battles within 40 MB of heap', async () => {
  const { bytes, code } = await run(['--battles', '20000'], ['--max-old-space-size=40']);
  assert.equal(code, 0);
  assert.ok(bytes > 33_000_000, `${bytes} bytes`);
});

function run(
  options: string[],
  node: string[] = [],
): Promise<{ hash: string; bytes: number; code: number | null }> {
  const child = spawn(process.execPath, [...node, cli, 'world', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hash = createHash('sha256');
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ hash: hash.digest('hex'), bytes, code }));
  });
}
