import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FileEntry } from '../../src/files/data-file.ts';
import type { Pool } from '../../src/database/pool.ts';

export interface DataIndex {
  after: string;
  date: string;
  terms: string | null;
  files: FileEntry[];
}

/**
 * Returns the index of a folder that `wartable files` wrote. Each file that it names must exist and be
 * complete.
 */
export function wholeIndex(folder: string): DataIndex {
  const index = JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8')) as DataIndex;
  for (const { name, bytes, sha256 } of index.files) {
    const content = readFileSync(path.join(folder, name));
    assert.equal(content.length, bytes, name);
    assert.equal(createHash('sha256').update(content).digest('hex'), sha256, name);
    assert.ok(name.includes(sha256.slice(0, 16)), name);
  }
  return index;
}

export function linesOf(folder: string, { name }: FileEntry): string[] {
  return gunzipSync(readFileSync(path.join(folder, name)))
    .toString()
    .split(/\r?\n/)
    .slice(0, -1);
}

/** Independent statements that read the lines of each kind of NDJSON from the database, in any order. */
const statements: Record<string, string> = {
  clubs: `select null as month, document || '"}' as document from published.club`,
  tournaments: `select to_char(start_date, 'YYYY-MM') as month, document || '"}' as document from published.tournament`,
  standings: `select to_char(start_date, 'YYYY-MM') as month, slug, s.document
    from published.standings s join published.tournament on slug = tournament`,
  participants: `select to_char(start_date, 'YYYY-MM') as month, slug, p.document
    from published.participant p join published.tournament on slug = tournament`,
  battles: `select to_char(date, 'YYYY-MM') as month, document || '"}' as document from published.battle`,
  'battle-details': `select to_char(date, 'YYYY-MM') as month, d.document || '"}' as document
    from published.battle_detail d join published.battle using (id)`,
};

/**
 * Compares each line of NDJSON with the database, month by month. Returns the number of documents. `to_char`
 * of a date that is not finite is null.
 */
export async function assertEqualsDatabase(pool: Pick<Pool, 'query'>, folder: string): Promise<number> {
  const { files } = wholeIndex(folder);
  let documents = 0;
  for (const [kind, text] of Object.entries(statements)) {
    const entries = files.filter((entry) => entry.kind === kind);
    const { rows: months } = await pool.query<{ month: string | null; rows: number }>(
      `select month, count(*)::int as rows from (${text}) listed group by month order by month nulls first`,
    );
    assert.deepEqual(
      entries.map(({ month, rows }) => ({ month, rows })),
      months,
      kind,
    );
    for (const entry of entries) {
      const { rows } = await pool.query<{ document: string; slug?: string }>(
        `select * from (${text}) listed where month is not distinct from $1`,
        [entry.month],
      );
      const expected = rows.map(({ document, slug }) => {
        const { url: _, ...members } = JSON.parse(document) as Record<string, unknown>;
        return JSON.stringify(slug === undefined ? members : { tournament: slug, ...members });
      });
      // We don't use deepEqual on arrays, because a message with thousands of documents helps nobody.
      assert.ok(
        linesOf(folder, entry).toSorted().join('\n') === expected.toSorted().join('\n'),
        `${entry.name} differs from the database`,
      );
      documents += rows.length;
    }
  }
  return documents;
}
