import type { Battle } from '../../src/contract/battle.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { BoardStandings } from '../../src/contract/standings.ts';
import type { Tournament } from '../../src/contract/tournament.ts';
import { compareBoard, type Recomputed } from './compare-board.ts';

// Written like a caller's program: it has an address and a key, and knows nothing else about the server.

/** Not in the API, by tournament: the stages whose boards count more than battles, and whether it has its own order. */
export type Hidden = ReadonlyMap<string, { stages: ReadonlySet<string>; order: boolean }>;

export async function recomputeBoards(apiUrl: string, key: string, hidden: Hidden): Promise<Recomputed> {
  const found: Recomputed = { boards: 0, rows: 0, rowsWithoutId: 0, numbers: 0, ranks: 0, differences: [] };
  for (const tournament of await all<Tournament>(`${apiUrl}/api/v1/tournaments?limit=100`, apiUrl, key)) {
    const base = `${apiUrl}/api/v1/tournaments/${tournament.slug}`;
    const battles = await all<Battle>(`${base}/battles?limit=100`, apiUrl, key);
    const participants = await all<Participant>(`${base}/participants?limit=100`, apiUrl, key);
    const unseen = hidden.get(tournament.slug);
    for (const stage of tournament.stages) {
      const isMerged = stage.id === 'standings';
      const holdsMore = isMerged ? (unseen?.stages.size ?? 0) > 0 : unseen?.stages.has(stage.id);
      if (stage.type !== 'board' || holdsMore) continue;
      const { data: rows } = await fetchJson<BoardStandings>(`${base}/standings?stage=${stage.id}`, key);
      compareBoard(found, {
        name: `${tournament.slug} ${stage.id}`,
        stage: stage.id,
        rows,
        battles: battles.filter((battle) => isMerged || battle.stage === stage.id),
        participants,
        byBattlePoints: !isMerged && unseen?.order === false,
      });
    }
  }
  return found;
}

/** Follows `next` to the end. `next` has the public address, and this server listens on another one. */
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
