import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { claims } from '../../harness/evidence/claims.ts';

const root = new URL('../..', import.meta.url);
const kept = Object.keys(
  JSON.parse(readFileSync(new URL('docs/evidence/bench.json', root), 'utf8')) as object,
);

for (const [script, wanted] of Object.entries({
  'scripts/prove.ts': Object.keys(claims),
  'bench/bench.ts': kept,
})) {
  test(`${script} --help lists the names, and for a proof who relies on it, one line each`, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--help'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    const line = script.includes('prove') ? /^[a-z-]+ +\S.*\. Relied on by: .*\.$/ : /^[a-z0-9-]+$/;
    for (const each of lines) assert.match(each, line);
    const names = new Set(lines.map((each) => each.replace(/ .*/, '')));
    assert.deepEqual(
      wanted.filter((name) => !names.has(name)),
      [],
    );
  });
}
