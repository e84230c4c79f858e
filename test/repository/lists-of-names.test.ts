import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { claims } from '../../scripts/claims.ts';
import { drills } from '../../scripts/drills.ts';

const root = new URL('../..', import.meta.url);
const kept = Object.keys(
  JSON.parse(readFileSync(new URL('docs/evidence/bench.json', root), 'utf8')) as object,
);

for (const [script, wanted] of Object.entries({
  'scripts/prove.ts': [...Object.keys(claims), ...drills.map(({ name }) => name)],
  'bench/bench.ts': kept,
})) {
  test(`${script} --help lists the names, one line each`, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--help'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
    const names = stdout.trimEnd().split('\n');
    for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
    assert.deepEqual(
      wanted.filter((name) => !names.includes(name)),
      [],
    );
  });
}
