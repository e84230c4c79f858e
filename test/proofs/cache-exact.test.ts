import { cacheExact } from '../../harness/proofs/cache-exact.ts';
import { testSmall } from './test-small.ts';

testSmall({ cacheExact });
