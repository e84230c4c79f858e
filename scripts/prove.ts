import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from './postgres.ts';
import { boardsOverHttp } from '../test/proofs/boards-over-http.ts';
import { cacheExact } from '../test/proofs/cache-exact.ts';
import { everyValueOccurs } from '../test/proofs/every-value-occurs.ts';
import { convertFuzz } from '../test/proofs/convert-fuzz.ts';
import { convertWorlds } from '../test/proofs/convert-worlds.ts';
import { crowd } from '../test/proofs/crowd.ts';
import { conformance } from '../test/proofs/conformance.ts';
import { demo } from '../test/proofs/demo.ts';
import { eraseKill } from '../test/proofs/erase-kill.ts';
import { firstMinute } from '../test/proofs/first-minute.ts';
import { fuzz } from '../test/proofs/fuzz.ts';
import { installDebian } from '../test/install/install-debian.ts';
import { release } from '../test/install/release.ts';
import { rollingRestart } from '../test/install/rolling-restart.ts';
import { image } from '../test/proofs/image/image.ts';
import { importKill } from '../test/proofs/import-kill.ts';
import { importMemory } from '../test/proofs/import-memory.ts';
import { importOutage } from '../test/proofs/import-outage.ts';
import { importSpeed } from '../test/proofs/import-speed.ts';
import { oneClub } from '../test/proofs/one-club.ts';
import { oracle } from '../test/proofs/oracle.ts';
import type { Proof } from '../test/proofs/proof.ts';
import { publishKill } from '../test/proofs/publish-kill.ts';
import { publishResult } from '../test/proofs/publish-result.ts';
import { publishSpeed } from '../test/proofs/publish-speed.ts';
import { restore } from '../test/proofs/restore.ts';
import { searchBuffers } from '../test/proofs/search-buffers.ts';
import { siteFiles } from '../test/proofs/site-files.ts';
import { siteHostile } from '../test/proofs/site-hostile.ts';
import { siteLive } from '../test/proofs/site-live.ts';
import { siteLook } from '../test/proofs/site-look.ts';
import { sitePages } from '../test/proofs/site-pages.ts';
import { worldSize } from '../test/proofs/world-size.ts';
import { walks } from '../test/proofs/walks.ts';
import { upgrade } from '../test/upgrade/upgrade.ts';

// npm run prove [NAME…] [-- --small]
//
// Runs the long proofs at the stated size. CI runs the same code at a smaller size. The measurements go into
// docs/proofs.md, each under its own heading.
const proofs: Record<string, Proof> = {
  'import-kill': importKill,
  'import-outage': importOutage,
  'import-speed': importSpeed,
  'import-memory': importMemory,
  'convert-fuzz': convertFuzz,
  'convert-worlds': convertWorlds,
  'publish-kill': publishKill,
  'publish-result': publishResult,
  'publish-speed': publishSpeed,
  'search-buffers': searchBuffers,
  'erase-kill': eraseKill,
  'world-size': worldSize,
  oracle,
  'every-value-occurs': everyValueOccurs,
  conformance,
  fuzz,
  'boards-over-http': boardsOverHttp,
  walks,
  crowd,
  'cache-exact': cacheExact,
  upgrade,
  restore,
  'site-pages': sitePages,
  'site-files': siteFiles,
  'site-look': siteLook,
  'site-live': siteLive,
  'site-hostile': siteHostile,
  'install-debian': installDebian,
  'rolling-restart': rollingRestart,
  release,
  demo,
  'one-club': oneClub,
  'first-minute': firstMinute,
  image,
};

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(proofs);
const page = new URL('../docs/proofs.md', import.meta.url);
const given = process.env['TEST_DATABASE_URL'];
const throwaway = given === undefined ? await startPostgres() : undefined;

try {
  for (const name of names) {
    const proof = proofs[name];
    if (!proof)
      throw new Error(`There is no proof ${name}. The proofs are ${Object.keys(proofs).join(', ')}.`);
    console.log(`${name} …`);
    const size = values.small ? 'small' : 'stated';
    const figures = await proof({ serverUrl: given ?? throwaway?.url ?? '', size });
    for (const figure of figures) console.log(`  ${figure}`);
    if (!values.small) await writeSection(name, figures);
  }
} finally {
  await throwaway?.remove();
}

async function writeSection(name: string, figures: string[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const section = `## ${name}\n\n${figures.map((figure) => `- ${figure}`).join('\n')}\n- Measured ${today}.\n`;
  const sections = text.split(/^(?=## )/m);
  const at = sections.findIndex((each) => each.startsWith(`## ${name}\n`));
  if (at < 0) sections.push(section);
  else sections[at] = section;
  await writeFile(page, `${sections.map((each) => each.trimEnd()).join('\n\n')}\n`);
}
