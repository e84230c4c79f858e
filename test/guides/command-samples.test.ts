import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { runSample } from './run-sample.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';

// Runs the commands of docs/feed.md, docs/sources.md, docs/monitoring.md, docs/privacy.md and
// docs/data-files.md as an importer, and those of docs/upgrading.md. The pages' file season.ndjson is the
// example from docs/feed.md.

const database = await createTestDatabase();
const DATABASE_URL = await database.loginAs('wartable_publish');
const samples = Map.groupBy(samplesRunBy(import.meta.filename), ({ page }) => page);
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-samples-'));
atEnd(() => rm(folder, { recursive: true }));
const season = samples.get('docs/feed.md')?.find(({ language }) => language === 'ndjson')?.text ?? '';
await writeFile(path.join(folder, 'season.ndjson'), season);

test('feed.md: its commands import the example, and print the schema', async () => {
  const platform = 'platform-export() { cat season.ndjson; }\n';
  const { stdout, stderr } = await run(platform + commandsOf('docs/feed.md'));
  // With --acknowledge, the summary goes to standard error.
  assert.match(stderr, /^0 recorded .*\n$/);
  const totals = stdout.match(/^\d+ (?:would be )?recorded .*$/gm) ?? [];
  assert.equal(totals.length, 3, stdout);
  for (const line of totals) assert.match(line, / 0 refused/);
  assert.match(
    stdout,
    /tidewatch-open-2025: 3 participants, 2 of 2 rounds played, then 1 of 1 in the knockout, champion "Ana Quiroga"/,
  );
  assert.match(stdout, /"\$schema"/);
});

test('upgrading.md: its commands find a database that is up to date', async () => {
  const { stdout } = await runSample(
    commandsOf('docs/upgrading.md'),
    { DATABASE_URL: database.url, NO_COLOR: '1' },
    folder,
  );
  assert.match(stdout, /^\d+\.\d+\.\d+\nThe database is up to date\.\n/);
});

test('sources.md: its commands import for a source, hand things over and list who sends', async () => {
  const { stdout } = await run(commandsOf('docs/sources.md'));
  assert.match(stdout, /^The tournament lantern-league belongs to sheet-cup now, and no longer to main\.$/m);
  assert.match(stdout, /^\d+ things belong to north-league now, and no longer to main\.$/m);
  assert.match(stdout, /^main +\d{4}-\d\d-\d\dT\d\d:\d\d +\d+ +0 +- +-$/m);
  assert.match(stdout, /^Source main is expected to send something every 26h\.$/m);
  assert.match(stdout, /^Source sheet-cup may be silent for any length of time\.$/m);
  // The other pages import as `main`.
  await run(
    'wartable sources give main --everything-of north-league; wartable sources give main --everything-of sheet-cup',
  );
});

test('monitoring.md: its command says how long a source may be silent', async () => {
  const { stdout } = await run(commandsOf('docs/monitoring.md'));
  assert.equal(stdout, 'Source main is expected to send something every 26h.\n');
});

test('privacy.md: its commands show people and erase them', async () => {
  await run('wartable import season.ndjson');
  // There is no terminal for a question.
  const sure = commandsOf('docs/privacy.md').replaceAll(/^wartable players erase .*$/gm, '$& --yes');
  assert.ok(sure.includes(' --yes'));
  const { stdout } = await run(sure);
  assert.match(stdout, /Ana Quiroga/);
  const { rows } = await database.pool.query(
    `select (select erased_for_good from record.player where id = 'ana-q') as player,
       exists (select from record.erased_guest) as guest,
       exists (select from published.participant where document like '%Guest Gwen%' and tournament like 'tide%') as shown`,
  );
  assert.deepEqual(rows, [{ player: true, guest: true, shown: false }]);
});

test('data-files.md: its command writes files', async () => {
  const { stdout } = await run(commandsOf('docs/data-files.md'));
  assert.match(stdout, /^\d+ files, 0\.\d MB: \d+ new, 0 removed\.$/m);
});

function commandsOf(page: string): string {
  const commands = samples.get(page)?.filter(({ language }) => language === 'sh') ?? [];
  assert.ok(commands.length > 0, page);
  return commands.map(({ text }) => text).join('');
}

async function run(text: string): Promise<{ stdout: string; stderr: string }> {
  return runSample(text, { DATABASE_URL, NO_COLOR: '1' }, folder);
}
