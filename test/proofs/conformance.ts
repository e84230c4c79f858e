import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lineOf, type Rule, sections } from '../conformance/rule-line.ts';
import { type Proof, withFolder } from './proof.ts';

const root = new URL('../..', import.meta.url);
const head = `# Conformance

Every statement of the specification of \`/api/v1\`, in its order, each with a test of its own over HTTP on a real
PostgreSQL (\`test/conformance/\`). The suite feeds a small world to the import and the publisher, and writes out by hand what
the server has to show of it. \`npm run prove conformance\` writes this page from what the suite found; CI runs the suite and
fails when the page lists other statements than the suite has.
`;

/** Runs the suite and writes docs/conformance.md from its results. */
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
    const text = sections.map(
      (section) => `\n## ${section}\n\n${(bySection.get(section) ?? []).map(lineOf).join('\n')}\n`,
    );
    await writeFile(new URL('docs/conformance.md', root), `${head}${text.join('')}`);
    const kept = rules.filter((each) => each.kept).length;
    const figure = `${kept} of ${rules.length} statements are kept.`;
    assert.ok(code === 0 && kept === rules.length, figure);
    return [figure];
  });
