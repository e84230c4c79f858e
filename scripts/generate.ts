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
import { schemaText } from '../harness/support/schema-text.ts';
import { settingsPage } from './settings-page.ts';

// npm run generate: writes the committed files that are generated from code. With --check it writes nothing,
// and fails if a file that needs no database differs. The other two are checked by tests, because they need a
// database or the golden tournaments.
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

/** Adds the digests of the current versions of the derivations. It never replaces one. */
async function writeGoldenDigests(): Promise<void> {
  const recorded = JSON.parse(await readFile(digestsFile, 'utf8')) as Digests;
  const digests = addDigests(recorded, derivationVersions, await deriveDigests());
  await writeFile(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
}
