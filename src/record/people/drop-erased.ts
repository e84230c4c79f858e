// Removes from the rows of an import what is not recorded about erased people, because an erasure outlives
// every later feed. The rows then equal the stored ones, so sending the same feed again writes nothing. Call
// it under the lock of erasures.
import type { ClientBase } from 'pg';
import type { ColumnValue } from '../../database/row.ts';
import type { TournamentPart, TournamentRow } from '../tables.ts';
import { eraseDataOfEntries } from './erase.ts';

type TournamentRows = { [Part in TournamentPart]: TournamentRow<Part>[] };
type BattleCells = TournamentRow<'battles'>;
const sides = ['first', 'second'] as const;

/** Changes the rows. Returns the erased participants among them, by `entryKey`. */
export async function dropErased(client: ClientBase, rows: TournamentRows): Promise<Set<string>> {
  await rememberSentGuests(client, rows);
  const sent = new Map(rows.participants.map((row) => [entryKey(row.tournament_id, row.id), row.player]));
  const erased = await findErased(client, rows, sent);
  if (erased.size === 0) return erased;
  const isErased = (tournament: ColumnValue, participant: ColumnValue): boolean =>
    erased.has(entryKey(tournament, participant));
  for (const row of rows.participants) {
    // The erasure of a guest applies to the participant, so it remains when a later feed names a player
    // instead of the guest.
    if (erased.has(guestKey(row.tournament_id, row.id))) Object.assign(row, { player: null, name: '' });
  }
  for (const row of rows.lists) {
    if (isErased(row.tournament_id, row.participant))
      Object.assign(row, { points: null, battle_tactic_cards: null, text: null });
  }
  for (const row of rows.adjustments) {
    if (isErased(row.tournament_id, row.participant)) row.reason = null;
  }
  for (const row of rows.battles) {
    for (const side of sides) {
      if (isErased(row.tournament_id, row[`${side}_participant`])) dropList(row, side);
    }
  }
  return erased;
}

/**
 * Erases the recorded lists and reasons of participants who were already recorded and have now become erased
 * players. `written` has the participants whose row was written, as `<tournament id> <id>`.
 */
export async function eraseWritten(
  client: ClientBase,
  erased: Set<string>,
  written: Set<string>,
): Promise<void> {
  const entries = [...erased].filter((entry) => written.has(entry));
  await eraseDataOfEntries(
    client,
    entries.map((entry) => {
      const [tournament, id = ''] = entry.split(' ');
      return { tournament_id: Number(tournament), id };
    }),
  );
}

/** Does the same for the rows of casual battles. */
export async function dropErasedCasually(client: ClientBase, rows: BattleCells[]): Promise<void> {
  const players = new Set<ColumnValue>();
  const guests = new Set<ColumnValue>();
  for (const row of rows) {
    for (const side of sides) {
      if (row[`${side}_name`] !== null) guests.add(row.id);
      else if (row[`${side}_list`] !== null) players.add(row[`${side}_player`]);
    }
  }
  if (players.size === 0 && guests.size === 0) return;
  await rememberCasualGuests(
    client,
    rows.filter(({ id }) => guests.has(id)),
  );
  const { rows: found } = await client.query<{ player: string | null; battle: string; names: string[] }>({
    text: `select id as player, null as battle, null as names from record.player where id = any($1::text[]) and erased
      union all
      select null, e.battle, array[b.first_name, b.second_name] from record.erased_casual_guest e
        left join record.battle b on b.id = e.battle and b.tournament_id is null where e.battle = any($2::text[])`,
    values: [[...players], [...guests]],
  });
  const erased = new Set<ColumnValue>(found.flatMap(({ player }) => player ?? []));
  // Such a battle accepts only the names of guests that it already has. The sides may come in the other
  // order.
  const names = new Map(found.flatMap((row) => (row.player === null ? [[row.battle, row.names]] : [])));
  for (const row of rows) {
    const kept = names.get(String(row.id));
    for (const side of sides) {
      const name = row[`${side}_name`];
      const isErasedGuest =
        name === '' || (kept !== undefined && name !== null && !kept.includes(String(name)));
      if (isErasedGuest) row[`${side}_name`] = '';
      if (isErasedGuest || erased.has(row[`${side}_player`])) dropList(row, side);
    }
  }
  // Insert these only now, because otherwise a new battle would lose the name of its other guest.
  const told = rows.filter((row) => sides.some((side) => row[`${side}_name`] === ''));
  if (told.length > 0)
    await client.query({
      text: 'insert into record.erased_casual_guest (battle) select unnest($1::text[]) on conflict do nothing',
      values: [told.map(({ id }) => id)],
    });
}

/**
 * Remembers players whom an operator erased and whom a platform then turned into guests with the same name.
 * The guests are erased, too.
 */
