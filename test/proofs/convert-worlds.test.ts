import { convertWorlds } from '../../harness/proofs/convert-worlds.ts';
import { testSmall } from './test-small.ts';

testSmall({ convertWorlds });
