import { convertFuzz } from '../../harness/proofs/convert-fuzz.ts';
import { testSmall } from './test-small.ts';

testSmall({ convertFuzz });
