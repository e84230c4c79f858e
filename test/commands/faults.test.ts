import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { startPostgres } from '../../harness/support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { type CommandResult, wartable } from '../../harness/support/command.ts';
import { postgresInDisguise } from '../../harness/support/disguising-proxy.ts';
import { fewAtOnce } from '../../harness/support/few-at-once.ts';
import { createLogin, databaseUrl, loginUrl, onServer } from '../../harness/support/on-server.ts';
import { eventually, get, startTestServer } from '../../harness/support/server.ts';

// Tests each command with each fault: the exact sentence and the exit code. `/ready` uses the same words.

const postgres = await startPostgres();
atEnd(() => postgres.remove());
const rolesMissing = await prepareDatabases();
const silent = await listenInSilence();
const old = await postgresInDisguise(as('postgres', 'empty'), 14);

const commands = {
  migrate: ['migrate'],
  import: ['import', '-'],
  publish: ['publish'],
  tournaments: ['tournaments', 'unpublish', 'cup'],
  players: ['players', 'show', 'ann'],
  sources: ['sources'],
  keys: ['keys', 'list'],
  accounts: ['accounts', 'list'],
  audit: ['audit'],
};
const feed = '{"kind":"club","slug":"north","name":"North"}\n';
type Command = keyof typeof commands | 'serve';

interface Fault {
  url: string;
  /** The only commands to try, because the others would say the same. */
  only?: Command[];
  /** The sentence of all commands that are not in `other`. */
  says: string;
  /** The sentences of other commands. Null means that the command works in spite of the fault. */
  other?: Partial<Record<Command, string | null>>;
  /** The sentence with which an import that waits finally gives up. */
  importEnds?: string;
}

const owner = 'This login may not change the schema: use the login that owns the database.';
const ownerOfKeys = 'This login may not manage keys: use the login that owns the database.';

const loginRefused =
  'The database refuses this login: check user and password in DATABASE_URL, and `pg_hba.conf` of the server.';

const wasAway = 'The database was away for more than 0 s (RECONNECT_SECONDS). Start again when it is back.';

const faults: Record<string, Fault> = {
  'the database is away': {
    url: 'postgres://nobody@127.0.0.1:1/none',
    says: 'No database answers: check DATABASE_URL and that PostgreSQL runs.',
    importEnds: wasAway,
  },
  'the host does not exist': {
    only: ['publish', 'import'],
    url: 'postgres://nobody@host.invalid/none',
    says: 'No database answers: check DATABASE_URL and that PostgreSQL runs.',
    importEnds: wasAway,
  },
  'the server takes connections and never speaks': {
    only: ['migrate', 'import', 'publish'],
    url: silent,
    says: 'No database answers: check DATABASE_URL and that PostgreSQL runs.',
    importEnds: wasAway,
  },
  'PostgreSQL is too old': {
    url: old,
    says: 'The database is PostgreSQL 14, and Wartable needs 15 or newer: upgrade PostgreSQL.',
  },
  'the password is wrong': {
    url: as('importer', 'migrated', 'wrong'),
    says: loginRefused,
  },
  'the password is missing': {
    only: ['migrate', 'publish'],
    url: as('importer', 'migrated', ''),
    says: loginRefused,
  },
  'the login does not exist': {
    only: ['publish'],
    url: as('ghost', 'migrated'),
    says: loginRefused,
  },
  'the database does not exist': {
    url: as('postgres', 'nowhere'),
    says: 'There is no such database: create it, or correct its name in DATABASE_URL.',
  },
  'the login has no rights': {
    url: as('ungranted', 'migrated'),
    says: 'This login may not record and publish: grant it wartable_publish, or run `wartable migrate` if it has it.',
    other: {
      migrate: owner,
      keys: ownerOfKeys,
      accounts: ownerOfKeys,
      audit: 'This login may not read the audit entries: use the login that owns the database.',
      serve:
        'This login may not read documents: grant it wartable_serve, or run `wartable migrate` if it has it.',
    },
  },
  'the login has the rights of an importer': {
    only: ['tournaments', 'keys'],
    url: as('importer', 'migrated'),
    says: ownerOfKeys,
    other: {
      tournaments: 'There is no tournament cup: check the slug.',
      serve:
        'This login may not verify keys: grant it wartable_serve, or run `wartable migrate` if it has it.',
    },
  },
  'the database is not migrated': {
    url: as('ungranted', 'empty'),
    says: 'The database is not migrated: run `wartable migrate`.',
    other: { migrate: owner },
  },
  'a migration is pending': {
    only: ['publish', 'keys'],
    url: as('importer', 'older'),
    says: 'The database is not migrated to this version: run `wartable migrate`.',
    other: {
      keys: ownerOfKeys,
      serve:
        'This login may not verify keys: grant it wartable_serve, or run `wartable migrate` if it has it.',
    },
  },
  'all connections are taken': {
    only: ['publish', 'import'],
    url: as('limited', 'migrated'),
    says: 'The database has no free connection: close some, or raise its `max_connections`.',
    importEnds:
      'The database has no free connection, for more than 0 s (RECONNECT_SECONDS). Free some, then start again.',
  },
  'the server speaks no TLS': {
    only: ['publish'],
    url: `${as('postgres', 'migrated')}?sslmode=verify-full`,
    says: 'The connection to the database cannot be encrypted: check `sslmode` in DATABASE_URL and the certificate.',
  },
};

