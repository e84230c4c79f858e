import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { extraDocument } from './openapi/extra-document.ts';
import { openapiDocument } from './openapi/document.ts';
import { derivationVersions } from '../src/publish/compare.ts';
import { migrate } from '../src/database/migrate.ts';
import { addDigests, deriveDigests, digestsFile, type Digests } from '../harness/golden/digests.ts';
import { clientTypes } from './client-types.ts';
import { evidencePage } from '../harness/evidence/evidence.ts';
import { feedPage } from './feed-page.ts';
import { headersPage } from './headers-page.ts';
import { nullsPage } from './nulls-page.ts';
import { startPostgres } from '../harness/support/postgres.ts';
import { withRoomsDrawn } from './rooms-drawing.ts';
import { previousCommit } from '../harness/upgrade/previous-version.ts';
import { root } from '../harness/support/root.ts';
import { schemaText } from '../harness/support/schema-text.ts';
import { settingsPage } from './settings-page.ts';

// npm run generate: writes the committed files that are generated from code. With --check it writes nothing,
// and fails if one of those that are quick to make differs. Tests check the other three, because they need a
// database, the golden tournaments or a whole world.
const madeFromCode: { file: string; from: string; make: (present: string) => string }[] = [
  {
    file: 'openapi.json',
    from: 'src/contract and scripts/openapi',
    make: () => `${JSON.stringify(openapiDocument(), null, 2)}\n`,
  },
  {
    file: 'openapi-extra.json',
    from: 'src/contract/extra and scripts/openapi',
    make: () => `${JSON.stringify(extraDocument(), null, 2)}\n`,
  },
  { file: 'docs/recipes/client/wartable.d.mts', from: 'src/contract', make: clientTypes },
  { file: 'docs/api/nulls.md', from: 'src/contract', make: nullsPage },
  { file: 'docs/feed.md', from: 'src/record/feed', make: feedPage },
  { file: 'docs/settings.md', from: 'src/config/config.ts', make: settingsPage },
  { file: 'docs/sheet-headers.md', from: 'src/convert', make: headersPage },
  { file: 'ARCHITECTURE.md', from: 'scripts/rooms.ts', make: withRoomsDrawn },
  { file: 'docs/evidence/README.md', from: 'the JSON beside it', make: evidencePage },
];

for (const { file, from, make } of madeFromCode) {
  const url = new URL(`../${file}`, import.meta.url);
  const present = await readFile(url, 'utf8').catch(() => '');
  const made = make(present);
  if (!process.argv.includes('--check')) await writeFile(url, made);
  else if (made !== present) {
    console.error(`${file} is not what ${from} says. Run \`npm run generate\` and commit the result.`);
    process.exitCode = 1;
  }
}
if (!process.argv.includes('--check')) {
  await writeSchema();
  await writeGoldenDigests();
  await writeWorldHash();
}

/** Writes the schema from a throwaway PostgreSQL. */
async function writeSchema(): Promise<void> {
  const postgres = await startPostgres();
  try {
    await migrate(postgres.url);
    await writeFile(new URL('../migrations/schema.sql', import.meta.url), await schemaText(postgres.url));
  } finally {
    await postgres.remove();
  }
}

/**
 * Adds the digests of the current versions of the derivations. It never replaces one, except before the first
 * release, when nobody has documents of version 1.
 */
async function writeGoldenDigests(): Promise<void> {
  const isReleased = (await previousCommit()) !== undefined;
  const recorded = isReleased ? (JSON.parse(await readFile(digestsFile, 'utf8')) as Digests) : {};
  const digests = addDigests(recorded, derivationVersions, await deriveDigests());
  await writeFile(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
}

/** Writes the hash that test/world/same-bytes.test.ts compares with. */
async function writeWorldHash(): Promise<void> {
  const options = ['src/cli.ts', 'world', '--seed', '7', '--battles', '3000'];
  const feed = execFileSync(process.execPath, options, { cwd: root, maxBuffer: 1e9 });
  await writeFile(new URL('test/world/same-bytes.sha256', root), `${hash('sha256', feed)}\n`);
}
