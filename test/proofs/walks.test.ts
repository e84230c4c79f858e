import { walks } from '../../harness/proofs/walks.ts';
import { testSmall } from './test-small.ts';

testSmall({ walks });
