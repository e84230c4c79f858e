// What must be published again. A mark is a row appended in the transaction that changed a fact, so there is no change
// without its mark and no mark without its change; appending waits for nobody. A player's mark stands for every document
// with their name, a pack's for every document that shows its scores: spreadMarks turns those into marks of the
// tournaments and casual battles themselves, when a publisher gets to them.
import type { ClientBase } from 'pg';

export type StaleKind = 'tournament' | 'club' | 'player' | 'battlePack' | 'battle';

/** Beyond this many, deriving the whole tournament costs no more. */
const mostParts = 500;

export class Marks {
  readonly #marks = new Map<StaleKind, Map<string, Set<string | null>>>();

  /**
   * Of a tournament, `part` is the battle that changed, or `''` where only standings are touched by it; null, where
   * anything may have changed, makes its other marks needless.
   */
  add(kind: StaleKind, key: string, part: string | null = null): void {
    const keys = this.#marks.get(kind) ?? new Map<string, Set<string | null>>();
    this.#marks.set(kind, keys);
    const parts = keys.get(key) ?? new Set<string | null>();
    keys.set(key, parts);
    parts.add(parts.size < mostParts ? part : null);
  }

  async append(client: ClientBase): Promise<void> {
    const kinds: string[] = [];
    const keys: string[] = [];
    const parts: (string | null)[] = [];
    for (const [kind, each] of this.#marks) {
      for (const [key, ofKey] of each) {
        for (const part of ofKey.has(null) ? [null] : ofKey) {
          kinds.push(kind);
          keys.push(key);
          parts.push(part);
        }
      }
    }
    this.#marks.clear();
    if (kinds.length === 0) return;
    await client.query({
      text: 'insert into record.stale (kind, key, part) select * from unnest($1::text[], $2::text[], $3::text[])',
      values: [kinds, keys, parts],
    });
  }
}

/** Marks every tournament and casual battle that shows one of these players. One index range for each way to appear. */
export async function spreadPlayerMarks(client: ClientBase, players: string[]): Promise<void> {
  await client.query({
    text: `insert into record.stale (kind, key)
      select distinct 'tournament', t.slug from record.tournament t where t.id in (
        select tournament_id from record.participant where player = any($1::text[])
        union all select tournament_id from record.tournament_organizer where player = any($1::text[]))
      union all select distinct 'battle', b.id from (
        select id from record.battle where first_player = any($1::text[])
        union all select id from record.battle where second_player = any($1::text[])) b`,
    values: [players],
  });
}

/** Marks every tournament and casual battle that is played by one of these packs: so many that they come after all else. */
export async function spreadBattlePackMarks(client: ClientBase, packs: string[]): Promise<void> {
  await client.query({
    text: `insert into record.stale (kind, key, rebuild)
      select 'tournament', t.slug, true from record.tournament t
      where t.battle_pack = any($1::text[])
        or t.id in (select tournament_id from record.battle where battle_pack = any($1::text[]))
      union all select 'battle', b.id, true from record.battle b
      where b.battle_pack = any($1::text[]) and b.tournament_id is null`,
    values: [packs],
  });
}
