import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Request, startCaller } from '../../bench/load.ts';
import { ended, type ServeProcess, startServe } from '../../bench/serve-process.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { type Proof, withFolder } from '../proofs/proof.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { databaseUrl, loginUrl, onServer } from '../support/on-server.ts';
import { eventually } from '../support/eventually.ts';
import { type Version, say, thisVersion, withPreviousVersion } from './previous-version.ts';
import { answersOf, targetsOf } from './targets.ts';

// An upgrade as docs/upgrading.md describes it. The previous version made the database, serves it and imports into it.
// Then this version migrates it, starts its servers beside the others, takes over the import and publishes. Callers of
// the previous version notice nothing, to the end: so there is also a way back. The logins are those of docs/install.md
// of the previous version, in a PostgreSQL of their own: roles belong to the whole cluster.

const leastRequests = { stated: 10_000, small: 3_000 };

export const upgrade: Proof = ({ size }) =>
  withPreviousVersion((previous) =>
    withFolder(async (folder) => {
      const postgres = await startPostgres();
      const running: { close: () => Promise<void> }[] = [];
      try {
        await setUp(previous, postgres.url);
        const { load, targets } = await rollOver(previous, postgres.url, folder, running, size);
        const { 200: good = 0, 503: busy = 0, ...failed } = load;
        assert.deepEqual(failed, {});
        // A machine that runs other tests, too, refuses some reads for lack of time. What lacks a column never answers,
        // and then the comparison of all targets fails.
        assert.ok(busy <= (size === 'stated' ? 0 : good / 100), JSON.stringify(load));
        return [
          `${good + busy} requests, none failed.`,
          `Two servers of ${previous.commit.slice(0, 7)} answered ${good + busy} requests for ${targets} targets, ${busy} with 503 and all others with 200 (must be at least ${leastRequests[size]} without a failure), while this version migrated, started two servers beside them, took over a running import and published everything again.`,
          'The owner may not create roles, the imports and the servers have the group roles, as install.md says.',
          'All four servers then sent the same bodies and tags for every target.',
        ];
      } finally {
        for (const each of running.toReversed()) await each.close();
        await postgres.remove();
      }
    }),
  );

/** The database and the logins, with the statements of the previous docs/install.md. */
async function setUp({ command: [, file] }: Version, serverUrl: string): Promise<void> {
  const page = await readFile(path.join(path.dirname(file), '../docs/install.md'), 'utf8');
  const [, onCluster = '', inDatabase = ''] =
    /<<SQL\n([^]*?)^\\connect wartable\n([^]*?)^SQL$/m.exec(page) ?? [];
  assert.match(inDatabase, /^revoke /);
  const withPasswords = onCluster.replaceAll(/'\$\w+'/g, `'${new URL(serverUrl).password}'`);
  for (const statement of withPasswords.trim().split('\n')) await onServer(serverUrl, statement);
  await onServer(databaseUrl(serverUrl, 'wartable'), inDatabase);
}

