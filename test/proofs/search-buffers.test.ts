import { searchBuffers } from '../../harness/proofs/search-buffers.ts';
import { testSmall } from './test-small.ts';

testSmall({ searchBuffers });
