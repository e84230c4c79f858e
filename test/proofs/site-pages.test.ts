import { sitePages } from '../../harness/proofs/site-pages.ts';
import { testSmall } from './test-small.ts';

testSmall({ sitePages });
