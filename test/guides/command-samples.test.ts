import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { runSample } from './run-sample.ts';
import { samplesRunBy } from './samples.ts';

// The commands of docs/feed.md, docs/demo.md (the world), docs/monitoring.md, docs/privacy.md and docs/data-files.md, as an importer runs
// them, and of docs/upgrading.md. The file season.ndjson of the pages is the example of docs/feed.md.

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
  assert.match(stdout, /tidewatch-open-2025: 3 participants, 3 of 3 rounds played, champion "Ana Quiroga"/);
  assert.match(stdout, /"\$schema"/);
});

test('demo.md: its commands record a world and an event (fewer battles, and faster)', async () => {
  const commands = commandsOf('docs/demo.md');
  const small = commands
    .replace('--battles 20000', '--battles 150')
    .replace('--speed 600', '--speed 1000000');
  assert.ok(small.includes('--battles 150') && small.includes('--speed 1000000'));
  const { stdout } = await run(small);
  const totals = stdout.match(/^\d+ recorded .* 0 refused/gm) ?? [];
  assert.equal(totals.length, 2, stdout);
  const { rows } = await database.pool.query(
    `select count(*)::int as finished from record.tournament where status = 'finished' and slug not like 'tide%'`,
  );
  assert.ok(rows[0].finished > 0);
});

test('upgrading.md: its commands find a database that is up to date', async () => {
  const { stdout } = await runSample(
    commandsOf('docs/upgrading.md'),
    { DATABASE_URL: database.url, NO_COLOR: '1' },
    folder,
  );
  assert.match(stdout, /^\d+\.\d+\.\d+\nThe database is up to date\.\n/);
});

test('monitoring.md: its import writes its figures', async () => {
  const command = commandsOf('docs/monitoring.md');
  const here = command.replace('/var/lib/prometheus/node-exporter', folder);
  assert.notEqual(here, command);
  await run(here);
  const figures = await readFile(path.join(folder, 'nightly.prom'), 'utf8');
  assert.match(figures, /^wartable_import_exit_code\{import="nightly"\} 0$/m);
});

test('privacy.md: its commands show people and erase them', async () => {
  await run('wartable import season.ndjson');
  // There is no terminal to ask.
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
