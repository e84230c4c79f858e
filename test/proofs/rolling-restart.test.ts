import { rollingRestart } from '../../harness/install/rolling-restart.ts';
import { withoutProxies } from '../../harness/install/proxies.ts';
import { testSmall } from './test-small.ts';

testSmall({ rollingRestart }, await withoutProxies());
