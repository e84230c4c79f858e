import { followedChanges } from '../../harness/proofs/changes.ts';
import { testSmall } from './test-small.ts';

testSmall({ followedChanges });
