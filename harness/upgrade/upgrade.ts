import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Request, startCaller } from '../measure/load.ts';
import { ended, type ServeProcess, startServe } from '../measure/serve-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { dayNumber } from '../../src/world/dates.ts';
import type { eventSeries } from '../../src/world/one-event.ts';
import { type Proof, withFolder } from '../proofs/proof.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { databaseUrl, loginUrl, onServer } from '../support/on-server.ts';
import { eventually } from '../support/eventually.ts';
import { type Upgrade, type Version, say, withUpgrade } from './previous-version.ts';
import { shownIn } from './shown.ts';
import { answersOf, targetsOf } from './targets.ts';

// An upgrade as docs/upgrading.md describes it. The previous version created the database, serves it and
// imports into it. Then the next version migrates it, starts its servers beside the others, takes over the
// import and publishes. Callers of the previous version notice nothing. At the end the import of the previous
// version takes over again and its servers start again, as in a rollback. The logins are those in the
// previous version's docs/install.md, in a PostgreSQL of their own, because roles belong to the whole
// cluster.

const leastRequests = { stated: 10_000, small: 3_000 };

export const upgrade: Proof = ({ size }) =>
  withUpgrade((versions) =>
    withFolder(async (folder) => {
      const postgres = await startPostgres();
      const running: { close: () => Promise<void> }[] = [];
      try {
        await setUp(versions.previous, postgres.url);
        const { load, targets } = await rollOver(versions, postgres.url, folder, running, size);
        const { 200: good = 0, 503: busy = 0, ...failed } = load;
        assert.deepEqual(failed, {});
        // A machine that also runs other tests refuses some reads for lack of time. A server that lacks a
        // column never answers, and then the comparison of all targets fails.
        assert.ok(busy <= (size === 'stated' ? 0 : good / 100), JSON.stringify(load));
        return [
          `${good + busy} requests, none failed.`,
          `Two servers of the previous version answered ${good + busy} requests for ${targets} targets, ${busy} with 503 and all others with 200 (must be at least ${leastRequests[size]} without a failure), while the next version migrated, started two servers beside them, took over a running import and published everything again, and while the import of the previous version took over again.`,
          'The owner may not create roles, the imports and the servers have the group roles, as install.md says.',
          'All four servers, and two of the previous version that started at the end, sent the same bodies and tags for every target, and showed the same on the pages of the running tournament.',
        ];
      } finally {
        for (const each of running.toReversed()) await each.close();
        await postgres.remove();
      }
    }),
  );

/** Creates the database and the logins, with the statements in the previous docs/install.md. */
async function setUp({ command: [, file] }: Version, serverUrl: string): Promise<void> {
  const page = await readFile(path.join(path.dirname(file), '../docs/install.md'), 'utf8');
  const [, onCluster = '', inDatabase = ''] =
    /<<SQL\n([^]*?)^\\connect wartable\n([^]*?)^SQL$/m.exec(page) ?? [];
  assert.match(inDatabase, /^revoke /);
  const withPasswords = onCluster.replaceAll(/'\$\w+'/g, `'${new URL(serverUrl).password}'`);
  for (const statement of withPasswords.trim().split('\n')) await onServer(serverUrl, statement);
  await onServer(databaseUrl(serverUrl, 'wartable'), inDatabase);
}

