import { kills } from '../../harness/proofs/kills.ts';
import { testSmall } from './test-small.ts';

testSmall({ kills });
