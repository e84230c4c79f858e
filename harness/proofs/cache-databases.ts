import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { loginUrl } from '../support/on-server.ts';
import { startSwitch } from '../support/switch.ts';
import { onClient } from './proof.ts';
import { fillDatabase } from './three-databases.ts';

/** A primary and a streaming replica behind fixed addresses. The replica can take over from the primary. */
export interface Databases {
  key: string;
  /** A fixed address, with the login of a server. */
  primaryUrl: string;
  replicaUrl: string;
  onPrimary: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
  onReplica: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
  /** Stops replication for good, so that a promotion loses the commits that follow. */
  cutReplication: () => Promise<void>;
  /** Crashes the primary, promotes the replica, and starts a new replica. */
  promote: () => Promise<void>;
  remove: () => Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const root = await startPostgres();
  const clusters = [root];
  let [primary, replica]: [Postgres, Postgres] = [root, root];
  try {
    const [key = ''] = await fillDatabase(root.url, 1);
    await onClient(root.url, (client) => client.query(atTheStart));
    replica = await root.startStandby();
    clusters.push(replica);
    const toPrimary = await startSwitch(portOf(primary));
    const toReplica = await startSwitch(portOf(replica));
    const servingUrl = (port: number) => {
      const url = new URL(loginUrl(root.url, 'serving'));
      url.port = String(port);
      return url.href;
    };
    return {
      key,
      primaryUrl: servingUrl(toPrimary.port),
      replicaUrl: servingUrl(toReplica.port),
      onPrimary: (work) => onClient(primary.url, work),
      onReplica: (work) => onClient(replica.url, work),
      cutReplication: () =>
        onClient(replica.url, async (client) => {
          await client.query("alter system set primary_conninfo = ''");
          await client.query('select pg_reload_conf()');
        }),
      async promote() {
        await primary.stop('immediate');
        await onClient(replica.url, async (client) => {
          const { rows } = await client.query('select pg_promote(true, 30) as done');
          assert.equal(rows[0].done, true);
        });
        primary = replica;
        // This stops the new primary for a moment.
        replica = await primary.startStandby();
        clusters.push(replica);
        toPrimary.to(portOf(primary));
        toReplica.to(portOf(replica));
      },
      async remove() {
        await Promise.all([toPrimary.close(), toReplica.close()]);
        for (const cluster of clusters.toReversed()) await cluster.stop('immediate');
        await root.remove();
      },
    };
  } catch (error) {
    await root.remove();
    throw error;
  }
}

function portOf({ url }: Postgres): number {
  return Number(new URL(url).port);
}

/** Puts `seq 0` into every document. */
const atTheStart = `
  update published.tournament set document = replace(document, 'Five rounds', 'seq 0');
  update published.standings set document = replace(document, 'Lanternsworn', 'seq 0');
  update published.participant set document = replace(document, '"group":null', '"group":"seq 0"');
  update published.club set document = replace(document, 'Thursday', 'seq 0')`;

export async function untilListening(opsUrls: string[]): Promise<void> {
  for (const giveUpAt = performance.now() + 120_000; ; await sleep(20)) {
    const metrics = await Promise.all(opsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
    if (metrics.every((text) => /^wartable_listening 1$/m.test(text))) return;
    assert.ok(performance.now() < giveUpAt, 'a server does not listen again');
  }
}
