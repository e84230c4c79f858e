import { testSmall } from '../proofs/test-small.ts';
import { upgrade } from '../../harness/upgrade/upgrade.ts';

// Fewer requests than `npm run prove upgrade`, and other tests may run beside it.
testSmall({ upgrade });
