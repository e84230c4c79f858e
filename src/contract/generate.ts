import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { openapiDocument } from './openapi.ts';

// Writes openapi.json. With --check it writes nothing, and fails when the file is not what would be written.
const file = path.resolve(import.meta.dirname, '../../openapi.json');
const wanted = `${JSON.stringify(openapiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found !== wanted) {
    console.error(
      'openapi.json is not what src/contract describes. Run `npm run generate` and commit the result.',
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, wanted);
}
