import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../at-end.ts';
import { lineOf, type Rule } from './rule-line.ts';

const rules: Rule[] = [];
const resultsFolder = process.env['CONFORMANCE_RESULTS'];
const page = new URL('../../docs/conformance.md', import.meta.url);
const listed = new Set(existsSync(page) ? readFileSync(page, 'utf8').split('\n') : []);

/** One named test per statement of the specification: a rule, a row of a table, a message. */
export function rule(section: string, statement: string, check: () => Promise<void> | void): void {
  const entry = { section, statement, kept: false };
  rules.push(entry);
  test(`${section} · ${statement}`, async () => {
    await check();
    entry.kept = true;
    if (resultsFolder !== undefined) return;
    const advice =
      'docs/conformance.md does not list it: run `npm run prove conformance` and commit the result';
    assert.ok(listed.has(lineOf(entry)), advice);
  });
}

if (resultsFolder !== undefined) {
  const name = path.basename(process.argv[1] ?? '', '.test.ts');
  atEnd(async () => writeFileSync(path.join(resultsFolder, `${name}.json`), JSON.stringify(rules)));
}
