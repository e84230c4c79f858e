import { cacheExact } from './cache-exact.ts';
import { files } from './files.ts';
import { fuzz } from './fuzz.ts';
import { importOutage } from './import-outage.ts';
import { importSpeed } from './import-speed.ts';
import { kills } from './kills.ts';
import { publishResult } from './publish-result.ts';
import { searchBuffers } from './search-buffers.ts';
import { testSmall } from './test-small.ts';
import { walks } from './walks.ts';

testSmall({ kills, importOutage, importSpeed, publishResult, searchBuffers, files, fuzz, walks, cacheExact });
