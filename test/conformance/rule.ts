import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../support/at-end.ts';
import { lineOf, type Rule, type Section } from './rule-line.ts';

const rules: Rule[] = [];
const resultsFolder = process.env['CONFORMANCE_RESULTS'];
const page = new URL('../../docs/conformance.md', import.meta.url);

/**
 * One named test per statement of the specification: a rule, a row of a table, a message. A section is in one file. To be
 * called after the last await at the top of the file: the tests made before it would run, and the file end, meanwhile.
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
  const listed = linesBySection();
  const advice = 'docs/conformance.md lists other statements: run `npm run prove conformance` and commit it';
  for (const [section, each] of Map.groupBy(rules, (entry) => entry.section)) {
    const lines = each.map((entry) => lineOf({ ...entry, kept: true }));
    assert.deepEqual(listed.get(section), lines, advice);
  }
});

function linesBySection(): Map<string, string[]> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const parts = text.split('\n## ').slice(1);
  return new Map(
    parts.map((part) => {
      const [section = '', ...lines] = part.split('\n');
      return [section, lines.filter((line) => line !== '')];
    }),
  );
}
