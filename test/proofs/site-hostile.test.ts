import { siteHostile } from '../../harness/proofs/site-hostile.ts';
import { withoutBrowser } from '../../harness/support/browser.ts';
import { testSmall } from './test-small.ts';

testSmall({ siteHostile }, withoutBrowser);
