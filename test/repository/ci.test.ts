import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../..', import.meta.url);

test('CI runs the steps of `npm run verify`, all of them and no others', async () => {
  const workflow = await readFile(new URL('.github/workflows/ci.yml', root), 'utf8');
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const steps = scripts['verify']?.split(' && ');
  const jobs = /^ +script: \[(.*)\]$/m.exec(workflow)?.[1]?.split(', ');
  assert.deepEqual(
    steps,
    jobs?.map((script) => `npm run ${script}`),
  );
  for (const script of jobs ?? []) assert.ok(scripts[script], `package.json has no script ${script}`);
  assert.match(workflow, /^ +- run: npm run \$\{\{ matrix\.script \}\}$/m);
});
