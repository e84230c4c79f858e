import { siteLive } from '../../harness/proofs/site-live.ts';
import { withoutBrowser } from '../../harness/support/browser.ts';
import { testSmall } from './test-small.ts';

testSmall({ siteLive }, withoutBrowser);
