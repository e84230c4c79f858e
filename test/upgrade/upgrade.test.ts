import { testSmall } from '../proofs/test-small.ts';
import { upgrade } from '../../harness/upgrade/upgrade.ts';

// There are fewer requests than in `npm run prove upgrade`, and other tests may run at the same time.
testSmall({ upgrade });
