// Marks say what must be published again. A mark is a row that is appended in the transaction that changed
// the fact, so that each change has its mark and each mark its change. Appending never waits for a lock. A
// player's mark stands for every document with their name, and a pack's mark for every document that shows
// its scores. The publisher turns them into marks of tournaments and casual battles (spreadPlayerMarks,
// spreadBattlePackMarks).
import type { ClientBase } from 'pg';

export type MarkedKind = 'tournament' | 'club' | 'player' | 'battlePack' | 'battle';

/** With more parts than this, deriving the whole tournament is not slower. */
const maxParts = 500;

export class Marks {
  readonly #marks = new Map<MarkedKind, Map<string, Set<string | null>>>();

  /**
   * Adds a mark. For a tournament, `part` is the id of the battle that changed, or `''` if no battle did.
   * Null means that anything may have changed, and replaces the tournament's other marks.
   */
  add(kind: MarkedKind, key: string, part: string | null = null): void {
    const keys = this.#marks.get(kind) ?? new Map<string, Set<string | null>>();
    this.#marks.set(kind, keys);
    const parts = keys.get(key) ?? new Set<string | null>();
    keys.set(key, parts);
    parts.add(parts.size < maxParts ? part : null);
  }

  /** Appends the marks. Call it just before the commit. If there are none, nothing was changed. */
  async append(client: ClientBase): Promise<AppendedMark[]> {
    const marks: Omit<AppendedMark, 'id'>[] = [];
    for (const [kind, each] of this.#marks) {
      for (const [key, ofKey] of each) {
        for (const part of ofKey.has(null) ? [null] : ofKey) marks.push({ kind, key, part });
      }
    }
    this.#marks.clear();
    if (marks.length === 0) return [];
    const { rows } = await client.query<{ id: string }>({
      text: `with appended as (
          insert into record.mark (kind, key, part)
          select * from unnest($1::text[], $2::text[], $3::text[]) returning id)
        select id from appended order by id`,
      values: [marks.map(({ kind }) => kind), marks.map(({ key }) => key), marks.map(({ part }) => part)],
    });
    return marks.map((mark, index) => ({ ...mark, id: Number(rows[index]?.id) }));
  }
}

export interface AppendedMark {
  id: number;
  kind: MarkedKind;
  key: string;
  part: string | null;
}

/**
 * Selects every tournament and casual battle that shows one of these players. Each select uses its own index.
 */
const showingPlayers = `
  select distinct 'tournament' as kind, t.slug as key from record.tournament t where t.id in (
    select tournament_id from record.participant where player = any($1::text[])
    union all select tournament_id from record.tournament_organizer where player = any($1::text[]))
  union all select distinct 'battle', b.id from (
    select id from record.battle where first_player = any($1::text[])
    union all select id from record.battle where second_player = any($1::text[])) b`;

export async function spreadPlayerMarks(client: ClientBase, players: string[]): Promise<void> {
  await client.query({
    text: `insert into record.mark (kind, key) ${showingPlayers}`,
    values: [players],
  });
}

/** Marks a player and everything that shows them, without waiting for a publisher to spread the mark. */
export async function markPlayer(client: ClientBase, player: string, marks: Marks): Promise<void> {
  marks.add('player', player);
  const { rows } = await client.query<{ kind: MarkedKind; key: string }>({
    text: showingPlayers,
    values: [[player]],
  });
  for (const { kind, key } of rows) marks.add(kind, key);
}

/**
 * Marks all tournaments and casual battles of these packs. They may be many, so they are published last
 * (`rebuild`).
 */
export async function spreadBattlePackMarks(client: ClientBase, packs: string[]): Promise<void> {
  await client.query({
    text: `insert into record.mark (kind, key, rebuild)
      select 'tournament', t.slug, true from record.tournament t
      where t.battle_pack = any($1::text[])
        or t.id in (select tournament_id from record.battle where battle_pack = any($1::text[]))
      union all select 'battle', b.id, true from record.battle b
      where b.battle_pack = any($1::text[]) and b.tournament_id is null`,
    values: [packs],
  });
}
