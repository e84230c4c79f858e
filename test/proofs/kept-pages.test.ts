import { keptPages } from '../../harness/install/kept-pages.ts';
import { withoutProxies } from '../../harness/install/proxies.ts';
import { testSmall } from './test-small.ts';

testSmall({ keptPages }, await withoutProxies());
