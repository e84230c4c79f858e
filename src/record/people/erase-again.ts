import type { PoolClient } from 'pg';
import type { Marks } from '../backlog/marks.ts';
import { type CasualGuest, type Entry, eraseCasualGuests, eraseGuests } from './erase.ts';
import { erasePlayer } from './erase-person.ts';

/**
 * Erases the person of an audit entry that a restore has forgotten. Somebody who is not in the restored
 * database still stays erased when a feed sends them again. Returns the source for which such a player is
 * recorded. The transaction holds the lock of erasures.
 */
export async function eraseAgain(
  client: PoolClient,
  kind: 'player' | 'guest',
  thing: string,
  marks: Marks,
): Promise<string | undefined> {
  const [slug = '', participant] = thing.split('/');
  if (kind === 'player') {
    // The audit does not say who sent the player. It was probably whoever sent most of the others.
    const { rows } = await client.query<{ source: string }>(
      `insert into record.player (id, erased, erased_for_good, source)
        select $1, true, true, coalesce(mode() within group (order by source), 'main') from record.player
        on conflict do nothing returning source`,
      [thing],
    );
    await erasePlayer(client, thing, marks);
    return rows[0]?.source;
  }
  if (participant === undefined) await eraseCasualAgain(client, thing, marks);
  else {
    await client.query('insert into record.erased_guest values ($1, $2) on conflict do nothing', [
      slug,
      participant,
    ]);
    const { rows } = await client.query<Entry>(
      `select p.tournament_id, p.id from record.participant p join record.tournament t on t.id = p.tournament_id
        where t.slug = $1 and p.id = $2 and p.player is null`,
      [slug, participant],
    );
    await eraseGuests(client, rows);
    if (rows.length > 0) marks.add('tournament', slug);
  }
  return undefined;
}

/**
 * Erases the guests of a casual battle. The audit entry does not say which side it was, so if both were
 * guests, both are erased.
 */
async function eraseCasualAgain(client: PoolClient, battle: string, marks: Marks): Promise<void> {
  await client.query('insert into record.erased_casual_guest values ($1) on conflict do nothing', [battle]);
  const { rows } = await client.query<CasualGuest>(
    `select id as battle, side from record.battle,
        lateral (values ('first', first_name), ('second', second_name)) s (side, name)
      where id = $1 and tournament_id is null and s.name is not null`,
    [battle],
  );
  await eraseCasualGuests(client, rows);
  if (rows.length > 0) marks.add('battle', battle);
}