async function rollOver(
  { previous, next }: Upgrade,
  serverUrl: string,
  folder: string,
  running: { close: () => Promise<void> }[],
  size: 'small' | 'stated',
): Promise<{ load: Record<string, number>; targets: number }> {
  const as = (login: string) => loginUrl(databaseUrl(serverUrl, 'wartable'), login);
  const [owner, importer] = [as('wartable'), as('wartable_importer')];
  const [world, records] = await Promise.all([
    say(previous, ['world', '--battles', '400'], owner),
    runningEvent(previous),
    say(previous, ['migrate'], owner),
  ]);
  const file = path.join(folder, 'world.ndjson');
  await writeFile(file, world);
  await say(previous, ['import', file], importer);
  const headers = {
    authorization: `Bearer ${(await say(previous, ['keys', 'create', '--account', 'upgrade'], owner)).trim()}`,
  };
  const startTwo = async (version: Version): Promise<ServeProcess[]> => {
    // With an empty cache, every request reads the present schema. With a cache, it needs the notices.
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

  // The records up to the middle of the event.
  const half = Math.floor(records.length / 2);
  const firstImport = startImport(previous, importer);
  running.push(firstImport);
  for (const record of records.slice(0, half)) firstImport.tell(record);
  const origin = old[0]?.origin ?? '';
  const slug = slugOf(records);
  // The import has only just received the event.
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
  const page = `/tournaments/${slug}`;
  await tellOn(firstImport, 20);
  await say(next, ['migrate'], owner);
  await tellOn(firstImport, 20);
  const fresh = await startTwo(next);
  const { after } = (await extraAnswers(fresh, '/changes', headers)) as { after: string };
  await tellOn(firstImport, 20);
  await firstImport.isQuiet();
  await compare([...old, ...fresh], targets, headers, page);
  const listed = JSON.stringify(await extraAnswers(fresh, `/changes?limit=100&after=${after}`, headers));
  assert.match(listed, new RegExp(`"kind":"tournament","key":"${slug}","change":"changed"`));
  await firstImport.finish();

  const secondImport = startImport(next, importer);
  running.push(secondImport);
  await tellOn(secondImport, Math.ceil((records.length - told) / 2));
  await secondImport.finish();
  await say(next, ['publish', '--all'], importer);
  await compare([...old, ...fresh], targets, headers, page);
  await extraAnswers(fresh, '/search?q=club', headers);

  const thirdImport = startImport(previous, importer);
  running.push(thirdImport);
  await tellOn(thirdImport, records.length);
  await thirdImport.finish();
  // In a rollback, servers of the previous version start on the schema and the documents of the next one.
  const back = await startTwo(previous);
  await compare([...old, ...fresh, ...back], targets, headers, page);
  return { load: await load.stop(leastRequests[size]), targets: targets.length };
}

/**
 * Returns the records of a running event in order of arrival. The previous version makes them, because it
 * need not understand what a newer feed contains.
 */
async function runningEvent({ command: [, file] }: Version): Promise<string[]> {
  const made = (await import(path.join(path.dirname(file), 'world/one-event.ts'))) as {
    eventSeries: typeof eventSeries;
  };
  const event = { seed: 1, players: 32, format: 'swiss+knockout', rounds: 5, start: dayNumber('2026-11-14') };
  return made.eventSeries(event).map(({ record }) => JSON.stringify(record));
}

/** Returns an answer of one of our own endpoints, which is the same from all servers of this version. */
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
  /** Fails while something that it was sent is not published. */
  isQuiet: () => Promise<void>;
  /** Closes its pipe and waits until everything is published. */
  finish: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts an import that follows its pipe, as a platform's does. */
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

/**
 * Asks all servers in turn until it is stopped. The short breaks leave a core to what is starting at the same
 * time.
 */
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

/** Asserts that bodies and tags are the same on all servers, and so is what readers see of the pages. */
async function compare(
  servers: ServeProcess[],
  targets: string[],
  headers: Record<string, string>,
  page: string,
): Promise<void> {
  for (const target of targets) {
    // Every six hours the cursors of a list change, possibly between two of these requests.
    await eventually(async () => {
      const answers = servers.map(({ origin }) => answersOf(origin, [target], headers));
      const [first, ...others] = (await Promise.all(answers)).flat();
      assert.equal(first?.status, 200, target);
      for (const other of others) assert.deepEqual(other, first, target);
    });
  }
  for (const target of [page, `${page}/rounds`, '/', '/tournaments', '/openapi.json']) {
    await eventually(async () => {
      const [first, ...others] = await Promise.all(servers.map((server) => pageOf(server, target)));
      for (const other of others) assert.equal(other, first, target);
    });
  }
}

async function pageOf({ siteOrigin }: ServeProcess, target: string): Promise<string> {
  const answer = await fetch(`${siteOrigin}${target}`);
  assert.equal(answer.status, 200, target);
  return shownIn(target, await answer.text());
}
