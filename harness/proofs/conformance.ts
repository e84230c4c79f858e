import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { keepEvidence } from '../evidence/evidence.ts';
import { keptByStatement, type Rule, sections } from '../conformance/sections.ts';
import { specification, statementsOf } from '../conformance/specification.ts';
import { type Proof, withFolder } from './proof.ts';

const root = new URL('../..', import.meta.url);
/** Runs the suite and writes docs/evidence/conformance.json from its results. */
export const conformance: Proof = () =>
  withFolder(async (folder) => {
    const files = globSync('test/conformance/*.test.ts', { cwd: root });
    const child = spawn(process.execPath, ['scripts/test.ts', ...files], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, CONFORMANCE_RESULTS: folder },
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    // The tests of our own endpoints (extra.test.ts) contain no rules of the specification.
    const written = (await readdir(folder)).toSorted();
    const results = await Promise.all(
      written.map(async (file) => JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Rule[]),
    );
    const rules = results.flat();
    const bySection = Map.groupBy(rules, ({ section }) => section);
    const kept = rules.filter((each) => each.kept).length;
    keepEvidence(
      'conformance',
      Object.fromEntries(sections.map((section) => [section, keptByStatement(bySection.get(section) ?? [])])),
    );
    const statements = [...statementsOf(specification).values()].flat().length;
    const figure = `${kept} of ${rules.length} rules are kept, for ${statements} rows and sentences of the specification.`;
    assert.ok(code === 0 && kept === rules.length, figure);
    return [figure];
  });
