import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startPostgres } from '../../harness/support/postgres.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { databaseUrl, loginUrl, withoutPassword } from '../../harness/support/on-server.ts';
import { bearer, get, startTestServer } from '../../harness/support/server.ts';
import { wartable } from '../../harness/support/command.ts';
import { runSample } from './run-sample.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';
import { scriptOf } from '../../harness/install/install-page.ts';

// Runs what operators type: the statements of docs/install.md, and the commands of docs/keys.md and
// docs/scale.md. They need their own PostgreSQL because they create logins and a database by name.

const samples = samplesRunBy(import.meta.filename);
const postgres = await startPostgres();
atEnd(() => postgres.remove());

const as = (login: string) => ({ DATABASE_URL: loginUrl(databaseUrl(postgres.url, 'wartable'), login) });

test('the set-up ends in an answer, with three logins', async () => {
  const [, sql = ''] = /<<SQL\n([^]*?)^SQL$/m.exec(await scriptOf('Debian')) ?? [];
  const withPasswords = sql.replaceAll(/'\$\w+'/g, `'${new URL(postgres.url).password}'`);
  const [onServer = '', inDatabase = ''] = withPasswords.split('\\connect wartable\n');
  // These run outside a transaction, as in psql.
  for (const statement of onServer.split('\n').filter((line) => line !== ''))
    await query(postgres.url, statement);
  await query(databaseUrl(postgres.url, 'wartable'), inDatabase);
  const migrated = await wartable(['migrate'], as('wartable'));
  assert.equal(migrated.code, 0, migrated.stderr);

  const imported = await wartable(['import', '-'], as('wartable_importer'), exampleFeed());
  assert.equal(imported.code, 0, imported.stderr);
  const created = await wartable(['keys', 'create', '--account', 'First'], as('wartable'));
  const server = await startTestServer(as('wartable_server').DATABASE_URL);
  const answer = await get(`${server.apiUrl}/api/v1/clubs/tidewatch`, bearer(created.stdout.trim()));
  assert.equal(answer.status, 200);
});

test('the commands for keys and for what grows run one after the other', async () => {
  const { DATABASE_URL } = as('wartable');
  const apart = withoutPassword(DATABASE_URL);
  // The commands mention key 7, but there is only one key.
  await query(
    DATABASE_URL,
    `insert into keys.key (account_id, digest) select 1, sha256(n::text::bytea) from generate_series(2, 7) as n`,
  );
  const { stdout } = await runSample(samples.map(({ text }) => text).join(''), {
    DATABASE_URL: apart.url,
    PGPASSWORD: apart.PGPASSWORD,
  });
  assert.equal(stdout.match(/^svc_v1_\S+$/gm)?.length, 3, stdout);
  assert.match(stdout, /live ticker/);
  assert.match(stdout, /web@club\.example/);
  const rows = await query(
    DATABASE_URL,
    `select (select count(*)::int from keys.key) as keys,
       (select revoked_at is not null from keys.key where id = 7) as revoked,
       (select active from keys.account where name = 'Club site') as active`,
  );
  assert.deepEqual(rows, [{ keys: 10, revoked: true, active: false }]);
});

async function query(url: string, statements: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statements)).rows;
  } finally {
    await client.end();
  }
}
