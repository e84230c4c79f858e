import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSource, noteFailure } from '../../src/record/sources/health.ts';
import { expectSource } from '../../src/record/sources/list.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { importLines } from '../../harness/support/feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { assertFiring } from '../../harness/install/firing-alerts.ts';
import { isInstalled } from '../../harness/install/proxies.ts';

// Evaluates our alert rules with what a real server reports about its sources: a silent sender, an import
// that refuses records and a broken sheet each raise an alert, and a good source raises none.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
const server = await startTestServer(database.url);

const good = { kind: 'club', slug: 'harbour', name: 'Harbour' };
await importLines(client, [good], { source: 'good' });
await importLines(client, [good, { kind: 'club', slug: 'Wrong' }], { source: 'refusing' });
await importLines(client, [good], { source: 'silent' });
await addSource(client, 'sheet-cup');
await noteFailure(client, 'sheet-cup', 'games.csv:2: result: expected 1, 2 or draw, found "Ann"');
for (const source of ['good', 'silent']) await expectSource(database.pool, source, 3_600);
await database.pool.query(
  "update record.source set last_sent_at = now() - interval '2 hours' where name = 'silent'",
);

const skip = (await isInstalled('promtool')) ? false : 'no promtool here';
test(
  'a silent sender, a refusing import and a broken sheet each raise one alert on a real server',
  { skip },
  async () => {
    let lines: RegExpExecArray[] = [];
    await eventually(async () => {
      const text = await (await fetch(`${server.opsUrl}/metrics`)).text();
      lines = [...text.matchAll(/^(wartable_source_\w+)(\{.*\}) (\S+)$/gm)];
      // The numbers are cached for some seconds.
      assert.ok(lines.some(([line]) => line.includes('sheet-cup')));
    });
    assert.doesNotMatch(lines.join('\n'), /Ann/);
    const expected = (alertname: string, severity: string, source: string) => ({
      alertname,
      severity,
      source,
    });
    await assertFiring(15, lines, [
      expected('WartableSourceSilent', 'critical', 'silent'),
      expected('WartableSourceRefused', 'warning', 'refusing'),
      expected('WartableSourceRefused', 'warning', 'sheet-cup'),
    ]);
  },
);
