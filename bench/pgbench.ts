import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from '../src/database/pool.ts';
import type { Endpoint } from './endpoints.ts';
import { connections } from './load.ts';
import { findProgram } from './programs.ts';

export interface Pgbench {
  /** Runs the statement with keys drawn from these, and returns transactions a second. */
  prepare: (endpoint: Endpoint, keys: string[]) => Promise<{ run: (seconds: number) => Promise<number> }>;
  close: () => Promise<void>;
}

/** PostgreSQL bare: pgbench with the statements of the server. Undefined where there is no pgbench. */
export async function startPgbench(url: string, pool: Pool): Promise<Pgbench | undefined> {
  const program = await findProgram('pgbench');
  if (program === undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-bench-pgbench-'));
  await pool.query(
    `drop schema if exists bench cascade;
    create schema bench;
    create unlogged table bench.drawn (endpoint text, n integer, value text[], primary key (endpoint, n))`,
  );
  return {
    prepare: async (endpoint, keys) => {
      const values = keys.map(endpoint.values);
      await pool.query(
        `insert into bench.drawn
        select $1, n, array(select jsonb_array_elements_text(value))
        from jsonb_array_elements($2::jsonb) with ordinality given (value, n)`,
        [endpoint.name, JSON.stringify(values)],
      );
      await pool.query('analyze bench.drawn');
      const script = path.join(folder, `${endpoint.name}.sql`);
      await writeFile(script, scriptOf(endpoint, values[0] ?? []));
      const flags = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-f', script];
      const start = ['-D', 'has_key=0', '-D', `keys=${keys.length}`];
      return {
        run: async (seconds) => {
          const whole = Math.max(1, Math.round(seconds));
          const args = [...flags, ...start, '-T', String(whole), url];
          const { stdout } = await promisify(execFile)(program, args, { timeout: 120_000 });
          const rate = /^tps = ([\d.]+) \(without initial connection time\)$/m.exec(stdout)?.[1];
          assert.ok(rate, stdout);
          return Number(rate);
        },
      };
    },
    close: async () => {
      await pool.query('drop schema bench cascade');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * pgbench cannot draw a text, so a query gets the parameters of a random key. That costs a transaction of its own: each
 * connection does it once in about twenty. All keys come as often as each other.
 */
function scriptOf({ name, statement }: Endpoint, values: (string | null)[]): string {
  const columns = values.map((_, i) => `value[${i + 1}] as p${i + 1}`).join(', ');
  // A variable of pgbench cannot be null.
  const text = statement.text.replaceAll(/\$(\d+)/g, (_, n: string) =>
    values[Number(n) - 1] === null ? 'null::text' : `:p${n}`,
  );
  return `\\set draw random(1, 20)
\\if :has_key = 0 or :draw = 1
\\set n random(1, :keys)
select ${columns} from bench.drawn where endpoint = '${name}' and n = :n
\\gset
\\set has_key 1
\\endif
${text.trim()};
`;
}
