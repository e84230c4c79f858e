import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { keepEvidence } from '../../scripts/evidence.ts';
import { keptByStatement, type Rule, sections } from '../conformance/sections.ts';
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
    const results = await Promise.all(
      files.map(async (file) => {
        const name = path.basename(file, '.test.ts');
        return JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')) as Rule[];
      }),
    );
    const rules = results.flat();
    const bySection = Map.groupBy(rules, ({ section }) => section);
    const kept = rules.filter((each) => each.kept).length;
    keepEvidence(
      'conformance',
      Object.fromEntries(sections.map((section) => [section, keptByStatement(bySection.get(section) ?? [])])),
    );
    const figure = `${kept} of ${rules.length} statements are kept.`;
    assert.ok(code === 0 && kept === rules.length, figure);
    return [figure];
  });
