import { parseArgs } from 'node:util';
import { claims, type ProofName } from '../harness/evidence/claims.ts';
import { endDescendants } from './descendants.ts';
import { keepEvidence, measuredNow } from '../harness/evidence/evidence.ts';
import { startPostgres } from '../harness/support/postgres.ts';
import { installDebian } from '../harness/install/install-debian.ts';
import { keptPages } from '../harness/install/kept-pages.ts';
import { release } from '../harness/install/release.ts';
import { rollingRestart } from '../harness/install/rolling-restart.ts';
import { cacheExact } from '../harness/proofs/cache-exact.ts';
import { followedChanges } from '../harness/proofs/changes.ts';
import { conformance } from '../harness/proofs/conformance.ts';
import { convertFuzz } from '../harness/proofs/convert-fuzz.ts';
import { convertWorlds } from '../harness/proofs/convert-worlds.ts';
import { databases } from '../harness/proofs/databases.ts';
import { files } from '../harness/proofs/files.ts';
import { fuzz } from '../harness/proofs/fuzz.ts';
import { hostileCallers } from '../harness/proofs/hostile-callers.ts';
import { image } from '../harness/proofs/image.ts';
import { importMemory } from '../harness/proofs/import-memory.ts';
import { importOutage } from '../harness/proofs/import-outage.ts';
import { importSpeed } from '../harness/proofs/import-speed.ts';
import { inStep } from '../harness/proofs/in-step.ts';
import { kills } from '../harness/proofs/kills.ts';
import { oracle } from '../harness/proofs/oracle.ts';
import { preview } from '../harness/proofs/preview.ts';
import type { Proof } from '../harness/proofs/proof.ts';
import { publishResult } from '../harness/proofs/publish-result.ts';
import { publishSpeed } from '../harness/proofs/publish-speed.ts';
import { restore } from '../harness/proofs/restore.ts';
import { searchBuffers } from '../harness/proofs/search-buffers.ts';
import { siteHostile } from '../harness/proofs/site-hostile.ts';
import { siteLive } from '../harness/proofs/site-live.ts';
import { siteLook } from '../harness/proofs/site-look.ts';
import { sitePages } from '../harness/proofs/site-pages.ts';
import { walks } from '../harness/proofs/walks.ts';
import { upgrade } from '../harness/upgrade/upgrade.ts';

// npm run prove [NAME…] [-- --small | --help]
//
// Runs the proofs at the stated size, and keeps their figures in docs/evidence. CI runs the same code at a
// smaller size where it can. To add a proof, also state in claims.ts what it shows and who relies on it.
// Exits with 1 if one is missed. Some proofs need Linux, root, or programs of Debian, and say so.
const proofs: Record<ProofName, Proof> = {
  conformance,
  fuzz,
  oracle,
  walks,
  'cache-exact': cacheExact,
  changes: followedChanges,
  'search-buffers': searchBuffers,
  'publish-speed': publishSpeed,
  'publish-result': publishResult,
  'import-speed': importSpeed,
  'import-memory': importMemory,
  'import-outage': importOutage,
  'in-step': inStep,
  kills,
  files,
  'convert-fuzz': convertFuzz,
  'convert-worlds': convertWorlds,
  preview,
  'site-pages': sitePages,
  'site-look': siteLook,
  'site-live': siteLive,
  'site-hostile': siteHostile,
  'kept-pages': keptPages,
  databases,
  'hostile-callers': hostileCallers,
  upgrade,
  'rolling-restart': rollingRestart,
  restore,
  'install-debian': installDebian,
  image,
  release,
};

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const size = values.small ? 'small' : 'stated';
const known = Object.keys(proofs) as ProofName[];
if (values.help) {
  for (const name of known)
    console.log(`${name.padEnd(16)} ${claims[name].claim}. Relied on by: ${claims[name].reliedOnBy}`);
  process.exit();
}
const unknown = positionals.filter((name) => !Object.hasOwn(proofs, name));
if (unknown.length > 0) {
  console.error(`There is no proof ${unknown.join(', ')}. The proofs are ${known.join(', ')}.`);
  process.exit(2);
}

const given = process.env['TEST_DATABASE_URL'];
const throwaway = given === undefined ? await startPostgres() : undefined;
const leave = throwaway === undefined ? [] : [throwaway.pid()];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void endDescendants().then(() => process.exit(1)));
try {
  for (const name of known) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`${name} …`);
    try {
      const figures = await proofs[name]({ serverUrl: given ?? throwaway?.url ?? '', size });
      for (const figure of figures) console.log(`  ${figure}`);
      if (size === 'stated') keepEvidence('proofs', { [name]: { ...measuredNow(), figures } });
    } catch (error) {
      console.error(`MISSED ${name}:`, error);
      process.exitCode = 1;
    }
    // A proof that fails leaves behind the programs that it started.
    await endDescendants(leave);
  }
} finally {
  await throwaway?.remove();
}
