// Reads the rows of tournaments and casual battles as they are stored. The publisher reads facts instead,
// where a battle has the pack and the size of its tournament. A feed must still know that the battle itself
// names none.
import type { ClientBase } from 'pg';
import { readRows } from '../facts/read-table.ts';
import { isHiddenTournament } from '../facts/tournament-header.ts';
import { boolean, integer, type Table } from '../columns.ts';
import {
  casualBattle,
  emptyParts,
  tournament as tournamentTable,
  type TournamentPart,
  tournamentParts,
  tournamentTables,
} from '../tables.ts';

/** A row as the driver reads it: numbers, texts, dates as texts, arrays and JSON as values. */
export type StoredRow = Record<string, unknown>;

export interface ExportedTournament {
  header: StoredRow;
  /** True if an operator hid it. */
  isHidden: boolean;
  parts: Record<TournamentPart, StoredRow[]>;
  /** The ids of erased participants, both players and guests. */
  erased: Set<string>;
}

/** Returns the tournaments by slug, always with a dozen statements. */
export async function readTournamentRows(
  client: ClientBase,
  slugs: string[],
): Promise<Map<string, ExportedTournament>> {
  const headers = await readRows(client, tournamentTable, ['where slug = any($1::text[])', [slugs]], {
    id: ['t.id', integer],
    isHidden: [isHiddenTournament, boolean],
  });
  const stored = new Map<unknown, ExportedTournament>(
    headers.map(({ id, isHidden, ...header }) => [
      id,
      { header, isHidden, parts: emptyParts(), erased: new Set<string>() },
    ]),
  );
  const ids = [...stored.keys()];
  for (const part of tournamentParts) {
    const table: Table = tournamentTables[part];
    const order = orders[part] ?? table.key.join(', ');
    const rest = `where tournament_id = any($1::integer[]) order by ${order}`;
    for (const row of await readRows(client, table, [rest, [ids]]))
      stored.get(row['tournament_id'])?.parts[part].push(row);
  }
  const { rows: erased } = await client.query<{ tournament_id: number; id: string }>({
    text: `select p.tournament_id, p.id from record.participant p left join record.player q on q.id = p.player
      where p.tournament_id = any($1::integer[]) and (q.erased or p.name = '')`,
    values: [ids],
  });
  for (const { tournament_id, id } of erased) stored.get(tournament_id)?.erased.add(id);
  return new Map([...stored.values()].map((each) => [String(each.header['slug']), each]));
}

/** These have an order of their own. All other parts are in the order of their keys. */
const orders: Partial<Record<TournamentPart, string>> = {
  groups: 'tournament_id, position',
  stages: 'tournament_id, position',
};

export interface StoredCasualBattle {
  row: StoredRow;
  erased: { first: boolean; second: boolean };
}

export async function readCasualRows(
  client: ClientBase,
  ids: string[],
): Promise<Map<string, StoredCasualBattle>> {
  const rest = `left join record.player f on f.id = t.first_player left join record.player s on s.id = t.second_player
    where t.id = any($1::text[]) and t.tournament_id is null order by t.id`;
  const rows = await readRows(client, casualBattle, [rest, [ids]], {
    erased_first: [`coalesce(f.erased, t.first_name = '')`, boolean],
    erased_second: [`coalesce(s.erased, t.second_name = '')`, boolean],
  });
  return new Map(
    rows.map(({ erased_first: first, erased_second: second, ...row }) => [
      row.id,
      { row, erased: { first, second } },
    ]),
  );
}
