import assert from 'node:assert/strict';
import type pg from 'pg';
import { search, searchRange } from '../../src/read/search.ts';
import { searchTexts } from '../../src/text/search.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';

const bars = { before: 70, after: 10 };

/** The pages of memory that one search reads, in a large table, before and after VACUUM. */
export const searchBuffers: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, (url) =>
    onClient(url, async (client) => {
      const rows = size === 'stated' ? 3_000_000 : 30_000;
      await fill(client, rows);
      const before = await mostBuffers(client);
      await client.query('vacuum (analyze) published.search');
      const after = await mostBuffers(client);
      assert.ok(before.most <= bars.before, `${before.most} buffers before VACUUM (${before.query})`);
      assert.ok(after.most <= bars.after, `${after.most} buffers after VACUUM (${after.query})`);
      return [
        `A search among ${rows} rows reads at most ${after.most} buffers after VACUUM (must be at most ${bars.after}) and ${before.most} before (at most ${bars.before}), for ${queries.length} queries: frequent and rare words, several words, none found.`,
      ];
    }),
  );

// Frequent, in the middle, rare, with several words, other scripts, and without a result.
const queries = [
  'an',
  'Anna',
  'anna k',
  'open',
  'Ibañeta 17',
  'zz',
  'name 29',
  '李',
  'ö',
  '10',
  'club owls 9',
];
const names = ['Anna Kowalska', 'Ibañeta Open', 'Owls Club', '李明', 'Jörg von der Öhe', 'Name'];

/** Names of one to five words, in an order that is not that of the index. */
async function fill(client: pg.Client, rows: number): Promise<void> {
  let count = 0;
  for (let thing = 0; count < rows;) {
    const batch: { folded: string; kind: string; key: string; label: string }[] = [];
    for (; batch.length < 20_000 && count < rows; thing += 1) {
      const label = `${names[thing % names.length]} ${(thing * 7919) % 1_000_003}`;
      const kind = ['player', 'tournament', 'club'][thing % 3] ?? '';
      const texts = searchTexts(label);
      count += texts.length;
      for (const folded of texts) batch.push({ folded, kind, key: `key-${thing}`, label });
    }
    await client.query(
      'insert into published.search select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])',
      [
        batch.map(({ folded }) => folded),
        batch.map(({ kind }) => kind),
        batch.map(({ key }) => key),
        batch.map(({ label }) => label),
      ],
    );
  }
}

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

/** As the server asks: a named statement, which may get a generic plan. */
async function mostBuffers(client: pg.Client): Promise<{ most: number; query: string }> {
  let worst = { most: 0, query: '' };
  await client.query(`prepare searching (text, text) as ${search.text}`);
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`);
    for (const query of queries) {
      const range = searchRange(query);
      if (range === null) continue;
      const execute = `execute searching (${range.map((each) => client.escapeLiteral(each)).join(', ')})`;
      // The first time reads the catalogue, too, and leaves hints that the second time uses.
      await client.query(execute);
      const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(
        `explain (analyze, buffers, format json) ${execute}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      assert.ok(plan);
      const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      if (buffers > worst.most) worst = { most: buffers, query };
    }
  }
  await client.query('deallocate searching; reset plan_cache_mode');
  return worst;
}
