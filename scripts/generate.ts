import { readFile, writeFile } from 'node:fs/promises';
import { openapiDocument } from '../src/contract/openapi.ts';
import { migrate } from '../src/database/migrate.ts';
import { derivationVersion } from '../src/publish/compare.ts';
import { addDigests, deriveDigests, digestsFile, type Digests } from '../test/publish/golden-digests.ts';
import { startPostgres } from './postgres.ts';
import { schemaText } from './schema-text.ts';

// npm run generate: writes the files that are made from code and committed. With --check it writes nothing, and fails
// when openapi.json differs. Tests check the other two, because they need a database or the golden tournaments.
if (process.argv.includes('--check')) await checkOpenapi();
else {
  await writeFile(openapiFile(), openapiText());
  await writeSchema();
  await writeGoldenDigests();
}

async function checkOpenapi(): Promise<void> {
  if ((await readFile(openapiFile(), 'utf8').catch(() => '')) === openapiText()) return;
  console.error(
    'openapi.json is not what src/contract describes. Run `npm run generate` and commit the result.',
  );
  process.exitCode = 1;
}

function openapiFile(): URL {
  return new URL('../openapi.json', import.meta.url);
}

function openapiText(): string {
  return `${JSON.stringify(openapiDocument(), null, 2)}\n`;
}

/** From a throwaway PostgreSQL. */
async function writeSchema(): Promise<void> {
  const postgres = await startPostgres();
  try {
    await migrate(postgres.url);
    await writeFile(new URL('../migrations/schema.sql', import.meta.url), await schemaText(postgres.url));
  } finally {
    await postgres.remove();
  }
}

/** Adds the digests of the current derivationVersion. It replaces none. */
async function writeGoldenDigests(): Promise<void> {
  const recorded = JSON.parse(await readFile(digestsFile, 'utf8')) as Digests;
  const digests = addDigests(recorded, derivationVersion, await deriveDigests());
  await writeFile(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
}
