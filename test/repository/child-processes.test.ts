import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');

test('every child process hides its window, because people on Windows would close it', () => {
  let calls = 0;
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!text.includes("from 'node:child_process'")) continue;
    const starts = text.match(/\bspawn\(|promisify\(execFile\)\(/g)?.length ?? 0;
    const hidden = text.match(/windowsHide: true/g)?.length ?? 0;
    assert.ok(starts > 0 && hidden >= starts, `${file} starts ${starts}, and hides ${hidden}`);
    calls += starts;
  }
  assert.ok(calls >= 6, `${calls} calls`);
});
