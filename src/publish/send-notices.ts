import type { ClientBase } from 'pg';
import { encodeNotices, everythingNotice, type MovedThings, publishedChannel } from '../published/notice.ts';

/**
 * Sends notices. Call it in the transaction that moves the revisions, because PostgreSQL delivers the notices
 * with its commit, and only then.
 */
export async function sendNotices(client: ClientBase, moved: MovedThings): Promise<void> {
  const payloads = encodeNotices(moved);
  if (payloads.length === 0) return;
  await client.query({
    text: 'select pg_notify($1, payload) from unnest($2::text[]) as payload',
    values: [publishedChannel, payloads],
  });
}

/** Sends the notice for changes that are too many to name. */
export async function tellEverything(client: ClientBase): Promise<void> {
  await client.query('select pg_notify($1, $2)', [publishedChannel, everythingNotice]);
}
