import type { Logger } from 'pino';
import type { Database, PooledDatabase } from '../database/databases.ts';
import { listen } from '../database/listener.ts';
import { publishedChannel } from '../published/notice.ts';
import { createAdmission, type WaitEnd } from './admission.ts';
import { createAnswerCache } from './answer-cache.ts';
import { slotsOf } from './owners.ts';
import { createNewestRevisions } from './newest-revisions.ts';
import { createReader } from './reader.ts';
import { createUnreadBytes } from '../http/unread-bytes.ts';

export interface ReadingOptions {
  databaseUrl: string;
  primary: PooledDatabase;
  replicas: Database[];
  connectionsPerDatabase: number;
  cacheMegabytes: number;
  inFlightMegabytes: number;
  onWaited: (ms: number, end: WaitEnd) => void;
  /** The time limit for a read that waits for its turn, in place of the usual one. */
  patienceMs?: number;
  /** Handlers of other notices on the same connection, by channel. */
  onNotice: Record<string, (payload: string) => void>;
  /** Called when notices begin to arrive. Earlier ones may be lost. */
  onListening: () => void;
  logger: Logger;
}

/**
 * Creates everything that reads published documents: admission, the limit on unread bytes, the reader, the
 * cache, and the notices that keep it current.
 */
export function createReading(options: ReadingOptions) {
  const { primary, replicas, logger } = options;
  const maxUnreadBytes = options.inFlightMegabytes * 1_024 * 1_024;
  const unread = createUnreadBytes({ maxBytes: maxUnreadBytes, onFreed: () => admission.letIn() });
  const slots = options.connectionsPerDatabase * Math.max(replicas.length, 1);
  const admission = createAdmission({
    slots: slots,
    maxOf: (owner) => slotsOf(owner, slots),
    hasRoom: unread.hasRoom,
    onWaited: options.onWaited,
    longestWaitMs: options.patienceMs,
  });
  const newestRevisions = createNewestRevisions();
  const isListening = () => notices.isListening();
  const reader = createReader({ primary, replicas, newestRevisions, isListening, admission, logger });
  const answers = createAnswerCache({
    newestRevisions,
    isListening,
    lastNoticeAt: () => notices.lastNoticeAt(),
    maxBytes: options.cacheMegabytes * 1_000_000,
  });
  const onMoved = (payload: string): void => {
    // A replica may lack what a forgotten notice named, and nothing would show it.
    if (newestRevisions.apply(payload) !== 'nothing') reader.distrustReplicas();
  };
  const notices = listen({
    url: options.databaseUrl,
    onNotice: { ...options.onNotice, [publishedChannel]: onMoved },
    onListening: () => {
      // After a failover the old connections may still lead to the old primary.
      primary.renew();
      options.onListening();
      newestRevisions.restart();
      reader.distrustReplicas();
      logger.info('listening for notices');
    },
    onLost: (error) => logger.warn({ err: error }, 'not listening for notices; trying again until it works'),
  });
  return {
    admission,
    unread,
    reader,
    answers,
    sources: {
      documentReads: admission.inside,
      waitingReads: admission.waiting,
      bytesInFlight: unread.used,
      maxBytesInFlight: maxUnreadBytes,
      replicaFailures: reader.replicaFailures,
      answerCache: answers.counts,
      isListening,
      noticedRevisions: newestRevisions.count,
    },
    async close(): Promise<void> {
      reader.close();
      await notices.close();
    },
  };
}