async function rememberCasualGuests(client: ClientBase, rows: BattleCells[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    text: `insert into record.erased_casual_guest (battle)
      select b.id from unnest($1::text[], $2::text[], $3::text[]) sent (id, first_player, second_player)
        join record.battle b on b.id = sent.id and b.tournament_id is null
      where num_nulls(sent.first_player, sent.second_player) > num_nulls(b.first_player, b.second_player)
        and exists (select from record.player q where q.erased_for_good and q.id in (b.first_player, b.second_player)
          and q.id is distinct from sent.first_player and q.id is distinct from sent.second_player)
      on conflict do nothing`,
    values: [
      rows.map((row) => row.id),
      rows.map((row) => row.first_player),
      rows.map((row) => row.second_player),
    ],
  });
}

/** Remembers guests who are erased according to the feed itself. This lasts like an erasure by command. */
async function rememberSentGuests(client: ClientBase, { participants }: TournamentRows): Promise<void> {
  const erased = participants.filter(({ name }) => name === '');
  if (erased.length === 0) return;
  await client.query({
    text: `insert into record.erased_guest (tournament, participant)
      select t.slug, sent.id from unnest($1::integer[], $2::text[]) sent (tournament_id, id)
        join record.tournament t on t.id = sent.tournament_id on conflict do nothing`,
    values: [erased.map((row) => row.tournament_id), erased.map(({ id }) => id)],
  });
}

/** Does the same as `rememberCasualGuests` for participants. */
async function rememberGuests(client: ClientBase, sent: Map<string, ColumnValue>): Promise<void> {
  const guests = [...sent].flatMap(([entry, player]) => (player === null ? [entry.split(' ')] : []));
  if (guests.length === 0) return;
  await client.query({
    text: `insert into record.erased_guest (tournament, participant)
      select t.slug, p.id from unnest($1::integer[], $2::text[]) sent (tournament_id, id)
        join record.participant p using (tournament_id, id)
        join record.player q on q.id = p.player and q.erased_for_good
        join record.tournament t on t.id = p.tournament_id
      on conflict do nothing`,
    values: [guests.map(([tournament]) => tournament), guests.map(([, id]) => id)],
  });
}

const entryKey = (tournament: ColumnValue, participant: ColumnValue): string =>
  `${String(tournament)} ${String(participant)}`;
/** Differs from every other key, because no id of a participant has a space. */
const guestKey = (tournament: ColumnValue, participant: ColumnValue): string =>
  `guest ${entryKey(tournament, participant)}`;

async function findErased(
  client: ClientBase,
  rows: TournamentRows,
  sent: Map<string, ColumnValue>,
): Promise<Set<string>> {
  const recorded = untoldEntries(rows, sent);
  if (sent.size === 0 && recorded.length === 0) return new Set();
  const tournaments = new Set([
    ...rows.participants.map((row) => row.tournament_id),
    ...recorded.map(([tournament]) => tournament),
  ]);
  const players = new Set([...sent.values()].filter((player) => player !== null));
  await rememberGuests(client, sent);
  const { rows: found } = await client.query<{ tournament_id: number; id: string; kind: string }>({
    text: `select t.id as tournament_id, g.participant as id, 'guest' as kind from record.erased_guest g
        join record.tournament t on t.slug = g.tournament where t.id = any($1::integer[])
      union all select p.tournament_id, p.id, 'entry' from unnest($2::integer[], $3::text[]) asked (tournament_id, id)
        join record.participant p using (tournament_id, id) join record.player q on q.id = p.player where q.erased
      union all select null, id, 'player' from record.player where id = any($4::text[]) and erased`,
    values: [
      [...tournaments],
      recorded.map(([tournament]) => tournament),
      recorded.map(([, id]) => id),
      [...players],
    ],
  });
  const erased = new Set<string>();
  const erasedPlayers = new Set<ColumnValue>();
  for (const { tournament_id, id, kind } of found) {
    if (kind === 'player') erasedPlayers.add(id);
    else erased.add(entryKey(tournament_id, id));
    if (kind === 'guest') erased.add(guestKey(tournament_id, id));
  }
  for (const [entry, player] of sent) if (erasedPlayers.has(player)) erased.add(entry);
  return erased;
}

/** Returns participants that are not among the rows, but whose lists or reasons are. */
function untoldEntries(rows: TournamentRows, sent: Map<string, ColumnValue>): [ColumnValue, ColumnValue][] {
  const entries: [ColumnValue, ColumnValue][] = [];
  const ask = (tournament: ColumnValue, participant: ColumnValue): void => {
    if (!sent.has(entryKey(tournament, participant))) entries.push([tournament, participant]);
  };
  for (const row of rows.adjustments) if (row.reason !== null) ask(row.tournament_id, row.participant);
  for (const row of rows.battles) {
    for (const side of sides) {
      if (row[`${side}_list`] !== null) ask(row.tournament_id, row[`${side}_participant`]);
    }
  }
  return entries;
}

/** Leaves of a list what `erase.ts` leaves of a recorded one. */
function dropList(row: BattleCells, side: (typeof sides)[number]): void {
  const list = row[`${side}_list`];
  if (typeof list !== 'string') return;
  const { subFaction } = JSON.parse(list) as { subFaction: string };
  row[`${side}_list`] = JSON.stringify({ subFaction });
}
