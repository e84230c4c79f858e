import { withoutProxies } from '../install/proxies.ts';
import { withoutBrowser } from '../serve/browser.ts';
import { preview } from './preview.ts';
import { siteHostile } from './site-hostile.ts';
import { siteLive } from './site-live.ts';
import { siteLook } from './site-look.ts';
import { sitePages } from './site-pages.ts';
import { testSmall } from './test-small.ts';

testSmall({ sitePages });
testSmall({ siteLook, siteHostile, siteLive }, withoutBrowser);
testSmall({ preview }, withoutBrowser || (await withoutProxies()));
