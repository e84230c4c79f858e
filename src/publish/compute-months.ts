import type { PoolClient } from 'pg';
import { inTransaction, type Pool } from '../database/pool.ts';
import { type FactionCounts, FactionSums } from '../published/faction-sums.ts';
import { moveList } from './revisions.ts';
import { sendNotices } from './send-notices.ts';

// Computes the faction statistics by month. A marked month is computed anew from the counts of its
// tournaments. Nothing is added to or taken from an older sum, so no mistake can persist. The marks are
// deleted in the same transaction: if a publisher dies, they remain for the next one.

/**
 * Computes the marked months. `dueOnly` leaves out those that were computed less than a minute ago. No month
 * is begun after `maxMs`.
 */
export async function computeMonths(
  pool: Pool,
  { dueOnly = false, maxMs = Infinity }: { dueOnly?: boolean | undefined; maxMs?: number } = {},
): Promise<void> {
  const end = Date.now() + maxMs;
  do {
    const { rows } = await pool.query<{ month: string }>({
      text: `select month::text from published.faction_mark mark where ${isDue} limit 1`,
      values: [dueOnly],
    });
    const [due] = rows;
    if (due === undefined) return;
    const isMine = await inTransaction(pool, (client) => computeMonth(client, due.month, dueOnly));
    // Another publisher is computing, and will look again when it is done.
    if (!isMine) return;
  } while (Date.now() < end);
}

/** With $1, leaves out the months that were computed during the last minute. */
const isDue = `not ($1 and exists (
  select from published.faction_month m where m.pack = '' and not m.is_long and m.month = mark.month
    and m.computed between now() - interval '1 minute' and now()))`;

async function computeMonth(client: PoolClient, month: string, dueOnly: boolean): Promise<boolean> {
  const { rows: locks } = await client.query<{ locked: boolean }>(
    dueOnly
      ? `select pg_try_advisory_xact_lock(${monthsLock}) as locked`
      : `select pg_advisory_xact_lock(${monthsLock}), true as locked`,
  );
  if (locks[0]?.locked !== true) return false;
  // Delete the marks before reading the counts, so that a change that is missing from the counts keeps its
  // mark.
  const { rowCount } = await client.query({
    text: `delete from published.faction_mark mark where ${isDue} and month = $2`,
    values: [dueOnly, month],
  });
  if (rowCount === 0) return true;
  const { rows } = await client.query<Counted>({
    text: `select pack, is_long as "isLong", counts from published.tournament_factions where month = $1`,
    values: [month],
  });
  if (!(await writeMonth(client, month, sumsOf(rows)))) return true;
  await sendNotices(client, { factions: await moveList(client, 'factions') });
  return true;
}

const monthsLock = "hashtextextended('factions', 0)";

interface Counted {
  pack: string;
  isLong: boolean;
  counts: FactionCounts;
}

interface MonthRow {
  pack: string;
  isLong: boolean;
  tournaments: number;
  sums: FactionSums;
}

/**
 * Adds up the tournaments of a month. Each one counts in up to four rows: with all packs and with its own, at
 * any length and, if it is long, among the long ones.
 */
function sumsOf(tournaments: readonly Counted[]): MonthRow[] {
  const made = new Map<string, MonthRow>();
  for (const { pack, isLong, counts } of tournaments) {
    for (const ofPack of new Set(['', pack])) {
      for (const ofLength of new Set([false, isLong])) {
        const key = `${ofLength} ${ofPack}`;
        const row = made.get(key) ?? {
          pack: ofPack,
          isLong: ofLength,
          tournaments: 0,
          sums: new FactionSums(),
        };
        made.set(key, row);
        row.tournaments += 1;
        row.sums.add(counts);
      }
    }
  }
  return [...made.values()];
}

/** Writes the rows of a month. Returns whether anything changed. */
async function writeMonth(client: PoolClient, month: string, rows: readonly MonthRow[]): Promise<boolean> {
  const packs = [...new Set(rows.map(({ pack }) => pack).filter((pack) => pack !== ''))].toSorted();
  const { rows: changed } = await client.query<{ changed: boolean }>({
    text: `with fresh as materialized (
        select * from unnest($2::text[], $3::boolean[], $4::integer[], $5::text[]) as f (pack, is_long, tournaments, counts)),
      gone as (
        delete from published.faction_month m where month = $1
          and not exists (select from fresh f where (f.pack, f.is_long) = (m.pack, m.is_long))
        returning true),
      come as (
        insert into published.faction_month (pack, is_long, month, tournaments, packs, counts)
        select pack, is_long, $1, tournaments, $6, counts::json from fresh
        on conflict (pack, is_long, month) do update
          set (tournaments, packs, counts) = (excluded.tournaments, excluded.packs, excluded.counts)
          where (faction_month.tournaments, faction_month.packs, faction_month.counts::text)
            is distinct from (excluded.tournaments, excluded.packs, excluded.counts::text)
        returning true)
      select exists (select from gone) or exists (select from come) as changed`,
    values: [
      month,
      rows.map(({ pack }) => pack),
      rows.map(({ isLong }) => isLong),
      rows.map(({ tournaments }) => tournaments),
      rows.map(({ sums }) => JSON.stringify(sums)),
      packs,
    ],
  });
  await client.query({
    text: `update published.faction_month set computed = now() where pack = '' and not is_long and month = $1`,
    values: [month],
  });
  return changed[0]?.changed === true;
}
