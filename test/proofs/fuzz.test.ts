import { fuzz } from '../../harness/proofs/fuzz.ts';
import { testSmall } from './test-small.ts';

testSmall({ fuzz });
