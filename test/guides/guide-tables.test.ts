import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { extraErrors } from '../../src/contract/extra/errors.ts';
import { errors, unknownStage } from '../../src/contract/errors.ts';
import { languages } from '../../src/text/languages.ts';
import { tablesOf } from '../../harness/guides/guide-blocks.ts';

// The tables of docs/api that list parts of the contract are complete and contain nothing else.

const folder = new URL('../../docs/api/', import.meta.url);

test('errors.md has every status with its code, and no message that does not exist', async () => {
  const [statuses = []] = await readTables('errors.md');
  const catalogue = [...Object.values(errors), unknownStage(['swiss', 'knockout', 'standings'])];
  assert.deepEqual(
    statuses.map(([status, code = '']) => `${status} ${code.replaceAll('`', '')}`),
    [...new Set(catalogue.map(({ status, code }) => `${status} ${code}`))].toSorted(),
  );
  const page = await readFile(new URL('errors.md', folder), 'utf8');
  const messages = [...page.matchAll(/^- "([^"]+)":/gm)].map(([, message = '']) => message);
  assert.ok(messages.length > 5);
  const known = new Set(catalogue.map(({ message }) => message));
  assert.deepEqual(
    messages.filter((message) => !known.has(message)),
    [],
  );
});

/** Because of this, errors.md only needs the messages that require an explanation. */
test('the reference has every message, as an example of an answer', async () => {
  const read = async (name: string) => readFile(new URL(`../../${name}`, folder), 'utf8');
  const own = await read('openapi.json');
  const extra = await read('openapi-extra.json');
  for (const { message } of Object.values(errors)) {
    // No declared address gives this error.
    if (message === errors.endpointNotFound.message) continue;
    assert.ok(own.includes(JSON.stringify(message)), message);
  }
  for (const { message } of Object.values(extraErrors))
    assert.ok(extra.includes(JSON.stringify(message)), message);
});

test('changes.md has a section for each released version of the changelog', async () => {
  const versionsOf = async (page: string) =>
    [
      ...(await readFile(new URL(page, folder), 'utf8')).matchAll(/^## (\d+\.\d+\.\d+)(?! \(unreleased\))/gm),
    ].map(([, version]) => version);
  assert.deepEqual(await versionsOf('changes.md'), await versionsOf('../../CHANGELOG.md'));
});

test('organisers.md names every language that the pages may have', async () => {
  const page = await readFile(new URL('../organisers.md', folder), 'utf8');
  const [, codes = ''] = /`SITE_LANGUAGE` chooses their language, .*?\((.*?)\)/s.exec(page) ?? [];
  assert.deepEqual(
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    languages,
  );
});

async function readTables(name: string): Promise<string[][][]> {
  return tablesOf(await readFile(new URL(name, folder), 'utf8'));
}
