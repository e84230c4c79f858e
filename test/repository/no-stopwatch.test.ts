import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

// A busy machine is not a bug. CONTRIBUTING.md says what tests do instead.

const root = path.resolve(import.meta.dirname, '../..');
const faults: Record<string, RegExp> = {
  'an elapsed time has an upper bound': /\b(Date|performance)\.now\(\) (- \w+ <|< \w+ \+)/,
  'the time of the processor is measured': /\bcpuUsage\(|\bhrtime\b/,
  "a socket's reset counts as a failure to end": /\bonce\(\w*socket\w*, '(close|end)'/i,
};

test('no test judges by the speed of the machine', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root });
  assert.ok(files.length > 200);
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return Object.entries(faults).flatMap(([what, pattern]) =>
      pattern.test(text) ? `${file}: ${what}` : [],
    );
  });
  assert.deepEqual(found, []);
});
