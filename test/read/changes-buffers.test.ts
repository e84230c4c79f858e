import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes } from '../../src/read/changes.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// Counts what it costs to follow changes, in pages of memory as PostgreSQL counts them.

const database = await createTestDatabase();
const { pool } = database;
const rows = 20_000;
await pool.query(
  `insert into published.change (kind, key, gone, revision, sequence, since)
  select 'battle', 'b' || i, false, 1, i, now() from generate_series(1, $1::int) i`,
  [rows],
);
await pool.query('update published.change_list set last = $1', [rows]);
await pool.query('vacuum analyze published.change');

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

test('a page costs the same at any depth, and a poll without news does not touch the changes', async () => {
  const { rows: list } = await pool.query('select revision from published.change_list');
  for (const after of [0, rows / 2, rows - 100]) {
    const blocks = await costOfPage('{}', after);
    assert.ok(blocks > 0 && blocks <= 8, `${blocks} blocks after ${after}`);
  }
  assert.ok((await costOfPage('{}', rows)) <= 3);
  assert.equal(await costOfPage(`{${list[0].revision}}`, rows), 0);
  assert.equal(await costOfPage('{}', 'null'), 0);
});

test('of many polls without news, each is a 304, and none reads the database', async () => {
  const server = await startTestServer(await database.loginAs('wartable_serve'));
  const { key } = await createTestKey(database);
  const { json } = await server.get('/api/extra/v1/changes', bearer(key));
  const target = `/api/extra/v1/changes?after=${(json as { after: string }).after}`;
  const { headers } = await server.get(target, bearer(key));
  const before = await reads(server.opsUrl);
  for (let poll = 0; poll < 20; poll += 1) {
    const held = { ...bearer(key), 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await server.get(target, held)).status, 304);
  }
  assert.equal(await reads(server.opsUrl), before);
});

test('a publisher that finds nothing to do reads a few pages, whatever the statistics say', async () => {
  // As after a large import: the statistics were gathered when many changes were waiting.
  await pool.query('update published.change set sequence = null where sequence > $1', [rows / 2]);
  await pool.query('analyze published.change');
  await pool.query('select published.number_changes(), published.number_changes()');
  assert.deepEqual((await pool.query('select from published.change where sequence is null')).rows, []);
  await pool.query('vacuum published.change');
  const client = await pool.connect();
  try {
    await client.query('select published.number_changes()');
    const { rows: plans } = await client.query(
      'explain (analyze, buffers, format json) select published.number_changes()',
    );
    const cost = blocksOf(plans[0]['QUERY PLAN'][0].Plan);
    assert.ok(cost <= 10, `${cost} blocks`);
  } finally {
    client.release(true);
  }
});

/** Returns the cost of the changes alone, in a generic plan. */
async function costOfPage(held: string, after: number | 'null'): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query(`set plan_cache_mode = force_generic_plan;
      prepare page (int, bigint[], bigint) as ${changes.text}`);
    const { rows: plans } = await client.query(
      `explain (analyze, buffers, format json) execute page (21, '${held}', ${after})`,
    );
    return nodesOf(plans[0]['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] === 'change')
      .reduce((sum, node) => sum + blocksOf(node), 0);
  } finally {
    client.release(true);
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function blocksOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}

async function reads(opsUrl: string): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^wartable_answers_total\{source="database"\} (\d+)$/m.exec(metrics)?.[1]);
}
