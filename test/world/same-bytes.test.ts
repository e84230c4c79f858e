import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { attend } from '../../src/world/people/attendance.ts';
import { dayOf } from '../../src/world/dates.ts';
import { exp, log } from '../../src/world/chance/exact-math.ts';
import { at, stream } from '../../src/world/chance/random.ts';
import { world } from '../../src/world/world.ts';

const cli = path.resolve(import.meta.dirname, '../../src/cli.ts');

test('the same seed gives the same bytes on every machine', async () => {
  const { hash } = await run(['--seed', '7', '--battles', '3000']);
  assert.equal(hash, (await run(['--seed', '7', '--battles', '3000'])).hash);
  // An intended change to the world changes this line and needs an entry in CHANGELOG.md.
  assert.equal(hash, 'cba299d2985dfb330849b25d58eca0eeb483ba78ce1b4b88738fa8827149263e');
});

test('another seed gives another world, with no id in common', () => {
  const ids = (seed: number) => {
    const found = new Set<string>();
    for (const record of world({
      seed,
      battles: 1000,
      from: dayOf('2024-01-01'),
      today: dayOf('2025-01-01'),
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

test('65 % attend once among a hundred events and among a thousand', () => {
  for (const events of [40, 100, 1000]) {
    const random = stream(events, 'attendance test');
    const places = Array.from({ length: events }, () => random.between(6, 60));
    const { players, seats } = attend(random, places);
    assert.deepEqual(
      seats.map((seated) => new Set(seated).size),
      places,
    );
    const times = new Int32Array(players);
    for (const player of seats.flat()) times[player] = (times[player] ?? 0) + 1;
    const once = times.filter((count) => count === 1).length / players;
    const tolerance = 2.5 * Math.sqrt((0.65 * 0.35) / players);
    assert.ok(Math.abs(once - 0.65) < tolerance, `${events} events: ${once} ± ${tolerance}`);
  }
});

test('exp and log agree with the engine to the last few bits', () => {
  const random = stream(1, 'exact');
  for (let i = 0; i < 10_000; i++) {
    const x = 20 * random.unit() - 10;
    assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-14, `exp(${x})`);
    assert.ok(Math.abs(log(exp(x)) - x) < 1e-11, `log(exp(${x}))`);
  }
});

test('normal numbers have a normal distribution, and two streams are independent', () => {
  const random = stream(1, 'normal');
  const values = Array.from({ length: 100_000 }, () => random.normal()).toSorted((a, b) => a - b);
  for (const [part, expected] of [
    [0.025, -1.96],
    [0.5, 0],
    [0.975, 1.96],
  ] as const) {
    assert.ok(Math.abs(at(values, part * values.length) - expected) < 0.03);
  }
  const firsts = new Set(Array.from({ length: 10_000 }, (_, i) => stream(1, 'a', i).bits()));
  assert.ok(firsts.size > 9_990);
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
