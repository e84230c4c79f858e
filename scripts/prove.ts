import { parseArgs } from 'node:util';
import type { ProofName } from './claims.ts';
import { drills, runDrills } from './drills.ts';
import { keepEvidence, today } from './evidence.ts';
import { startPostgres } from './postgres.ts';
import { boardsOverHttp } from '../test/proofs/boards-over-http.ts';
import { cacheExact } from '../test/proofs/cache-exact.ts';
import { followedChanges } from '../test/proofs/changes.ts';
import { everyValueOccurs } from '../test/proofs/every-value-occurs.ts';
import { convertFuzz } from '../test/proofs/convert-fuzz.ts';
import { convertWorlds } from '../test/proofs/convert-worlds.ts';
import { crowd } from '../test/proofs/crowd.ts';
import { conformance } from '../test/proofs/conformance.ts';
import { demo } from '../test/proofs/demo.ts';
import { eraseKill } from '../test/proofs/erase-kill.ts';
import { factions } from '../test/proofs/factions.ts';
import { files } from '../test/proofs/files.ts';
import { firstMinute } from '../test/proofs/first-minute.ts';
import { fuzz } from '../test/proofs/fuzz.ts';
import { installDebian } from '../test/install/install-debian.ts';
import { release } from '../test/install/release.ts';
import { keptPages } from '../test/install/kept-pages.ts';
import { rollingRestart } from '../test/install/rolling-restart.ts';
import { image } from '../test/proofs/image/image.ts';
import { inStep } from '../test/proofs/in-step.ts';
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

// npm run prove [NAME…] [-- --small | --help]
//
// Runs the proofs at the stated size, those that make faults last (drills.ts). CI runs the same code at a smaller size. The
// measurements go into docs/evidence. To add one, also say what it shows in claims.ts. Exits with 1 when one is missed.
const proofs: Record<ProofName, Proof> = {
  'in-step': inStep,
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
  files,
  oracle,
  factions,
  'every-value-occurs': everyValueOccurs,
  conformance,
  fuzz,
  'boards-over-http': boardsOverHttp,
  walks,
  crowd,
  'cache-exact': cacheExact,
  changes: followedChanges,
  upgrade,
  restore,
  'site-pages': sitePages,
  'site-files': siteFiles,
  'site-look': siteLook,
  'site-live': siteLive,
  'site-hostile': siteHostile,
  'install-debian': installDebian,
  'rolling-restart': rollingRestart,
  'kept-pages': keptPages,
  release,
  demo,
  'one-club': oneClub,
  'first-minute': firstMinute,
  image,
};

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = values.small ? 'small' : 'stated';
const known = [...Object.keys(proofs), ...drills.map(({ name }) => name)];
if (values.help) {
  console.log(known.join('\n'));
  process.exit();
}
const names = positionals.length > 0 ? positionals : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no proof ${unknown.join(', ')}. The proofs are ${known.join(', ')}.`);
  process.exit(2);
}

const given = process.env['TEST_DATABASE_URL'];
const long = names.filter((name): name is ProofName => Object.hasOwn(proofs, name));
if (long.length > 0) {
  const throwaway = given === undefined ? await startPostgres() : undefined;
  try {
    for (const name of long) {
      console.log(`${name} …`);
      const figures = await proofs[name]({ serverUrl: given ?? throwaway?.url ?? '', size });
      for (const figure of figures) console.log(`  ${figure}`);
      if (size === 'stated') keepEvidence('proofs', { [name]: { measuredOn: today(), figures } });
    }
  } finally {
    await throwaway?.remove();
  }
}
const faults = names.filter((name) => !Object.hasOwn(proofs, name));
if (faults.length > 0 && (await runDrills(faults, size)) > 0) process.exitCode = 1;
