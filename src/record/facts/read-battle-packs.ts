import type { ClientBase } from 'pg';
import type { BattlePackFacts } from './facts.ts';

/** Reads all packs: there are dozens, not thousands. */
export async function readBattlePacks(client: ClientBase): Promise<Map<string, BattlePackFacts>> {
  const { rows } = await client.query<BattlePackFacts>({
    text: `select name, objectives, battle_tactics as "battleTactics", grand_strategies as "grandStrategies"
      from record.battle_pack`,
  });
  return new Map(rows.map((pack) => [pack.name, pack]));
}