for (const [what, { url, only, says, other = {}, importEnds }] of Object.entries(faults)) {
  test(`${what}: every command says so in one sentence`, async () => {
    const tried = (Object.entries(commands) as [Command, string[]][]).filter(
      ([name]) => !only || only.includes(name),
    );
    await fewAtOnce(3, tried, async ([name, args]) => {
      const sentence = other[name] === undefined ? says : other[name];
      const waits = name === 'import' && importEnds !== undefined;
      const environment = { DATABASE_URL: url, ...(waits ? { RECONNECT_SECONDS: '0' } : {}) };
      const { code, stderr } = await wartable(args, environment, feed);
      if (waits) {
        const trying = 'Trying again for up to 0 s (RECONNECT_SECONDS).';
        assert.deepEqual(
          { code, stderr },
          { code: 2, stderr: `${says} ${trying}\nwartable: ${importEnds}\n` },
        );
        return;
      }
      const expected =
        sentence === null
          ? { code: 0, stderr: '' }
          : {
              code: sentence.startsWith('There is no tournament') ? 1 : 2,
              stderr: `wartable: ${sentence}\n`,
            };
      assert.deepEqual({ code, stderr }, expected, name);
    });
  });

  test(`${what}: /ready says the same`, async () => {
    const server = await startTestServer(url, { readUrls: [] });
    const sentence = other.serve === undefined ? says : other.serve;
    const reason = sentence && `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
    // On a busy machine a connection may come too late, in which case no database answers.
    await eventually(async () => {
      const { json } = await get(`${server.opsUrl}/ready`);
      assert.deepEqual(json, reason === null ? { ready: true } : { ready: false, reason });
    });
    await server.close();
  });
}

test('an import into an older database records nothing, and says that it needs a migration', async () => {
  const environment = { DATABASE_URL: as('importer', 'older') };
  const { code, stdout, stderr } = await wartable(commands.import, environment, feed);
  assert.deepEqual([code, stdout], [2, '']);
  // The publisher may run into the fault first.
  assert.match(stderr, /(^|\n)wartable: The database is not migrated.*: run `wartable migrate`\.\n$/);
});

test('migrate says how to repair what only it meets', async () => {
  assert.deepEqual(rolesMissing, {
    code: 2,
    stdout: '',
    stderr:
      'wartable: Group roles are missing and this login may not create them: as a superuser, run ' +
      '`create role wartable_publish nologin; create role wartable_serve nologin; create role wartable_keys nologin`.\n',
  });
  await onServer(
    as('postgres', 'newer'),
    "insert into record.migration (name, run_on) values ('9999_x', now())",
  );
  assert.deepEqual(await wartable(['migrate', '--private'], { DATABASE_URL: as('postgres', 'newer') }), {
    code: 1,
    stdout: '',
    stderr:
      'wartable: A newer version of Wartable has migrated the database (9999_x): use that version of the command.\n',
  });
  const renamed = await wartable(['migrate'], { DATABASE_URL: as('postgres', 'renamed') });
  const says = 'Another version of Wartable migrated the database: use that version or a newer one.';
  assert.deepEqual(renamed, { code: 2, stdout: '', stderr: `wartable: ${says}\n` });
});

test('a read-only database is named by the commands that write', async () => {
  for (const args of [commands.import, commands.publish, ['keys', 'create', '--account', 'A']]) {
    const { code, stderr } = await wartable(args, { DATABASE_URL: as('reader', 'migrated') });
    assert.equal(stderr, 'wartable: The database is read-only: DATABASE_URL must name the primary.\n');
    assert.equal(code, 2);
  }
});

test('an unexpected error is one line; LOG_LEVEL=debug adds the stack', async () => {
  const environment = { DATABASE_URL: as('postgres', 'occupied') };
  const short = await wartable(commands.migrate, environment);
  const line =
    'wartable: Unexpected error: schema "keys" already exists: run again with LOG_LEVEL=debug for the stack, and report it.\n';
  assert.deepEqual([short.stderr, short.code], [line, 2]);
  const long = await wartable(commands.migrate, { ...environment, LOG_LEVEL: 'debug' });
  assert.ok(long.stderr.startsWith(`${line}error: schema "keys" already exists\n    at `), long.stderr);
  assert.equal(long.code, 2);

  const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'debug' };
  const { stderr } = await wartable(commands.publish, away);
  assert.match(
    stderr,
    /^wartable: No database answers: [^\n]+\.\nError: connect ECONNREFUSED [^\n]+\n {4}at /,
  );
});

function as(login: string, database: string, password = new URL(postgres.url).password): string {
  const url = new URL(loginUrl(databaseUrl(postgres.url, database), login));
  url.password = password;
  return url.href;
}

async function listenInSilence(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `postgres://ann:hidden@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

/** Returns the result of `wartable migrate` while the group roles do not exist. */
async function prepareDatabases(): Promise<CommandResult> {
  await createLogin(postgres.url, 'creator');
  await onServer(postgres.url, 'create database owned owner creator');
  const withoutRoles = await wartable(['migrate'], { DATABASE_URL: as('creator', 'owned') });

  for (const name of ['migrated', 'empty', 'renamed', 'occupied'])
    await onServer(postgres.url, `create database ${name}`);
  await migrate(as('postgres', 'migrated'));
  for (const name of ['newer', 'older'])
    await onServer(postgres.url, `create database ${name} template migrated`);
  // As if a later migration added columns that an import and a publisher need.
  await onServer(
    as('postgres', 'older'),
    'alter table record.mark drop column rebuild; alter table record.import drop column batch',
  );
  await onServer(
    as('postgres', 'renamed'),
    `create schema record;
    create table record.migration (id serial primary key, name varchar(255) not null, run_on timestamp not null);
    insert into record.migration (name, run_on) values ('0001_other', now())`,
  );
  await onServer(as('postgres', 'occupied'), 'create schema keys');

  await createLogin(postgres.url, 'ungranted');
  await createLogin(postgres.url, 'limited', 'connection limit 0');
  await createLogin(postgres.url, 'importer', 'in role wartable_publish');
  await createLogin(postgres.url, 'reader', 'superuser');
  await onServer(postgres.url, 'alter role reader set default_transaction_read_only = on');
  return withoutRoles;
}
