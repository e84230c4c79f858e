import { keptPages } from '../install/kept-pages.ts';
import { withoutProxies } from '../install/proxies.ts';
import { rollingRestart } from '../install/rolling-restart.ts';
import { withoutSshd } from '../support/sshd.ts';
import { followedChanges } from './changes.ts';
import { convertFuzz } from './convert-fuzz.ts';
import { convertWorlds } from './convert-worlds.ts';
import { importMemory } from './import-memory.ts';
import { inStep } from './in-step.ts';
import { testSmall } from './test-small.ts';

// Sheets, publishers of two versions, the memory of our own process, and servers that end behind a proxy.
testSmall({ importMemory, convertFuzz, convertWorlds, followedChanges });
testSmall({ rollingRestart, keptPages }, await withoutProxies());
testSmall({ inStep }, withoutSshd);
