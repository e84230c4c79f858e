// Hands a thing, or everything of a source, over to another source.
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { noteEntry } from '../../audit/entries.ts';
import { inTransaction, type Pool } from '../../database/pool.ts';
import { addSource } from './health.ts';
import { findOwned, ownedKinds, type OwnedKind } from './ownership.ts';

/**
 * Hands over one thing. Returns the source that owned it, or undefined if there is no such thing. The
 * receiving source is created if it is new.
 */
export const giveThing = (
  pool: Pool,
  to: string,
  kind: OwnedKind,
  key: string,
): Promise<string | undefined> => inTransaction(pool, (client) => giveOwned(client, to, kind, key));

/**
 * Hands over everything of a source. Returns the number of things, or undefined if there is no such source.
 * The new owner is created if it is new.
 */
export const giveEverything = (pool: Pool, from: string, to: string): Promise<number | undefined> =>
  inTransaction(pool, (client) => giveEverythingOf(client, from, to));

export async function giveOwned(
  client: PoolClient,
  to: string,
  kind: OwnedKind,
  key: string,
): Promise<string | undefined> {
  const thing = await findOwned(client, kind, key);
  // A battle of a tournament goes with its tournament.
  if (thing?.kind !== kind) return undefined;
  if (thing.owner === to) return to;
  await addSource(client, to);
  const { table, key: column } = ownedKinds[kind];
  await client.query(`update ${table} set source = $2 where ${column} = $1`, [key, to]);
  // The name of a battle pack may have characters that an audit entry cannot have.
  const id = kind === 'battlePack' ? hash('md5', key) : key;
  const audited = kind === 'battlePack' ? 'battle pack' : kind;
  await noteEntry(client, { action: 'thing given', kind: audited, thing: `${to}/${id}` });
  return thing.owner;
}

export async function giveEverythingOf(
  client: PoolClient,
  from: string,
  to: string,
): Promise<number | undefined> {
  const { rowCount: isKnown } = await client.query('select from record.source where name = $1', [from]);
  if (!isKnown) return undefined;
  if (from === to) return 0;
  await addSource(client, to);
  let given = 0;
  for (const { table } of Object.values(ownedKinds)) {
    const { rowCount } = await client.query(`update ${table} set source = $2 where source = $1`, [from, to]);
    given += rowCount ?? 0;
  }
  if (given > 0) await noteEntry(client, { action: 'source given', kind: 'source', thing: `${from}/${to}` });
  return given;
}
