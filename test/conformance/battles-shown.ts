import type { Row, World } from './world.ts';

/** Returns battles of every sort by id, both as lists show them and in full. */
export async function battlesShown(world: World): Promise<Record<'listed' | 'inFull', Map<string, Row>>> {
  const listed = new Map<string, Row>();
  for (const path of [
    ...['grand-muster', 'group-cup', 'winter-cut', 'league-01'].map((slug) => `/tournaments/${slug}/battles`),
    ...['ana', 'bjorn', 'erik'].map((id) => `/users/${id}/battles`),
    '/clubs/north-gate/battles',
  ]) {
    for (const row of await world.all(path)) listed.set(String(row['id']), row);
  }
  const inFull = new Map<string, Row>();
  for (const id of listed.keys()) inFull.set(id, await world.item(`/battles/${id}`));
  return { listed, inFull };
}

export function playersOf(battle: Row | undefined): Row[] {
  return (battle?.['players'] ?? []) as Row[];
}
