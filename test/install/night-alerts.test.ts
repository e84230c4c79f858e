import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgres } from '../../harness/support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { onServer } from '../../harness/support/on-server.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { assertFiring } from '../../harness/install/firing-alerts.ts';
import { isInstalled } from '../../harness/install/proxies.ts';

// Evaluates our alert rules with what a real server reports about backups, files and its only database.

const postgres = await startPostgres();
atEnd(() => postgres.remove());
await migrate(postgres.url);
const server = await startTestServer(postgres.url);
const skip = (await isInstalled('promtool')) ? false : 'no promtool here';

/** Returns the metrics as soon as one of them matches, because they are cached for some seconds. */
async function metricsWith(...expected: RegExp[]) {
  let text = '';
  await eventually(async () => {
    text = await (await fetch(`${server.opsUrl}/metrics`)).text();
    for (const each of expected) assert.match(text, each);
  });
  const ours = /^(wartable_(?:task_|reads_possible|database_down)\w*)(\{.*\})? (\S+)$/gm;
  return [...text.matchAll(ours)];
}

/** On a busy machine, the new server may not have reached its database yet. */
const canRead = /reads_possible 1$/m;
const old = { alertname: 'WartableBackupOld', severity: 'warning' };

test(
  'without any backup the alert fires, and nobody misses files that were never written',
  { skip },
  async () => {
    const lines = await metricsWith(/^wartable_task_timestamp_seconds\{task="backup"\} 0$/m, canRead);
    await assertFiring(80, lines, [old]);
  },
);

test(
  'after a backup and files none fires, and both fire when they are old or dated in the future',
  { skip },
  async () => {
    const done = (name: string, age: string) =>
      onServer(
        postgres.url,
        `insert into published.task values ('${name}', now() - interval '${age}')
        on conflict (name) do update set done_at = excluded.done_at`,
      );
    for (const name of ['backup', 'files']) await done(name, '1 h');
    await assertFiring(80, await metricsWith(/task="files"\} \d/, canRead), []);
    for (const name of ['backup', 'files']) await done(name, '10 days');
    const limit = Date.now() / 1_000 - 9 * 86_400;
    let lines = await metricsWith(/task="files"/, canRead);
    await eventually(async () => {
      lines = await metricsWith(/task="files"/, canRead);
      for (const [line, name, , value] of lines)
        if (name?.endsWith('_timestamp_seconds')) assert.ok(Number(value) < limit, line);
    });
    const both = [old, { alertname: 'WartableFilesOld', severity: 'warning' }];
    await assertFiring(80, lines, both);
    // The clock was wrong when they were written.
    const future = String(Date.now() / 1_000 + 9 * 86_400);
    const later = lines.map(([line = '', name = '', labels = '', value = '']) =>
      name.endsWith('_timestamp_seconds') ? [line, name, labels, future] : [line, name, labels, value],
    );
    await assertFiring(80, later, both);
  },
);

test(
  'when the only database is stopped, nothing calls it down, but reads are impossible',
  { skip },
  async () => {
    assert.match(
      (await metricsWith(/reads_possible 1$/m)).join('\n'),
      /database_down\{database="primary"\} 0/,
    );
    await postgres.stop('fast');
    const lines = (await metricsWith(/^wartable_reads_possible 0$/m)).filter(
      ([line]) => !line.includes('task'),
    );
    assert.match(lines.join('\n'), /wartable_database_down\{database="primary"\} 0/);
    await assertFiring(80, lines, [
      { alertname: 'WartableReadsImpossible', severity: 'critical', instance: 'a' },
    ]);
  },
);
