import { keptPages } from '../../harness/install/kept-pages.ts';
import { withoutProxies } from '../../harness/install/proxies.ts';
import { rollingRestart } from '../../harness/install/rolling-restart.ts';
import { withoutSshd } from '../../harness/support/sshd.ts';
import { followedChanges } from '../../harness/proofs/changes.ts';
import { convertFuzz } from '../../harness/proofs/convert-fuzz.ts';
import { convertWorlds } from '../../harness/proofs/convert-worlds.ts';
import { importMemory } from '../../harness/proofs/import-memory.ts';
import { inStep } from '../../harness/proofs/in-step.ts';
import { testSmall } from './test-small.ts';

// Sheets, publishers of two versions, the memory of our own process, and servers that end behind a proxy.
testSmall({ importMemory, convertFuzz, convertWorlds, followedChanges });
testSmall({ rollingRestart, keptPages }, await withoutProxies());
testSmall({ inStep }, withoutSshd);
