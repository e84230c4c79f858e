import { siteLook } from '../../harness/proofs/site-look.ts';
import { withoutBrowser } from '../../harness/support/browser.ts';
import { testSmall } from './test-small.ts';

testSmall({ siteLook }, withoutBrowser);
