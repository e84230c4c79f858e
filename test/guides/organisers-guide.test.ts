import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { factNames, headers } from '../../src/convert/headers.ts';
import { startProofServer } from '../../harness/proofs/serving.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { followPreviewGuide } from '../../harness/install/first-page.ts';
import { temporaryFolder } from '../../harness/support/preview.ts';
import { runSample } from './run-sample.ts';
import { allPages, allSamples, root, samplesRunBy } from '../../harness/guides/samples.ts';

// Follows docs/organisers.md in an empty folder.

const database = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-organiser-'));
atEnd(() => rm(folder, { recursive: true }));
const [convertAndImport = ''] = samplesRunBy(import.meta.filename).map(({ text }) => text);
const run = (text: string) => runSample(text, { DATABASE_URL: database.url, NO_COLOR: '1' }, folder);

test('from the template to a page, and to a folder for a web space', async () => {
  // `npm run prove release` runs these with the tarball, word for word.
  const [begin = '', save = ''] = allSamples()
    .filter(({ page }) => page === 'docs/organisers.md')
    .map(({ text }) => text.replaceAll(/^npx \.\/wartable-\d+\.\d+\.\d+\.tgz /gm, 'wartable '));
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const installed = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'src/cli.ts')}' "$@"\n`;
  await writeFile(path.join(bin, 'wartable'), installed, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, TMPDIR: await temporaryFolder(folder) };
  await followPreviewGuide({ folder, env }, [begin, save]);
});

test('the same sheets become an event on a server, as soon as they have a slug', async () => {
  await assert.rejects(run(convertAndImport), /event\.csv:2: slug: expected .* like club-cup-2026/);
  const sheet = path.join(folder, 'event.csv');
  await writeFile(sheet, (await readFile(sheet, 'utf8')).replace('slug,', 'slug,club-cup-2026'));
  const { stdout, stderr } = await run(convertAndImport);
  assert.match(stdout, / 0 refused/);
  assert.equal(stderr, '');
  const { rows } = await database.pool.query('select slug, published from record.tournament');
  assert.deepEqual(rows, [{ slug: 'club-cup-2026', published: false }]);
});

test('the sheets of the guide become the page of the pictures', async () => {
  await cp(path.join(root, 'docs/sheets'), folder, { recursive: true });
  const { stdout } = await run(convertAndImport);
  assert.match(
    stdout,
    /^autumn-cup-2026: 16 participants, 5 of 5 rounds played, then 2 of 2 in the knockout, champion "Dieter Große"$/m,
  );
  const site = await startProofServer(database.url);
  try {
    const page = await fetch(`${site.siteUrl}/tournaments/autumn-cup-2026`).then((answer) => answer.text());
    assert.match(page, /Herbstcup Nordtor 2026/);
    assert.match(page, /Dieter Große/);
    const bracket = await fetch(`${site.siteUrl}/tournaments/autumn-cup-2026?stage=knockout`);
    assert.match(await bracket.text(), /Semi-final/);
    const draft = await fetch(`${site.siteUrl}/tournaments/club-cup-2026`);
    assert.equal(draft.status, 404);
  } finally {
    await site.close();
  }
});

test('the page names every fact and every column that is known', () => {
  const { text = '' } = allPages().find(({ page }) => page === 'docs/organisers.md') ?? {};
  const names = [...factNames, ...headers.players.values(), ...headers.games.values()];
  assert.deepEqual(
    names.filter((name) => !text.includes(`\`${name}\``)),
    [],
  );
});
