import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withPreviousFiles } from '../../harness/upgrade/previous-version.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('changes.md names each member that the version before did not have', async () => {
  const now = await membersIn(root);
  const { before, version } = await withPreviousFiles(async (folder) => ({
    before: await membersIn(folder),
    version: await versionIn(folder),
  }));
  const added = now.filter((member) => !before.includes(member));
  const text = await readFile(path.join(root, 'docs/api/changes.md'), 'utf8');
  // The text above the previous version, whether or not the present one has been released.
  const [told = '', older] = text.split(`\n## ${version}`);
  assert.ok(older !== undefined, `changes.md has no heading of ${version}`);
  assert.deepEqual(
    added.filter((member) => !told.includes(`\`${member.split(' ')[1]}\``)),
    [],
  );
});

/** Returns the members of all shapes, such as `Club website`. */
async function membersIn(folder: string): Promise<string[]> {
  const document = JSON.parse(await readFile(path.join(folder, 'openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, { properties?: object }> };
  };
  return Object.entries(document.components.schemas).flatMap(([shape, { properties = {} }]) =>
    Object.keys(properties).map((member) => `${shape} ${member}`),
  );
}

async function versionIn(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
