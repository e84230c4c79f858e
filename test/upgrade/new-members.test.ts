import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withPreviousFiles } from './previous-version.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('changes.md and CHANGELOG.md name each member that the version before did not have', async () => {
  const now = await membersIn(root);
  const before = await withPreviousFiles(membersIn);
  const added = now.filter((member) => !before.includes(member));
  for (const page of ['docs/api/changes.md', 'CHANGELOG.md']) {
    const text = await readFile(path.join(root, page), 'utf8');
    const [, unreleased = ''] = /^## .*\(unreleased\)$(.*?)(?=^## |(?![^]))/ms.exec(text) ?? [];
    const untold = added.filter((member) => !unreleased.includes(`\`${member.split(' ')[1]}\``));
    assert.deepEqual(untold, [], page);
  }
});

/** `Club website`, and so on. */
async function membersIn(folder: string): Promise<string[]> {
  const document = JSON.parse(await readFile(path.join(folder, 'openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, { properties?: object }> };
  };
  return Object.entries(document.components.schemas).flatMap(([shape, { properties = {} }]) =>
    Object.keys(properties).map((member) => `${shape} ${member}`),
  );
}
