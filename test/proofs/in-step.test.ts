import { inStep } from '../../harness/proofs/in-step.ts';
import { withoutSshd } from '../../harness/support/sshd.ts';
import { testSmall } from './test-small.ts';

testSmall({ inStep }, withoutSshd);
