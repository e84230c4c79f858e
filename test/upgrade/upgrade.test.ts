import { testSmall } from '../proofs/test-small.ts';
import { upgrade } from './upgrade.ts';

// Fewer requests than `npm run prove upgrade`, and other tests may run beside it.
testSmall({ upgrade });
