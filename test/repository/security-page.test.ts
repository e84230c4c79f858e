import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createKey } from '../../src/keys/key.ts';
import { assertNoKey, keyInText } from '../../harness/support/no-key.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

test('the pattern for secret scanners finds every key that we make, and only its bytes', () => {
  const pattern = /^Pattern: `(.+)`$/m.exec(page)?.[1] ?? '';
  for (let i = 0; i < 1_000; i += 1) {
    const key = createKey();
    assert.equal(new RegExp(pattern).exec(`{"token":"${key}"}`)?.[0], key);
    assert.equal(keyInText.exec(`Bearer ${key}\n`)?.[0], key);
  }
  assert.equal(new RegExp(pattern).exec('svc_v1_something'), null);
});

test('the check of the logs finds a key', () => {
  assert.throws(() => assertNoKey(`{"url":"/api/v1/clubs?key=${createKey()}"}`), /contains a key/);
  assertNoKey('{"keyId":"12"}');
});

test('each of the ten risks names files that exist', () => {
  const risks = [...page.matchAll(/^- (API\d+ [^]*?)\n(?=- |\n)/gm)].map(([, risk = '']) => risk);
  assert.equal(risks.length, 10);
  for (const risk of risks) {
    const files = [...risk.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0, risk);
    for (const file of files) assert.ok(existsSync(path.join(root, 'test', file)), `${file} does not exist`);
  }
});

test('what answers requests calls no other server: it has no client for HTTP', () => {
  const files = globSync('src/{api,database,http,keys,read,serve,site}/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  assert.ok(files.length > 30);
  for (const file of files) {
    const code = readFileSync(path.join(root, file), 'utf8');
    // `cache.fetch(…)` is one of our own methods.
    assert.doesNotMatch(code, /(?<![.\w])fetch\(/, file);
    for (const [, names = ''] of code.matchAll(/import (?!type)([^;]+) from 'node:https?';/g))
      assert.doesNotMatch(names, /\b(get|request|Agent)\b/, file);
  }
});

test('every file that we write is one that we create, so a link cannot lead us to another', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const calls = files.flatMap((file) => {
    const code = readFileSync(path.join(root, file), 'utf8');
    const writes =
      /(?<![.\w])(?:(?:writeFile|appendFile)(?:Sync)?|createWriteStream)\([^;]*|(?<![.\w])open(?:Sync)?\(\w+, [^;]*/g;
    return [...code.matchAll(writes)].map(([call]) => ({ file, call }));
  });
  assert.ok(calls.length > 5);
  // A handle belongs to a file that is already open.
  for (const { file, call } of calls) assert.match(call, /'wx'|^\w+\(handle,/, file);
});

test('SECURITY.md names a way to report for an installation and for the code', () => {
  const [, report = ''] = /^## Report a vulnerability\n(.*?)^## /ms.exec(page) ?? [];
  assert.match(report, /`CONTACT_URL`/);
  assert.match(report, /public issue/);
});
