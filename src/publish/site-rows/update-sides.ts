import type { ClientBase } from 'pg';
import type { TableRow } from '../../database/row.ts';

/** A row of published.player_battle. */
export type SideRow = TableRow<
  'player' | 'date' | 'stage_order' | 'round' | 'battle' | 'faction' | 'outcome'
>;

/** Gives stored rows another faction or outcome where they differ. Returns the player of each such row. */
export async function updateSides(client: ClientBase, sides: SideRow[]): Promise<string[]> {
  if (sides.length === 0) return [];
  const column = (name: keyof SideRow) => sides.map((side) => side[name]);
  const { rows } = await client.query<{ player: string }>({
    text: `update published.player_battle t set faction = side.faction, outcome = side.outcome
      from unnest($1::text[], $2::date[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::text[])
        as side (player, date, stage_order, round, battle, faction, outcome)
      where t.player = side.player and t.date = side.date and t.stage_order = side.stage_order
        and t.round = side.round and t.battle = side.battle
        and (t.faction, t.outcome) is distinct from (side.faction, side.outcome)
      returning t.player`,
    values: [
      column('player'),
      column('date'),
      column('stage_order'),
      column('round'),
      column('battle'),
      column('faction'),
      column('outcome'),
    ],
  });
  return rows.map(({ player }) => player);
}
