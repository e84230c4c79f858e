import { importOutage } from '../../harness/proofs/import-outage.ts';
import { testSmall } from './test-small.ts';

testSmall({ importOutage });
