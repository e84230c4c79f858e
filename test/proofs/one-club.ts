import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installedFlags, startAsInstalled } from '../../bench/installed-flags.ts';
import { descendants } from '../../scripts/descendants.ts';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { type Proof, timed, withFolder } from './proof.ts';

// The row "one club" of docs/install.md: PostgreSQL, one server and an event that is live from sheets, on one core.

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const mostMegabytes = 700;
const changes = 10;

export const oneClub: Proof = async () => {
  const others = await descendants();
  const { stdout } = await run('taskset', ['-cp', String(process.pid)]);
  const cores = stdout.trim().split(' ').at(-1) ?? '';
  // What this process starts from now on shares one core with it.
  await run('taskset', ['-acp', cores.replace(/[-,].*/, ''), String(process.pid)]);
  const postgres = await startPostgres();
  try {
    await migrate(postgres.url);
    return await withFolder((folder) => measure(folder, postgres, new Set(others)));
  } finally {
    await postgres.remove();
    await run('taskset', ['-acp', cores, String(process.pid)]);
  }
};

async function measure(folder: string, postgres: Postgres, others: ReadonlySet<number>): Promise<string[]> {
  const databaseUrl = postgres.url;
  const server = await startAsInstalled(databaseUrl, {});
  const page = `${server.siteOrigin}/tournaments/autumn-cup-2026`;
  const over = new AbortController();
  let peak = 0;
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(100))
      peak = Math.max(peak, await megabytes(postgres.pid(), others));
  })();
  try {
    const [header = '', ...games] = (await readFile(path.join(root, 'docs/sheets/games.csv'), 'utf8'))
      .trim()
      .split('\n');
    const tick = await liveSheet(folder, databaseUrl);
    const seconds: number[] = [];
    for (let change = 1; change <= changes; change++) {
      const rows = games.slice(0, change * 4);
      await writeFile(path.join(folder, 'games.csv'), `${[header, ...rows].join('\n')}\n`);
      const before = await textOf(page);
      seconds.push(
        await timed(async () => {
          await tick();
          while ((await textOf(page)) === before) await sleep(50);
        }),
      );
    }
    const answers = await answersIn(page, 5_000);
    const [slowest = 0] = seconds.toSorted((a, b) => b - a);
    assert.ok(peak <= mostMegabytes, `${peak} MB`);
    return [
      `PostgreSQL, one server, \`deploy/live-sheet.sh\` and the callers on one core: at most ${peak} MB together (must be at most ${mostMegabytes}), while an event of 16 players went through ${changes} changes of its sheet.`,
      `From the start of a fetch to the changed page: at most ${slowest.toFixed(1)} s. The page of the event afterwards: ${Math.round(answers / 5)} answers a second to 8 callers.`,
    ];
  } finally {
    over.abort();
    await watching;
    await server.close();
  }
}

/** Runs the script of the timer once, as installed, with sheets in the folder. */
async function liveSheet(folder: string, databaseUrl: string): Promise<() => Promise<unknown>> {
  const flags = await installedFlags();
  const program = `"${process.execPath}" ${flags.join(' ')} "${root}/src/cli.ts"`;
  await writeFile(path.join(folder, 'wartable'), `#!/bin/sh\nexec ${program} "$@"\n`);
  await chmod(path.join(folder, 'wartable'), 0o755);
  const env = {
    ...bareEnvironment,
    PATH: `${folder}:${process.env['PATH']}`,
    DATABASE_URL: databaseUrl,
    STATE_DIRECTORY: path.join(folder, 'state'),
    SHEET_EVENT: `file://${root}/docs/sheets/event.csv`,
    SHEET_PLAYERS: `file://${root}/docs/sheets/players.csv`,
    SHEET_GAMES: `file://${folder}/games.csv`,
    SHEET_OPTIONS: '--new-clubs --status ongoing',
    SHEET_SLUG: 'autumn-cup-2026',
  };
  return () => run('sh', [path.join(root, 'deploy/live-sheet.sh')], { env });
}

const textOf = async (page: string): Promise<string> => (await fetch(page)).text();

async function answersIn(page: string, ms: number): Promise<number> {
  const end = Date.now() + ms;
  let answers = 0;
  const caller = async (): Promise<void> => {
    for (; Date.now() < end; answers++) assert.match(await textOf(page), /Herbstcup/);
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  return answers;
}

/**
 * The memory of PostgreSQL and of what this process started. Files count once for each program, and the shared memory of
 * PostgreSQL once: the share that other programs of the machine have in them says nothing about a machine of its own.
 */
async function megabytes(postmaster: number, others: ReadonlySet<number>): Promise<number> {
  const backends = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const started = (await descendants()).filter((pid) => !others.has(pid));
  const files = new Map<string, number>();
  let own = 0;
  let shared = 0;
  for (const pid of new Set([postmaster, ...backends.trim().split(' ').map(Number), ...started])) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    own += kilobytes('RssAnon');
    shared = Math.max(shared, kilobytes('RssShmem'));
    files.set(program, Math.max(files.get(program) ?? 0, kilobytes('RssFile')));
  }
  return Math.round([...files.values()].reduce((sum, each) => sum + each, own + shared) / 1024);
}
