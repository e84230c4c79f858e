import type { ClientBase } from 'pg';
import { battlePack } from '../tables.ts';
import type { BattlePackFacts } from './facts.ts';
import { readFacts } from './read-table.ts';

/** Reads all packs: there are dozens, not thousands. */
export async function readBattlePacks(client: ClientBase): Promise<Map<string, BattlePackFacts>> {
  const packs = await readFacts(client, battlePack, ['', []]);
  return new Map(packs.map((pack) => [pack.name, pack]));
}
