import type { Logger } from 'pino';
import { createDatabases, type Databases } from '../database/databases.ts';
import type { Pool } from '../database/pool.ts';

export const connectionsPerDatabase = 10;
/**
 * Short, because the look-up of a key comes first, and asking all databases must fit into a request's
 * deadline.
 */
const keyTimeouts = { connectTimeoutMs: 500, statementTimeoutMs: 800, queryTimeoutMs: 1_000 };
const timeouts = { connectTimeoutMs: 500, statementTimeoutMs: 2_000, queryTimeoutMs: 2_500 };

type ServerDatabases = Databases<'documents' | 'keys'>;

/** Opens the databases of a server. Changes in their availability are logged. */
export function openDatabases(
  { databaseUrl, readUrls, patienceMs }: { databaseUrl: string; readUrls: string[]; patienceMs?: number },
  logger: Logger,
): ServerDatabases {
  const patient = patienceMs === undefined ? {} : patientTimeouts(patienceMs);
  return createDatabases({
    primaryUrl: databaseUrl,
    replicaUrls: readUrls,
    kinds: {
      documents: { applicationName: 'wartable', size: connectionsPerDatabase, ...timeouts, ...patient },
      // Keys have their own connections, so that busy lists cannot block authentication.
      keys: { applicationName: 'wartable-keys', size: 4, ...keyTimeouts, ...patient },
    },
    onChange: (database, answers) => {
      const name = database === 0 ? 'the primary' : `replica ${database}`;
      if (answers) logger.info(`${name} answers again`);
      else logger.warn(`${name} does not answer; asking the others until it does`);
    },
  });
}

const patientTimeouts = (ms: number) => ({
  connectTimeoutMs: ms,
  statementTimeoutMs: ms,
  queryTimeoutMs: ms,
});

/** Returns the pools by the name that the metrics show. */
export function poolsOf({ of }: ServerDatabases): Record<string, Pool> {
  return Object.fromEntries(
    Object.entries(of).flatMap(([kind, databases]) =>
      databases.map(({ pool }, i): [string, Pool] => [i === 0 ? kind : `${kind}-replica-${i}`, pool]),
    ),
  );
}
