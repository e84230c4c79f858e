// Removes what is recorded about a person: lists, the reasons for adjustments, and the name of a guest. The
// name of a player is in the player's own row. The transaction holds the lock of erasures alone.
import type { ClientBase } from 'pg';

/** A participant of a tournament. */
export interface Entry {
  tournament_id: number;
  id: string;
}

/** Erases the data of players whose own rows already say that they are erased. */
export async function eraseDataOfPlayers(client: ClientBase, players: string[]): Promise<void> {
  if (players.length === 0) return;
  const { rows } = await client.query<Entry>({
    text: 'select tournament_id, id from record.participant where player = any($1::text[])',
    values: [players],
  });
  await eraseDataOfEntries(client, rows);
  for (const side of ['first', 'second']) {
    await client.query({
      text: `update record.battle b set ${erasedList(side)}
        where b.${side}_player = any($1::text[]) and b.${side}_list ? 'text'`,
      values: [players],
    });
  }
}

/**
 * Erases the data of participants. Their rows stay, because these do not have the name of a registered
 * player.
 */
export async function eraseDataOfEntries(client: ClientBase, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const values = columnsOf(entries);
  await client.query({
    text: `update record.participant_list l set points = null, battle_tactic_cards = null, text = null from ${given}
      where l.tournament_id = given.tournament_id and l.participant = given.id and l.text is not null`,
    values,
  });
  await client.query({
    text: `update record.adjustment a set reason = null from ${given}
      where a.tournament_id = given.tournament_id and a.participant = given.id and a.reason is not null`,
    values,
  });
  for (const side of ['first', 'second']) {
    await client.query({
      text: `update record.battle b set ${erasedList(side)} from ${given}
        where b.tournament_id = given.tournament_id and b.${side}_participant = given.id and b.${side}_list ? 'text'`,
      values,
    });
  }
}

/**
 * Erases guests of tournaments. An erased guest has an empty name. The erasure is remembered, so that no
 * later feed brings them back.
 */
export async function eraseGuests(client: ClientBase, entries: Entry[]): Promise<void> {
  const values = columnsOf(entries);
  await client.query({
    text: `insert into record.erased_guest (tournament, participant)
      select t.slug, given.id from ${given} join record.tournament t on t.id = given.tournament_id
      on conflict do nothing`,
    values,
  });
  await client.query({
    text: `update record.participant p set name = '' from ${given}
      where p.tournament_id = given.tournament_id and p.id = given.id`,
    values,
  });
  await eraseDataOfEntries(client, entries);
}

/** A guest of a casual battle. */
export interface CasualGuest {
  battle: string;
  side: 'first' | 'second';
}

export async function eraseCasualGuests(client: ClientBase, guests: CasualGuest[]): Promise<void> {
  await client.query({
    text: `insert into record.erased_casual_guest (battle) select distinct unnest($1::text[]) on conflict do nothing`,
    values: [guests.map(({ battle }) => battle)],
  });
  for (const side of ['first', 'second'] as const) {
    await client.query({
      text: `update record.battle b set ${side}_name = '',
          ${erasedList(side)}
        where b.id = any($1::text[]) and b.tournament_id is null`,
      values: [guests.flatMap((guest) => (guest.side === side ? guest.battle : []))],
    });
  }
}

const given = 'unnest($1::integer[], $2::text[]) given (tournament_id, id)';

const columnsOf = (entries: Entry[]): unknown[] => [
  entries.map((entry) => entry.tournament_id),
  entries.map(({ id }) => id),
];

/** SQL that erases a list. The sub-faction stays, because boards and battles show it. */
const erasedList = (side: string): string =>
  `${side}_list = case when b.${side}_list is not null
    then jsonb_build_object('subFaction', b.${side}_list -> 'subFaction') end`;
