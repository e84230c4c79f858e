import assert from 'node:assert/strict';
import type pg from 'pg';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { markEverything } from '../../src/publish/mark-all.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { at, type Random, stream } from '../../src/world/chance/random.ts';
import { compareFactions } from './oracle.ts';
import { tightEvents } from './tight-events.ts';
import { importLines } from '../support/feed.ts';
import { onClient } from '../proofs/proof.ts';

/**
 * Asserts that the numbers of factions equal an oracle in plain SQL after random changes, both computed month
 * by month and all at once.
 */
export async function compareChangingFactions(
  url: string,
  size: 'small' | 'stated',
): Promise<{ compared: number; figure: string }> {
  const [changes, turns] = size === 'stated' ? [2_000, 20] : [200, 4];
  const random = stream(Number(process.env['FACTIONS_SEED'] ?? 7), 'factions');
  const records = [...tightEvents(5, 80)];
  const events = records.filter((record): record is TournamentRecord => record.kind === 'tournament');
  const people = Array.from({ length: 60 }, (_, i) => `tight-5-${i}`);
  const pool = createPool(url, { applicationName: 'proof', size: 8 });
  try {
    return await onClient(url, async (client) => {
      const dated = records.map((record) =>
        record.kind === 'tournament' ? { ...record, startDate: someDay(random) } : record,
      );
      await tell(client, [{ kind: 'battlePack', name: 'Second Pack' }, ...dated]);
      await publishBacklog(pool);
      let compared = 0;
      let refused = 0;
      for (let turn = 0; turn < turns; turn += 1) {
        for (let change = 0; change < changes / turns;) {
          const batch = Array.from({ length: 1 + random.below(10) }, () =>
            someChange(random, events, people),
          );
          change += batch.length;
          refused += await tell(client, batch);
          // Mostly as in a running import, in which a month waits for its minute.
          await publishBacklog(pool, { isCalledAgain: random.chance(0.7) });
        }
        compared += await assertEqual(client, pool);
      }
      assert.ok(refused < changes / 4, `${refused} of ${changes} changes were refused`);
      await markEverything(pool);
      await client.query(
        `update published.faction_month set tournaments = 7, counts = '{"factions":[],"games":[]}'`,
      );
      compared += await assertEqual(client, pool);
      await client.query(
        `truncate published.tournament_factions, published.faction_month, published.faction_placement`,
      );
      await markEverything(pool);
      compared += await assertEqual(client, pool);
      return {
        compared,
        figure: `${changes} random changes of ${events.length} tournaments (${refused} of them refused), compared ${turns} times and twice after everything was computed anew: ${compared} numbers of factions, 0 differ from the oracle.`,
      };
    });
  } finally {
    await pool.end();
  }
}

async function assertEqual(client: pg.Client, pool: Pool): Promise<number> {
  assert.deepEqual((await publishBacklog(pool)).failed, []);
  const { differences, compared } = await compareFactions(client);
  assert.deepEqual(differences, []);
  assert.ok(compared > 100, `only ${compared} lines`);
  const { rows } = await client.query<{ marks: number; places: number; lost: number }>(`
    select (select count(*)::integer from published.faction_mark) as marks,
      (select count(*)::integer from published.faction_placement) as places,
      (select count(*)::integer from published.faction_placement p
        join published.standings s on s.tournament = p.tournament and s.stage = 'standings'
        where s.document::json -> 'data' -> p."row"::integer ->> 'faction' is distinct from p.faction
          or (s.document::json -> 'data' -> p."row"::integer ->> 'rank')::integer > 3) as lost`);
  assert.deepEqual([rows[0]?.marks, rows[0]?.lost], [0, 0]);
  assert.ok((rows[0]?.places ?? 0) > 20);
  return compared;
}

/** Returns how many were refused. */
async function tell(client: pg.Client, records: FeedRecord[]): Promise<number> {
  const { refused } = await importLines(client, records);
  return refused;
}

function someDay(random: Random): string | null {
  return random.chance(0.05) ? null : `2026-0${random.between(1, 4)}-1${random.below(10)}`;
}

const names = ['Lanternsworn', 'Marrow Choir', 'Quarry Giants', '__proto__', 'Moth "Parliament" \\ against'];

/** Returns a random change to one of these events or players. */
export function someChange(
  random: Random,
  events: readonly TournamentRecord[],
  people: readonly string[],
): FeedRecord {
  const event = at(events, random.below(events.length));
  const { slug, participants = [], battles = [] } = event;
  const ofEvent = (members: Partial<TournamentRecord>): FeedRecord => ({
    kind: 'tournament',
    slug,
    ...members,
  });
  const battle = battles[random.below(Math.max(1, battles.length))];
  const participant = participants[random.below(Math.max(1, participants.length))];
  const choices: (() => FeedRecord | undefined)[] = [
    () => ofEvent({ startDate: someDay(random) }),
    () => ofEvent({ status: random.chance(0.8) ? 'finished' : 'ongoing' }),
    () => ofEvent({ published: random.chance(0.7) }),
    () => ofEvent({ battlePack: at(['Tight Pack 5', 'Second Pack', null], random.below(3)) }),
    () => ofEvent({ placementsRecorded: random.chance(0.8) }),
    () => ofEvent({ description: String(random.unit()) }),
    () => ({ kind: 'remove', of: 'tournament', id: slug }),
    () => ({ ...event, startDate: someDay(random) }),
    () => ({ ...event, status: 'finished', startDate: someDay(random) }),
    () =>
      battle && {
        kind: 'battle',
        tournament: slug,
        ...battle,
        finished: true,
        winner: at([null, 1, 2], random.below(3)) as never,
      },
    () => battle && { kind: 'remove', of: 'battle', id: battle.id },
    () =>
      participant && {
        kind: 'participant',
        tournament: slug,
        ...participant,
        noShow: random.chance(0.2),
        ...(random.chance(0.5) && { faction: at(names, random.below(names.length)) }),
      },
    () => ({ kind: 'player', id: at(people, random.below(people.length)), erased: random.chance(0.5) }),
    () => ({
      kind: 'player',
      id: at(people, random.below(people.length)),
      name: `Player ${random.below(9)}`,
    }),
  ];
  return at(choices, random.below(choices.length))() ?? ofEvent({ status: 'finished' });
}
