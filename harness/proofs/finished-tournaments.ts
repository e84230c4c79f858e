import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import type { WholeTournament } from '../../src/world/event/whole-tournament.ts';
import { world } from '../../src/world/world.ts';

/**
 * Yields the finished tournaments of a world, one record each, with everything that they refer to. The small
 * records of a world (casual battles, tournaments sent result by result) are left out, because the import
 * handles them in another way.
 */
export function* finishedTournaments(worldBattles: number): Generator<FeedRecord> {
  const window = { from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') };
  for (const record of world({ seed: 1, battles: worldBattles, ...window }))
    if (groundKinds.has(record.kind) || isFinished(record)) yield record;
}

export function isFinished(record: FeedRecord): record is WholeTournament {
  return record.kind === 'tournament' && record.status === 'finished' && (record.battles?.length ?? 0) > 1;
}

const groundKinds = new Set<FeedRecord['kind']>(['battlePack', 'club', 'player']);
