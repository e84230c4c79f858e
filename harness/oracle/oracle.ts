import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Something published that differs from the oracle. */
interface Difference {
  tournament: string;
  what: string;
  expected: unknown;
  published: unknown;
}

export interface Verdict {
  differences: Difference[];
  /** The number of documents that were compared, by kind. */
  compared: Map<string, number>;
}

type Json = Record<string, unknown>;

/**
 * Derives every board, bracket, final standing, placement and faction of the published tournaments from
 * schema `record` in plain SQL, and compares them with the published documents. It was written only from the
 * description of the domain: neither the statements nor this file share anything with src/publish.
 */
export async function compareWithOracle(client: pg.ClientBase): Promise<Verdict> {
  await client.query('begin');
  try {
    // Compiling these statements takes longer than running them.
    await client.query('set local jit = off');
    await workOut(client);
    const verdict: Verdict = { differences: [], compared: new Map() };
    await compareStandings(client, verdict);
    await compareParticipants(client, verdict);
    await compareTournaments(client, verdict);
    await compareBattles(client, verdict);
    return verdict;
  } finally {
    await client.query('rollback');
  }
}

/** Compares the monthly numbers of factions. Returns a few differences, and how many lines were compared. */
export async function compareFactions(
  client: pg.ClientBase,
): Promise<{ differences: unknown[]; compared: number }> {
  await client.query('begin');
  try {
    await client.query('set local jit = off');
    await workOut(client);
    await run(client, 'factions');
    const { rows: differences } = await client.query<Json>(`
      select *, o.numbers as expected, p.numbers as published
      from oracle_faction_line o full join published_faction_line p using (month, pack, is_long, line)
      where o.numbers is distinct from p.numbers order by month, pack, is_long, line limit 10`);
    const { rows } = await client.query<{ compared: number }>(
      'select count(*)::integer as compared from oracle_faction_line',
    );
    return { differences, compared: rows[0]?.compared ?? 0 };
  } finally {
    await client.query('rollback');
  }
}

async function workOut(client: pg.ClientBase): Promise<void> {
  await run(client, 'facts');
  await run(client, 'boards');
  await breakTies(client);
  await run(client, 'rank-boards');
  await breakTies(client);
  await run(client, 'final-standings');
  await run(client, 'standings-documents');
  await run(client, 'brackets');
  await run(client, 'participants');
  await run(client, 'battles');
}

async function breakTies(client: pg.ClientBase): Promise<void> {
  const text = await statement('break-ties');
  const { rows } = await client.query<{ longest: number }>(
    'select coalesce(max(cardinality(tie_breaks)), 0) as longest from oracle_event',
  );
  for (let step = 1; step <= (rows[0]?.longest ?? 0); step++) await client.query(text, [step]);
}

async function run(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(await statement(name));
}

const statement = (name: string): Promise<string> =>
  readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');

interface StandingsPair {
  tournament: string;
  stage: string;
  kind: string;
  expected: Json[] | null;
  published: { stage: Json; data: Json[] } | null;
}

async function compareStandings(client: pg.ClientBase, verdict: Verdict): Promise<void> {
  const { rows } = await client.query<StandingsPair>(`
    select coalesce(o.slug, d.tournament) as tournament, coalesce(o.stage, d.stage) as stage, o.data as expected,
      d.document::jsonb as published, concat_ws(' ', coalesce(o.stage, d.stage),
        case when b.grouped then 'grouped' end, case when b.carries_over is not null then 'carrying over' end,
        case when k.stage is not null then 'by a ranking' end,
        case when o.stage = 'standings' then case when e.has_placements then 'recorded'
          when e.placements_recorded then 'settled' else 'never recorded' end end,
        case when o.stage <> 'standings' then e.status end) as kind
    from oracle_standings o
    full join published.standings d on d.tournament = o.slug and d.stage = o.stage
    left join oracle_event e on e.slug = o.slug
    left join oracle_board b on b.tournament_id = e.id and b.stage = o.stage
    left join oracle_ranking k on k.tournament_id = e.id and k.stage = o.stage
    order by 1, 2`);
  for (const { tournament, stage, kind, expected, published } of rows) {
    count(verdict, kind);
    if (!expected || !published) {
      verdict.differences.push({ tournament, what: `${stage}: document`, expected, published });
      continue;
    }
    compareRows(verdict, tournament, stage, settled(expected), settled(published.data));
  }
}

