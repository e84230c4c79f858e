// `wartable import --acknowledge` reports to a platform, line by line in JSON, what became of its lines. It
// keeps no state for each line, only the marks of commits that are not published yet, at 12 bytes per mark.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { Failure } from '../record/backlog/drain.ts';
import type { Problem } from '../record/feed/problem.ts';
import type { RecordedLines } from '../record/import.ts';

/** The interval between looks at the remaining marks. */
const everyMs = 200;
/** The number of attempts at the last look, a second apart. */
const lastAttempts = 5;
/**
 * The number of commits above which those that are published, but wait behind one that is not, are merged.
 */
const maxCommits = 256;

interface Commit {
  file: string;
  line: number;
  /** The ids of its marks in ascending order, and the line of each. */
  marks: Float64Array;
  lines: Int32Array;
  /** The id of a mark that was still unpublished at the last look. The next look begins with it. */
  left?: number;
}

export class Acknowledgements {
  readonly #write: (line: string) => void;
  /** The commits that are recorded but not published yet, in order. */
  #commits: Commit[] = [];
  #mergeAt = maxCommits;
  /** The ids of marks whose failure has been reported. */
  #told = new Set<number>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** The number of commits that are not published yet. */
  get waiting(): number {
    return this.#commits.length;
  }

  refused(file: string, line: number, problems: Problem[]): void {
    this.#tell({ file, refused: line, problems });
  }

  recorded({ file, line, changed, unchanged, marks }: RecordedLines): void {
    this.#tell({ file, recorded: line, changed, unchanged });
    const sorted = marks.toSorted((a, b) => a.id - b.id);
    this.#commits.push({
      file,
      line,
      marks: Float64Array.from(sorted, ({ id }) => id),
      lines: Int32Array.from(sorted, (mark) => mark.line),
    });
  }

  /** Looks for published lines until `ended`. While the database is down, nothing new is reported. */
  async follow(pool: Pool, failures: { list: Failure[] }, ended: Promise<unknown>): Promise<void> {
    const over = ended.catch(() => {}).then(() => true);
    do {
      await this.look(pool, failures.list).catch(() => {});
    } while (!(await Promise.race([over, sleep(everyMs, false)])));
    // The last publish has not been reported yet, and a lost connection must not swallow it.
    for (let attempt = 0; attempt < lastAttempts; attempt += 1) {
      try {
        return await this.look(pool, failures.list);
      } catch {
        await sleep(1_000);
      }
    }
  }

  async look(pool: Pool, failed: Failure[]): Promise<void> {
    await this.#tellPublished(pool);
    await this.#tellFailed(pool, failed);
    if (this.#commits.length > this.#mergeAt) await this.#merge(pool);
  }

  async #tellPublished(pool: Pool): Promise<void> {
    const lines = new Map<string, number>();
    try {
      for (let first = this.#commits[0]; first && !(await isAnyLeft(pool, first)); first = this.#commits[0]) {
        lines.set(first.file, first.line);
        for (const mark of first.marks) this.#told.delete(mark);
        this.#commits.shift();
      }
    } finally {
      // Report these even if the database went down in between, because these commits will not be looked at
      // again.
      for (const [file, line] of lines) this.#tell({ file, published: line });
    }
  }

  async #tellFailed(pool: Pool, failed: Failure[]): Promise<void> {
    if (failed.length === 0) return;
    const { rows } = await pool.query<{ id: string; reason: string }>(
      `select id, reason from record.mark
        where (kind, key) in (select * from unnest($1::text[], $2::text[])) and reason is not null order by id`,
      [failed.map(({ kind }) => kind), failed.map(({ key }) => key)],
    );
    for (const { id, reason } of rows) {
      const mark = Number(id);
      if (this.#told.has(mark)) continue;
      for (const { file, marks, lines } of this.#commits) {
        const line = lines[marks.indexOf(mark)];
        if (line === undefined) continue;
        this.#told.add(mark);
        this.#tell({ file, line, failed: reason });
      }
    }
  }

  /** Merges commits, because one that cannot be published must not let the others pile up behind it. */
  async #merge(pool: Pool): Promise<void> {
    const merged: Commit[] = [];
    const known = [...this.#commits];
    for (const commit of known) {
      const last = merged.at(-1);
      if (last?.file === commit.file && !(await isAnyLeft(pool, commit))) last.line = commit.line;
      else merged.push(commit);
    }
    this.#commits.splice(0, known.length, ...merged);
    this.#mergeAt = Math.max(maxCommits, 2 * this.#commits.length);
  }

  #tell(acknowledgement: object): void {
    this.#write(`${JSON.stringify(acknowledgement)}\n`);
  }
}

async function isAnyLeft(pool: Pool, commit: Commit): Promise<boolean> {
  if (commit.marks.length === 0) return false;
  // Usually the mark that was there the last time is still there, and one lookup is enough.
  if (commit.left !== undefined) {
    const { rowCount } = await pool.query('select from record.mark where id = $1', [commit.left]);
    if (rowCount === 1) return true;
  }
  const { rows } = await pool.query<{ id: string }>(
    'select id from record.mark where id = any($1::bigint[]) limit 1',
    [[...commit.marks]],
  );
  if (!rows[0]) return false;
  commit.left = Number(rows[0].id);
  return true;
}
