import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../measure/programs.ts';
import { freePort } from '../support/postgres.ts';
import { createCluster } from '../../src/throwaway/postgres.ts';
import { blocksOf } from '../guides/guide-blocks.ts';
import { createLogin, withoutPassword } from '../support/on-server.ts';
import { onClient, withFolder } from './proof.ts';

/**
 * A PostgreSQL with all its programs, which the packages of the tests do not have, and the page whose
 * instructions are tested.
 */
export interface BackedUpServer {
  version: string;
  backups: string;
  /** The time to go back to. */
  targetTime: string;
  url: (login: string, database?: string) => string;
  /**
   * Runs a block in a section of docs/backups.md, or only those of its lines that match. Returns the output.
   */
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
  // All programs are in the same folder as the real one.
  const programs = path.dirname(await realpath(found));
  const { data, owner, password, ...cluster } = await createCluster(path.dirname(programs));
  const [backups, bin] = ['backups', 'bin'].map((name) => path.join(folder, name)) as [string, string];
  for (const each of [backups, bin]) await mkdir(each);
  if (owner.uid !== undefined && owner.gid !== undefined)
    for (const each of [folder, backups]) await chown(each, owner.uid, owner.gid);
  await writeFile(
    path.join(bin, 'wartable'),
    `#!/bin/sh\nexec '${process.execPath}' '${root}/src/cli.ts' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const asOwner = { ...owner, cwd: folder };
  const port = await freePort();
  const settings = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`;
  await appendFile(path.join(data, 'postgresql.conf'), settings);
  const url = (login: string, database = login) =>
    `postgres://${login}:${password}@127.0.0.1:${port}/${database}`;
  const shown = (login: string, database?: string) => withoutPassword(url(login, database)).url;
  const control = (...args: string[]) =>
    execute(path.join(programs, 'pg_ctl'), ['-D', data, ...args], asOwner);
  const log = path.join(backups, 'postgresql.log');
  await control('start', '--wait', `--log=${log}`);
  try {
    // `wartable migrate` creates the group roles: docs/install.md, Database logins.
    await createLogin(url('postgres'), 'wartable', 'createrole');
    for (const login of ['wartable_importer', 'wartable_server']) await createLogin(url('postgres'), login);
    const version = await onClient(url('postgres'), async (client) => {
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
          // Commands of Wartable may need files that only this user may read.
          ...(section === 'Point-in-time recovery' ? asOwner : {}),
          cwd: folder,
          env: {
            PATH: [bin, programs, process.env['PATH']].join(path.delimiter),
            BACKUPS: backups,
            BACKUP: await newestIn(backups),
            PGDATA: data,
            PGPASSWORD: password,
            DATABASE_URL: shown('wartable'),
            ADMIN_URL: shown('postgres'),
            RESTORED_ADMIN_URL: shown('postgres', 'wartable_restored'),
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
    await rm(cluster.folder, { recursive: true, force: true });
  }
}

async function newestIn(backups: string): Promise<string> {
  const made = (await readdir(backups)).filter((name) => /^wartable-.*Z$/.test(name)).toSorted();
  return path.join(backups, made.at(-1) ?? '');
}
