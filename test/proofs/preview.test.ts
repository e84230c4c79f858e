import { preview } from '../../harness/proofs/preview.ts';
import { withoutBrowser } from '../../harness/support/browser.ts';
import { withoutProxies } from '../../harness/install/proxies.ts';
import { testSmall } from './test-small.ts';

testSmall({ preview }, withoutBrowser || (await withoutProxies()));
