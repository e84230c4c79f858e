import { files } from '../../harness/proofs/files.ts';
import { testSmall } from './test-small.ts';

testSmall({ files });
