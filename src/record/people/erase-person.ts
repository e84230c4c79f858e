import type { PoolClient } from 'pg';
import { noteEntry } from '../../audit/entries.ts';
import { inTransaction, type Pool } from '../../database/pool.ts';
import { type AppendedMark, Marks, markPlayer } from '../backlog/marks.ts';
import { eraseCasualGuests, eraseDataOfPlayers, eraseGuests } from './erase.ts';
import { holdErasures } from './erasures-lock.ts';
import type { NamePattern } from './name-pattern.ts';
import { findGuests, type Subject } from './person.ts';

/** A player, or guests by name, in one tournament or everywhere. */
export type Erasure = { player: string } | { guest: NamePattern; tournament: string | undefined };

/**
 * Erases a person in one transaction, which also appends the marks. No import records anything meanwhile:
 * what was recorded before is erased here, and an import that begins later knows of the erasure. Returns what
 * must be published.
 */
export function erasePerson(pool: Pool, person: Erasure): Promise<AppendedMark[]> {
  return inTransaction(pool, async (client) => {
    await holdErasures(client);
    const marks = new Marks();
    if ('player' in person) await erasePlayer(client, person.player, marks);
    // Look for the guests again, because an import may have recorded more of them.
    else await eraseFoundGuests(client, await findGuests(client, person.guest, person.tournament), marks);
    return marks.append(client);
  });
}

export async function erasePlayer(client: PoolClient, id: string, marks: Marks): Promise<void> {
  const { rowCount } = await client.query(
    `update record.player set name = null, erased = true, erased_for_good = true
      where id = $1 and not erased_for_good`,
    [id],
  );
  await eraseDataOfPlayers(client, [id]);
  if (rowCount === 1) await noteEntry(client, { action: 'player erased', kind: 'player', thing: id });
  await markPlayer(client, id, marks);
}

async function eraseFoundGuests(
  client: PoolClient,
  { entries, casual }: Subject,
  marks: Marks,
): Promise<void> {
  await eraseGuests(client, entries);
  await eraseCasualGuests(client, casual);
  const { rows } = await client.query<{ id: number; slug: string }>(
    'select id, slug from record.tournament where id = any($1::integer[])',
    [entries.map((entry) => entry.tournament_id)],
  );
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
  for (const { tournament_id, id } of entries) {
    const slug = slugs.get(tournament_id) ?? '';
    marks.add('tournament', slug);
    await noteEntry(client, { action: 'guest erased', kind: 'guest', thing: `${slug}/${id}` });
  }
  for (const { battle } of casual) {
    marks.add('battle', battle);
    await noteEntry(client, { action: 'guest erased', kind: 'guest', thing: battle });
  }
}