function compareRows(verdict: Verdict, tournament: string, stage: string, expected: Json[], rows: Json[]) {
  for (let at = 0; at < Math.max(expected.length, rows.length); at++) {
    const [a, b] = [expected[at], rows[at]];
    if (canonical(a) === canonical(b)) continue;
    verdict.differences.push({ tournament, what: `${stage}: row ${at + 1}`, expected: a, published: b });
  }
}

/**
 * Sorts rows without a rank. They are ordered by name, in an alphabet that plain SQL does not have, so each
 * run of them is treated as a set.
 */
function settled(rows: Json[]): Json[] {
  const unranked = (row: Json | undefined): boolean => row?.['rank'] === null;
  const result: Json[] = [];
  for (let at = 0; at < rows.length;) {
    let end = at + 1;
    if (unranked(rows[at])) {
      while (unranked(rows[end]) && rows[end]?.['group'] === rows[at]?.['group']) end++;
    }
    result.push(...rows.slice(at, end).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)));
    at = end;
  }
  return result;
}

interface Pair {
  tournament: string;
  id: string | null;
  expected: Json | null;
  published: Json | null;
}

async function compareParticipants(client: pg.ClientBase, verdict: Verdict): Promise<void> {
  const { rows } = await client.query<Pair>(`
    select coalesce(o.slug, d.tournament) as tournament, coalesce(o.id, d.id) as id, o.data as expected,
      d.document::jsonb as published
    from oracle_participant o full join published.participant d on d.tournament = o.slug and d.id = o.id
    order by 1, 2`);
  for (const row of rows) compareMembers(verdict, row, 'participant');
}

async function compareTournaments(client: pg.ClientBase, verdict: Verdict): Promise<void> {
  const { rows } = await client.query<Pair>(`
    select coalesce(o.slug, d.slug) as tournament, null as id, o.data as expected,
      (d.document || '"}')::jsonb as published
    from oracle_tournament o full join published.tournament d on d.slug = o.slug
    order by 1`);
  for (const row of rows) compareMembers(verdict, row, 'tournament');
}

async function compareBattles(client: pg.ClientBase, verdict: Verdict): Promise<void> {
  const { rows } = await client.query<Pair>(`
    select coalesce(o.slug, d.tournament) as tournament, coalesce(o.battle, d.id) as id,
      case when o.battle is not null then jsonb_build_object('factions', o.factions) end as expected,
      case when d.id is not null
        then jsonb_build_object('factions', jsonb_path_query_array((d.document || '"}')::jsonb, '$.players[*].faction'))
      end as published
    from oracle_battle o
    full join (select * from published.battle where tournament is not null) d on d.id = o.battle and d.tournament = o.slug
    order by 1, 2`);
  for (const row of rows) compareMembers(verdict, row, 'battle');
}

/** Compares only what the oracle derives; the rest of the document is copied from the facts. */
function compareMembers(verdict: Verdict, { tournament, id, expected, published }: Pair, kind: string): void {
  count(verdict, kind);
  const name = id === null ? kind : `${kind} ${id}`;
  if (!expected || !published) {
    verdict.differences.push({ tournament, what: name, expected, published });
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    if (canonical(value) === canonical(published[key])) continue;
    verdict.differences.push({
      tournament,
      what: `${name}: ${key}`,
      expected: value,
      published: published[key],
    });
  }
}

const count = ({ compared }: Verdict, kind: string): void => {
  compared.set(kind, (compared.get(kind) ?? 0) + 1);
};

/** Returns the same text for the same value, regardless of the order of the keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? 'undefined';
