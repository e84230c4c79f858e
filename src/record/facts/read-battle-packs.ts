import type { ClientBase } from 'pg';
import { battlePack } from '../tables.ts';
import { factColumns } from './fact-columns.ts';
import type { BattlePackFacts } from './facts.ts';

/** Reads all packs: there are dozens, not thousands. */
export async function readBattlePacks(client: ClientBase): Promise<Map<string, BattlePackFacts>> {
  const { rows } = await client.query<BattlePackFacts>({
    text: `select ${factColumns(battlePack)} from record.battle_pack`,
  });
  return new Map(rows.map((pack) => [pack.name, pack]));
}
