import type { Battle } from '../../src/contract/battle.ts';
import type { BoardRow, Standings } from '../../src/contract/standings.ts';
import type { Tournament } from '../../src/contract/tournament.ts';

// Written as a caller would write it: an address and a key, and nothing else of the server.

export interface Recomputed {
  boards: number;
  rows: number;
  numbers: number;
  ranks: number;
  differences: string[];
}

/** What the API does not show: per tournament, stages whose boards hold more than battles, and an order of its own. */
export type Hidden = ReadonlyMap<string, { stages: ReadonlySet<string>; order: boolean }>;

export async function recomputeBoards(apiUrl: string, key: string, hidden: Hidden): Promise<Recomputed> {
  const found: Recomputed = { boards: 0, rows: 0, numbers: 0, ranks: 0, differences: [] };
  for (const tournament of await all<Tournament>(`${apiUrl}/api/v1/tournaments?limit=100`, apiUrl, key)) {
    const base = `${apiUrl}/api/v1/tournaments/${tournament.slug}`;
    const battles = await all<Battle>(`${base}/battles?limit=100`, apiUrl, key);
    const unseen = hidden.get(tournament.slug);
    for (const stage of tournament.stages) {
      const isMerged = stage.id === 'standings';
      const holdsMore = isMerged ? (unseen?.stages.size ?? 0) > 0 : unseen?.stages.has(stage.id);
      if (stage.type !== 'board' || holdsMore) continue;
      const { data } = await fetchJson<Standings>(`${base}/standings?stage=${stage.id}`, key);
      const counted = battles.filter((battle) => isMerged || battle.stage === stage.id);
      const where = `${tournament.slug} ${stage.id}`;
      compareRows(found, where, data as BoardRow[], counted);
      if (!isMerged && unseen?.order === false) compareRanks(found, where, data as BoardRow[]);
      found.boards += 1;
    }
  }
  return found;
}

type Numbers = Pick<
  BoardRow,
  'battlePoints' | 'wins' | 'draws' | 'losses' | 'victoryPoints' | 'victoryPointsDiff'
>;

/** Rows with an id one by one; guests and erased players have none. */
function compareRows(found: Recomputed, where: string, rows: BoardRow[], battles: Battle[]): void {
  const withId = new Map<string, Numbers>();
  const withoutId = new Map<string, Numbers>();
  for (const battle of battles) {
    if (battle.players.some(({ outcome }) => outcome === null)) continue;
    for (const [index, side] of battle.players.entries()) {
      const other = battle.players[1 - index];
      const [people, name] = side.playerId === null ? [withoutId, side.player] : [withId, side.playerId];
      const sum = people.get(name) ?? none();
      people.set(name, sum);
      sum.battlePoints = add(sum.battlePoints, side.battlePoints ?? 0);
      sum.wins += side.outcome === 'win' ? 1 : 0;
      sum.draws += side.outcome === 'draw' ? 1 : 0;
      sum.losses += side.outcome === 'loss' ? 1 : 0;
      sum.victoryPoints = add(sum.victoryPoints, side.victoryPoints ?? 0);
      sum.victoryPointsDiff = add(
        sum.victoryPointsDiff,
        (side.victoryPoints ?? 0) - (other?.victoryPoints ?? 0),
      );
    }
  }
  for (const row of rows) {
    found.rows += 1;
    if (row.playerId === null) continue;
    const expected = withId.get(row.playerId) ?? none();
    for (const name of Object.keys(expected) as (keyof Numbers)[]) {
      found.numbers += 1;
      if (row[name] !== expected[name]) {
        found.differences.push(
          `${where} ${row.playerId} ${name}: shown ${row[name]}, recomputed ${expected[name]}`,
        );
      }
    }
  }
  compareNameless(found, where, rows, withoutId);
}

/** By name: two guests may share one, and all erased players do, so that only their rows together can be compared. */
function compareNameless(
  found: Recomputed,
  where: string,
  rows: BoardRow[],
  expected: ReadonlyMap<string, Numbers>,
): void {
  const shown = new Map<string, Numbers>();
  for (const row of rows) {
    if (row.playerId !== null) continue;
    const name = row.player ?? 'Deleted player';
    const sum = shown.get(name) ?? none();
    shown.set(name, sum);
    for (const number of Object.keys(sum) as (keyof Numbers)[]) sum[number] = add(sum[number], row[number]);
  }
  for (const name of new Set([...shown.keys(), ...expected.keys()])) {
    for (const number of Object.keys(none()) as (keyof Numbers)[]) {
      found.numbers += 1;
      const [is, was] = [shown.get(name)?.[number] ?? 0, expected.get(name)?.[number] ?? 0];
      if (is !== was) found.differences.push(`${where} ${name} ${number}: shown ${is}, recomputed ${was}`);
    }
  }
}

/** More battle points, a better rank: in each group, and only where they differ. */
function compareRanks(found: Recomputed, where: string, rows: BoardRow[]): void {
  const ranked = rows.filter((row): row is BoardRow & { rank: number } => row.rank !== null);
  for (const [index, row] of ranked.entries()) {
    const next = ranked[index + 1];
    if (next === undefined || next.group !== row.group || next.battlePoints === row.battlePoints) continue;
    found.ranks += 1;
    if (row.battlePoints < next.battlePoints || row.rank >= next.rank) {
      found.differences.push(`${where}: rank ${row.rank} has fewer battle points than rank ${next.rank}`);
    }
  }
}

function none(): Numbers {
  return { battlePoints: 0, wins: 0, draws: 0, losses: 0, victoryPoints: 0, victoryPointsDiff: 0 };
}

/** Points have two decimals at most. */
function add(a: number, b: number): number {
  return Math.round((a + b) * 100) / 100 || 0;
}

/** Follows `next` to the end. Its address is the public one, which is not where this server listens. */
async function all<T>(url: string, apiUrl: string, key: string): Promise<T[]> {
  const items: T[] = [];
  for (let at: string | null = url; at !== null;) {
    const page: { data: T[]; next: string | null } = await fetchJson(at, key);
    items.push(...page.data);
    at = page.next === null ? null : apiUrl + page.next.slice(new URL(page.next).origin.length);
  }
  return items;
}

async function fetchJson<T>(url: string, key: string): Promise<T> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`${url} → ${response.status}`);
  return (await response.json()) as T;
}
