import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { demoFeed } from '../../src/demo/world.ts';
import { importLines } from '../../harness/support/feed.ts';
import { type Block, blocksOf, patternOf } from '../../harness/guides/guide-blocks.ts';
import { root, samplesRunBy } from '../../harness/guides/samples.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, startTestServer } from '../../harness/support/server.ts';

// Runs every sample of docs/api, in the order of its page, against what `wartable demo` serves. The block
// below a sample is its output, with … for what differs from time to time; a sample without one prints
// nothing. Programs that do not end (mjs) are tested in polling-guide.test.ts.

const pages = Map.groupBy(samplesRunBy(import.meta.filename), ({ page }) => page);
const database = await createTestDatabase();
const client = await database.pool.connect();
assert.deepEqual((await importLines(client, demoFeed(dayNumber('2026-11-14')))).refusals, []);
client.release();
assert.deepEqual((await publishBacklog(database.pool)).failed, []);
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const api = `http://localhost:${new URL(server.apiUrl).port}`;
const scratch = await mkdtemp(path.join(tmpdir(), 'wartable-guides-'));
atEnd(() => rm(scratch, { recursive: true }));
await copyFile(path.join(root, 'docs/recipes/client/wartable.mjs'), path.join(scratch, 'wartable.mjs'));

const runners = {
  sh: {
    command: 'bash',
    flags: ['--norc', '-euo', 'pipefail', '-c'],
    print: (text: string) => `echo '${text}'`,
  },
  js: {
    command: process.execPath,
    flags: ['--input-type=module', '-e'],
    print: (text: string) => `console.log('${text}')`,
  },
};

for (const [page, samples] of pages) {
  const name = path.basename(page);
  const blocks = await blocksOfPage(page);
  for (const language of ['sh', 'js'] as const) {
    const run = samples.filter((sample) => sample.language === language);
    if (run.length === 0) continue;
    test(`${name}: its ${language} samples print what it shows`, async () => {
      const printed = await runAll(
        language,
        run.map(({ text }) => text),
      );
      for (const [turn, sample] of run.entries())
        assertShows(blockBelow(blocks, sample), printed[turn] ?? '');
    });
  }
}

test('no page has lost its samples', () => {
  assert.deepEqual(
    [...pages.keys()].map((page) => path.basename(page)),
    [
      'README.md',
      'errors.md',
      'first-request.md',
      'following.md',
      'joining.md',
      'paging.md',
      'players-and-rounds.md',
      'polling.md',
      'statistics.md',
    ],
  );
});

test('errors.md: its sample is the answer about an unknown tournament; all other JSON is below a sample', async () => {
  const [sample, ...more] = pages.get('docs/api/errors.md') ?? [];
  assert.equal(more.length, 0);
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${api}/api/v1/tournaments/unknown`, { headers });
  assertFits(JSON.parse(sample?.text ?? ''), await answer.json());
  for (const [page, samples] of pages) {
    if (page === 'docs/api/errors.md') continue;
    const blocks = await blocksOfPage(page);
    const shown = new Set(samples.map((each) => blockBelow(blocks, each)?.line));
    for (const { language, line } of samples) assert.ok(language !== 'json' || shown.has(line), page);
  }
});

test('joining.md: who went through is found after a draw, too, and a walkover has no battle to ask', async () => {
  const people = ['ada', 'ben', 'cleo', 'dov'];
  const game = (round: number, table: number, winner: string | null, ...sides: string[]) => ({
    id: `cup-${round}-${table}`,
    stage: 'knockout',
    round,
    table,
    finished: true,
    winner,
    sides: sides.map((participant) => ({ participant, victoryPoints: 20 })),
  });
  const match = (
    round: number,
    position: number,
    winner: string,
    battle: string | null,
    ...players: string[]
  ) => ({
    stage: 'knockout',
    round,
    position,
    table: position,
    winner,
    battle,
    players,
  });
  await publishFeed(database.pool, [
    ...people.map((id) => ({ kind: 'player' as const, id, name: id })),
    {
      kind: 'tournament',
      slug: 'drawn-cup',
      published: true,
      name: 'Drawn Cup',
      status: 'ongoing',
      battleSize: 1000,
      stages: [{ id: 'knockout', label: 'Knockout', type: 'bracket', rounds: 2 }],
      participants: people.map((id) => ({ id, player: id })),
      battles: [game(1, 1, null, 'ada', 'ben'), game(2, 1, 'cleo', 'ben', 'cleo')],
      matches: [
        match(1, 1, 'ben', 'cup-1-1', 'ada', 'ben'),
        match(1, 2, 'cleo', null, 'cleo', 'dov'),
        match(2, 1, 'cleo', 'cup-2-1', 'ben', 'cleo'),
      ],
    },
  ]);
  const samples = pages.get('docs/api/joining.md') ?? [];
  const printed = await runAll(
    'js',
    samples.map(({ text }) => text.replaceAll('tidewatch-open-2025', 'drawn-cup')),
  );
  assert.equal(printed.join(''), "Semi-final ben [ 'ada', 'ben' ]\nFinal cleo [ 'ben', 'cleo' ]\n");
});

async function blocksOfPage(page: string): Promise<Block[]> {
  return blocksOf(await readFile(path.join(root, page), 'utf8'));
}

function blockBelow(blocks: Block[], { line }: Block): Block | undefined {
  return blocks.find((block) => block.line > line);
}

/** Returns the output of each text. They run one after the other in one process. */
async function runAll(language: keyof typeof runners, texts: string[]): Promise<string[]> {
  const { command, flags, print } = runners[language];
  const onThisServer = texts.map((text) => text.replaceAll('http://localhost:3000', api));
  const script = onThisServer.map((text) => `${text}\n${print('(end)')}\n`).join('');
  const { stdout } = await promisify(execFile)(command, [...flags, script], {
    cwd: scratch,
    timeout: 290_000,
    env: { PATH: process.env['PATH'], API: api, KEY: key },
  });
  return stdout.split('(end)\n');
}

function assertShows(below: Block | undefined, printed: string): void {
  const shown = below?.text.replaceAll('http://localhost:3000', api) ?? '';
  if (below?.language === 'json') assertFits(JSON.parse(shown), JSON.parse(printed));
  else assert.match(printed, patternOf(below?.language === 'text' ? shown : ''));
}

/**
 * Compares a value with what the page shows, where `"…": "…"` stands for members that are not shown, and a
 * last "…" for elements that are not shown.
 */
function assertFits(shown: unknown, is: unknown): void {
  if (Array.isArray(shown) && shown.length > 1 && shown.at(-1) === '…') {
    assert.ok(Array.isArray(is) && is.length >= shown.length);
    return assertFits(shown.slice(0, -1), is.slice(0, shown.length - 1));
  }
  if (typeof shown === 'string') return assert.match(String(is), patternOf(shown));
  if (typeof shown !== 'object' || shown === null) return assert.equal(is, shown);
  const { '…': others, ...members } = shown as Record<string, unknown>;
  const given = is as Record<string, unknown>;
  if (others === undefined) assert.deepEqual(Object.keys(given), Object.keys(members));
  for (const [name, member] of Object.entries(members)) assertFits(member, given[name]);
}
