import { withoutProxies } from '../../harness/install/proxies.ts';
import { withoutBrowser } from '../../harness/support/browser.ts';
import { preview } from '../../harness/proofs/preview.ts';
import { siteHostile } from '../../harness/proofs/site-hostile.ts';
import { siteLive } from '../../harness/proofs/site-live.ts';
import { siteLook } from '../../harness/proofs/site-look.ts';
import { sitePages } from '../../harness/proofs/site-pages.ts';
import { testSmall } from './test-small.ts';

testSmall({ sitePages });
testSmall({ siteLook, siteHostile, siteLive }, withoutBrowser);
testSmall({ preview }, withoutBrowser || (await withoutProxies()));
