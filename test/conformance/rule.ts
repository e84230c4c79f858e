import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { readEvidence } from '../../harness/evidence/evidence.ts';
import type { Rule, Section } from '../../harness/conformance/sections.ts';

const rules: Rule[] = [];
const resultsFolder = process.env['CONFORMANCE_RESULTS'];

/**
 * Adds one named test per statement of the specification: a rule, a row of a table, a message. A section is
 * in one file. Call this only after the last await at the top level of the file, because otherwise the tests
 * that were added before would run, and the file would end, in the meantime.
 */
export function rule(section: Section, statement: string, check: () => Promise<void> | void): void {
  const entry = { section, statement, kept: false };
  rules.push(entry);
  test(`${section} · ${statement}`, async () => {
    await check();
    entry.kept = true;
  });
}

atEnd(async () => {
  if (resultsFolder !== undefined) {
    const name = path.basename(process.argv[1] ?? '', '.test.ts');
    writeFileSync(path.join(resultsFolder, `${name}.json`), JSON.stringify(rules));
    return;
  }
  const listed = readEvidence('conformance');
  const advice = 'docs/evidence lists other statements: run `npm run prove conformance` and commit it';
  for (const [section, each] of Map.groupBy(rules, (entry) => entry.section)) {
    const statements = each.map(({ statement }) => statement);
    assert.deepEqual(Object.keys(listed[section] ?? {}), statements, advice);
    assert.ok(Object.values(listed[section] ?? {}).every(Boolean), advice);
  }
});
