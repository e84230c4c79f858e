import { importMemory } from '../../harness/proofs/import-memory.ts';
import { testSmall } from './test-small.ts';

testSmall({ importMemory });