/** What a superuser does before step 2: the statements that docs/upgrading.md has in its text. */
async function beforeMigrating(serverUrl: string): Promise<void> {
  const page = await readFile(new URL('../../docs/upgrading.md', import.meta.url), 'utf8');
  for (const [, statement = ''] of page.matchAll(/`(create role [^`]+)`/g))
    await onServer(serverUrl, statement);
}

async function rollOver(
  previous: Version,
  serverUrl: string,
  folder: string,
  running: { close: () => Promise<void> }[],
  size: 'small' | 'stated',
): Promise<{ load: Record<string, number>; targets: number }> {
  const as = (login: string) => loginUrl(databaseUrl(serverUrl, 'wartable'), login);
  const [owner, importer] = [as('wartable'), as('wartable_importer')];
  const event = ['--event', '--live', '--players', '32', '--format', 'swiss+knockout'];
  const [world, series] = await Promise.all([
    say(previous, ['world', '--battles', '400'], owner),
    say(previous, ['world', ...event], owner),
    say(previous, ['migrate'], owner),
  ]);
  const file = path.join(folder, 'world.ndjson');
  await writeFile(file, world);
  await say(previous, ['import', file], importer);
  const headers = {
    authorization: `Bearer ${(await say(previous, ['keys', 'create', '--account', 'upgrade'], owner)).trim()}`,
  };
  const startTwo = async (version: Version): Promise<ServeProcess[]> => {
    // Without answers in memory, every request reads the schema of the moment. With them, it needs the notices.
    const settings = { ...bareEnvironment, API_URL: 'https://api.example', SITE_URL: 'https://example' };
    const one = async (cache: string) => {
      const server = await startServe(
        as('wartable_server'),
        { ...settings, CACHE_MB: cache },
        version.command,
      );
      running.push(server);
      return server;
    };
    const started = await Promise.allSettled(['0', '64'].map(one));
    return started.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
  };
  const old = await startTwo(previous);

  const lines = series.trim().split('\n');
  const records = lines.map((line) => JSON.stringify((JSON.parse(line) as { record: unknown }).record));
  // Up to the middle of the event.
  const half = Math.floor(records.length / 2);
  const firstImport = startImport(previous, importer);
  running.push(firstImport);
  for (const record of records.slice(0, half)) firstImport.tell(record);
  const origin = old[0]?.origin ?? '';
  const slug = slugOf(records);
  // The import has only just been told of the event.
  await eventually(async () => {
    const [battles] = await answersOf(origin, [`/api/v1/tournaments/${slug}/battles`], headers);
    assert.match(battles?.body ?? '', /"id"/);
  });
  const targets = await targetsOf(origin, headers, slug);

  const load = startLoad(old, targets, headers);
  running.push(load);
  let told = half;
  const tellOn = async ({ tell }: Import, most: number) => {
    for (const end = Math.min(told + most, records.length); told < end; told += 1) {
      tell(records[told] ?? '');
      await sleep(20);
    }
  };
  await tellOn(firstImport, 20);
  await beforeMigrating(serverUrl);
  await say(thisVersion, ['migrate'], owner);
  await tellOn(firstImport, 20);
  const fresh = await startTwo(thisVersion);
  const { after } = (await extraAnswers(fresh, '/changes', headers)) as { after: string };
  await tellOn(firstImport, 20);
  await compare([...old, ...fresh], targets, headers, () => firstImport.isQuiet());
  await firstImport.finish();
  // Nobody of the version before gives places. The next publisher does.
  assert.deepEqual(await extraAnswers(fresh, `/changes?after=${after}`, headers), {
    data: [],
    next: null,
    after,
  });
  const secondImport = startImport(thisVersion, importer);
  await eventually(async () => {
    const listed = JSON.stringify(await extraAnswers(fresh, `/changes?limit=100&after=${after}`, headers));
    assert.match(listed, new RegExp(`"kind":"tournament","key":"${slug}","change":"changed"`));
  });
  running.push(secondImport);
  await tellOn(secondImport, records.length);
  await secondImport.finish();
  await say(thisVersion, ['publish', '--all'], importer);
  await compare([...old, ...fresh], targets, headers, () => Promise.resolve());
  await extraAnswers(fresh, '/search?q=club', headers);
  return { load: await load.stop(leastRequests[size]), targets: targets.length };
}

/** Of our own endpoints: the same from all servers of this version. */
async function extraAnswers(
  servers: ServeProcess[],
  target: string,
  headers: Record<string, string>,
): Promise<unknown> {
  let body: unknown;
  await eventually(async () => {
    const answers = servers.map(({ origin }) => answersOf(origin, [`/api/extra/v1${target}`], headers));
    const [first, ...others] = (await Promise.all(answers)).flat();
    assert.equal(first?.status, 200, target);
    for (const other of others) assert.deepEqual(other, first);
    body = JSON.parse(first.body);
  });
  return body;
}

function slugOf(records: string[]): string {
  const parsed = records.map((record) => JSON.parse(record) as { kind: string; slug?: string });
  return parsed.find(({ kind }) => kind === 'tournament')?.slug ?? '';
}

interface Import {
  tell: (record: string) => void;
  /** Fails while something that it was told is not published. */
  isQuiet: () => Promise<void>;
  /** Closes its pipe and waits until all of it is published. */
  finish: () => Promise<void>;
  close: () => Promise<void>;
}

/** An import that follows its pipe, as a platform's does. */
function startImport({ command: [program, file], commit }: Version, url: string): Import {
  const child: ChildProcess = spawn(program, [file, 'import', '--acknowledge', '-'], {
    env: { ...bareEnvironment, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let told = 0;
  let acknowledged = '';
  let said = '';
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (chunk) => (acknowledged += String(chunk)));
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  return {
    tell: (record) => {
      told += 1;
      child.stdin?.write(`${record}\n`);
    },
    isQuiet: () =>
      eventually(() =>
        assert.match(acknowledged, new RegExp(`"published":${told}\\b`), `${commit}: ${said}`),
      ),
    close: () => ended(child),
    finish: async () => {
      child.stdin?.end();
      const giveUp = setTimeout(() => void ended(child), 120_000);
      const code: unknown = child.exitCode ?? (await once(child, 'exit'))[0];
      clearTimeout(giveUp);
      assert.equal(code, 0, `${commit}: wartable import: ${said}`);
    },
  };
}

/** Asks all servers in turn until it is stopped. The short rests leave a core to what comes up beside them. */
function startLoad(servers: ServeProcess[], targets: string[], headers: Record<string, string>) {
  const requests: Request[] = targets.map((target) => ({ path: target, headers }));
  const caller = startCaller();
  const statuses: Record<string, number> = {};
  let answers = 0;
  let least = Number.POSITIVE_INFINITY;
  const work = (async () => {
    while (answers < least) {
      for (const { origin } of servers) {
        const report = await caller.call(origin, requests, { most: 200, seconds: 60 });
        answers += report.answers;
        for (const [status, count] of Object.entries(report.statuses))
          statuses[status] = (statuses[status] ?? 0) + count;
      }
      if (least > answers) await sleep(250);
    }
  })();
  return {
    stop: async (most: number) => {
      least = most;
      await work;
      return statuses;
    },
    close: async () => {
      least = 0;
      await work;
      await caller.close();
    },
  };
}

/** Bodies and tags are the same on all servers. */
async function compare(
  servers: ServeProcess[],
  targets: string[],
  headers: Record<string, string>,
  isQuiet: () => Promise<void>,
): Promise<void> {
  await isQuiet();
  for (const target of targets) {
    // Every six hours the cursors of a list change, between two of these requests, too.
    await eventually(async () => {
      const answers = servers.map(({ origin }) => answersOf(origin, [target], headers));
      const [first, ...others] = (await Promise.all(answers)).flat();
      assert.equal(first?.status, 200, target);
      for (const other of others) assert.deepEqual(other, first, target);
    });
  }
  for (const { siteOrigin } of servers)
    for (const page of ['/', '/tournaments', '/openapi.json'])
      assert.equal((await fetch(`${siteOrigin}${page}`)).status, 200, page);
}
