import { cacheExact } from '../../harness/proofs/cache-exact.ts';
import { files } from '../../harness/proofs/files.ts';
import { fuzz } from '../../harness/proofs/fuzz.ts';
import { importOutage } from '../../harness/proofs/import-outage.ts';
import { importSpeed } from '../../harness/proofs/import-speed.ts';
import { kills } from '../../harness/proofs/kills.ts';
import { publishResult } from '../../harness/proofs/publish-result.ts';
import { searchBuffers } from '../../harness/proofs/search-buffers.ts';
import { testSmall } from './test-small.ts';
import { walks } from '../../harness/proofs/walks.ts';

testSmall({ kills, importOutage, importSpeed, publishResult, searchBuffers, files, fuzz, walks, cacheExact });
