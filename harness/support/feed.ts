import type { ClientBase } from 'pg';
import type { LastingClient } from '../../src/database/lasting-client.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { importFeed, type ImportOptions, type ImportProgress } from '../../src/record/import.ts';
import { problemLine } from '../../src/record/feed/problem.ts';
import { tournamentTables } from '../../src/record/tables.ts';

export { exampleFeed } from '../../src/demo/world.ts';

export interface Imported extends ImportProgress {
  /** Every problem of a record, as the command prints it. */
  refusals: string[];
}

type Given = string | Buffer | FeedRecord | Record<string, unknown>;

/** Imports lines as one file named `feed`. Lines that are not text are written as JSON. */
export async function importLines(
  client: ClientBase | LastingClient,
  lines: Given[],
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const text = Buffer.concat(
    lines.map((line) =>
      Buffer.concat([Buffer.isBuffer(line) ? line : Buffer.from(textOf(line)), Buffer.from('\n')]),
    ),
  );
  return importText(client, text, options);
}

const textOf = (line: Exclude<Given, Buffer>): string =>
  typeof line === 'string' ? line : JSON.stringify(line);

export async function importText(
  client: ClientBase | LastingClient,
  text: Buffer | string,
  options: Partial<ImportOptions> = {},
  name = 'feed',
): Promise<Imported> {
  const refusals: string[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  const progress = await importFeed(client, [{ name, chunks: chunks() }], {
    onRefusal: (file, line, problems) => {
      refusals.push(...problems.map((problem) => problemLine(file, line, problem)));
    },
    ...options,
  });
  return { ...progress, refusals };
}

const tables: [string, string][] = [
  ['record.club', '*'],
  ['record.player', '*'],
  ['record.battle_pack', '*'],
  ['record.tournament', '*'],
  ...Object.values(tournamentTables).map(({ name }): [string, string] => [name, '*']),
];

/** Returns every row of every fact as text, without the numbers that PostgreSQL generates. */
export async function allFacts(client: ClientBase): Promise<Record<string, string[]>> {
  const facts: Record<string, string[]> = {};
  for (const [table] of tables) {
    const joined =
      table === 'record.tournament'
        ? ''
        : `left join record.tournament t on t.id = (to_jsonb(f)->>'tournament_id')::int`;
    const text = `select ((to_jsonb(f) - 'tournament_id'${table === 'record.tournament' ? " - 'id'" : ''})
      ${joined ? "|| jsonb_build_object('tournament', t.slug)" : ''})::text as fact from ${table} f ${joined} order by 1`;
    const { rows } = await client.query<{ fact: string }>(text);
    facts[table] = rows.map(({ fact }) => fact);
  }
  return facts;
}

/**
 * Returns the position and the writing transaction of each row, which are the same only if nothing was
 * written. Row locks are ignored.
 */
export async function rowVersions(client: ClientBase): Promise<string[]> {
  const versions: string[] = [];
  for (const [table] of tables) {
    const { rows } = await client.query<{ at: string }>(
      `select '${table} ' || ctid || ' ' || xmin as at from ${table} order by 1`,
    );
    versions.push(...rows.map(({ at }) => at));
  }
  return versions;
}

export async function takeMarks(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ mark: string }>(
    `with gone as (delete from record.mark returning *) select kind || ' ' || key as mark from gone order by id`,
  );
  return rows.map(({ mark }) => mark);
}

/** Empties the facts between tests that share a database. */
export async function emptyFacts(client: ClientBase): Promise<void> {
  await client.query(
    `truncate record.mark, record.hidden_tournament, ${tables.map(([table]) => table).join(', ')} restart identity`,
  );
}
