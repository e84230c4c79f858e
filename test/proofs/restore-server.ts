import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../bench/programs.ts';
import { freePort } from '../../scripts/postgres.ts';
import { blocksOf } from '../guides/guide-blocks.ts';
import { onClient, withFolder } from './proof.ts';

/** A PostgreSQL with all its programs, which the packages of the tests do not have, and the page that we try. */
export interface BackedUpServer {
  version: string;
  backups: string;
  /** The moment to go back to. */
  targetTime: string;
  url: (login: string, database?: string) => string;
  /** Runs a block of a section of docs/backups.md, or only its lines that match. Returns what it printed. */
  run: (section: string, block: number, lines?: RegExp) => Promise<string>;
}

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

export function withBackedUpServer<T>(work: (server: BackedUpServer) => Promise<T>): Promise<T> {
  return withFolder((folder) => serveIn(folder, work));
}

async function serveIn<T>(folder: string, work: (server: BackedUpServer) => Promise<T>): Promise<T> {
  const found = await findProgram('initdb');
  if (found === undefined)
    throw new Error(
      'this proof needs all programs of PostgreSQL, such as pg_basebackup: install the package postgresql',
    );
  const programs = path.dirname(found);
  const [backups, data, bin] = ['backups', 'server/data', 'bin'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  for (const each of [backups, path.dirname(data), bin]) await mkdir(each);
  if (owner.uid !== undefined)
    for (const each of [folder, backups, path.dirname(data)]) await chown(each, owner.uid, owner.gid);
  await writeFile(
    path.join(bin, 'wartable'),
    `#!/bin/sh\nexec '${process.execPath}' '${root}/src/cli.ts' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const asOwner = { ...owner, cwd: folder };
  await execute(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    asOwner,
  );
  const port = await freePort();
  const settings = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`;
  await appendFile(path.join(data, 'postgresql.conf'), settings);
  const url = (login: string, database = login) => `postgres://${login}@127.0.0.1:${port}/${database}`;
  const control = (...args: string[]) =>
    execute(path.join(programs, 'pg_ctl'), ['-D', data, ...args], asOwner);
  const log = path.join(backups, 'postgresql.log');
  await control('start', '--wait', `--log=${log}`);
  try {
    const version = await onClient(url('postgres'), async (client) => {
      // `wartable migrate` makes the group roles: docs/install.md, Database logins.
      await client.query(`create role wartable login createrole;
        create role wartable_importer login; create role wartable_server login`);
      await client.query('create database wartable owner wartable');
      const { rows } = await client.query<{ version: string }>(
        "select 'PostgreSQL ' || current_setting('server_version') as version",
      );
      return rows[0]?.version ?? '';
    });
    const page = await readFile(path.join(root, 'docs/backups.md'), 'utf8');
    const server: BackedUpServer = {
      version,
      backups,
      targetTime: '',
      url,
      run: async (section, block, lines) => {
        const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`));
        const blocks = blocksOf(text ?? '').filter(({ language }) => language === 'sh');
        const script = blocks[block]?.text ?? '';
        const chosen = script.split('\n').filter((line) => lines?.test(line) ?? true);
        assert.match(chosen.join(''), /\S/, `docs/backups.md has no such block in ${section}`);
        const { stdout, stderr } = await execute('sh', ['-euc', chosen.join('\n')], {
          // Commands of Wartable may need files that only we may read.
          ...(section === 'Point-in-time recovery' ? asOwner : {}),
          cwd: folder,
          env: {
            PATH: [bin, programs, process.env['PATH']].join(path.delimiter),
            BACKUPS: backups,
            PGDATA: data,
            DATABASE_URL: url('wartable'),
            ADMIN_URL: url('postgres'),
            RESTORED_ADMIN_URL: url('postgres', 'wartable_restored'),
            TARGET_TIME: server.targetTime,
          },
        }).catch((error: unknown) => {
          throw new Error(`a block of ${section} failed:\n${chosen.join('\n')}`, { cause: error });
        });
        return stdout + stderr;
      },
    };
    return await work(server);
  } finally {
    await control('stop', '--mode=immediate', '--wait').catch(() => {});
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}
