import type { PooledDatabase } from '../database/databases.ts';
import { createLastUse, type LastUse } from './last-use.ts';
import { keysChannel, parseNotice } from './notice.ts';
import { createKeyVerifier, type KeyVerifier } from './verifier.ts';

export interface KeyChecks {
  verifier: KeyVerifier;
  lastUse: LastUse;
  /** Handlers by channel, for the connection that receives notices. */
  onNotice: Record<string, (payload: string) => void>;
  /** Called when notices begin to arrive. Earlier ones may be lost. */
  onListening: () => void;
}

interface Log {
  info: (notice: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

/** Creates what a server needs to check keys and to record their use. */
export function createKeyChecks(
  [primary, ...replicas]: readonly [PooledDatabase, ...PooledDatabase[]],
  logger: Log,
): KeyChecks {
  const verifier = createKeyVerifier({ primary, replicas });
  return {
    verifier,
    lastUse: createLastUse(primary, (error) => {
      logger.warn({ err: error }, 'could not write the last use of keys; keeping it for the next time');
    }),
    onNotice: {
      [keysChannel]: (payload) => {
        const notice = parseNotice(payload);
        if (notice === undefined) return;
        verifier.apply(notice);
        logger.info(notice, 'a notice about keys');
      },
    },
    onListening() {
      // After a failover the old connections may still lead to the old primary.
      primary.renew();
      verifier.distrust();
    },
  };
}
