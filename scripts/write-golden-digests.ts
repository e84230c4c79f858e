import { readFile, writeFile } from 'node:fs/promises';
import { derivationVersion } from '../src/publish/compare.ts';
import { addDigests, deriveDigests, digestsFile, type Digests } from '../test/publish/golden-digests.ts';

// Adds the digests of the current derivationVersion to test/publish/golden/digests.json. It replaces none.
const recorded = JSON.parse(await readFile(digestsFile, 'utf8')) as Digests;
const digests = addDigests(recorded, derivationVersion, await deriveDigests());
await writeFile(digestsFile, `${JSON.stringify(digests, null, 2)}\n`);
