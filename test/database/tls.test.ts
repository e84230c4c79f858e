import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, startPostgres } from '../../harness/support/postgres.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { onServer, withoutPassword } from '../../harness/support/on-server.ts';
import { startCommand } from '../../harness/support/start-command.ts';
import { runSample } from '../guides/run-sample.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';

// A PostgreSQL like a managed one: it accepts only encrypted connections, and a private authority signed its
// certificate.

const folder = await mkdtemp(path.join(tmpdir(), 'wartable-tls-'));
atEnd(() => rm(folder, { recursive: true }));
const authority = path.join(folder, 'ca.pem');
const postgres = await startPostgres();
atEnd(() => postgres.remove());

const at = (query: string, host = 'localhost'): Record<string, string> => ({
  DATABASE_URL: `${postgres.url.replace('127.0.0.1', host)}${query}`,
});
const verified = `?sslmode=verify-full&sslrootcert=${authority}`;
await makeCertificates();
await switchTlsOn();

test('the commands of docs/settings.md connect with TLS, and print no warning', async () => {
  const commands = samplesRunBy(import.meta.filename)
    .map(({ text }) => text)
    .join('')
    .replaceAll(
      'wartable:secret@db.example.org:5432/wartable',
      `postgres@localhost:${postgres.port}/postgres`,
    )
    .replaceAll('/usr/local/share/wartable/ca.pem', authority);
  const { PGPASSWORD } = withoutPassword(postgres.url);
  const { stdout, stderr } = await runSample(commands, { PGPASSWORD });
  assert.match(stdout, /^Migrated: 0001_initial_schema\.\n/);
  assert.match(stdout, /\| t +\| TLSv1\.[23]\n/);
  assert.equal(stderr, '');
});

for (const mode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
  test(`sslmode=${mode} verifies the server, and prints no warning`, async () => {
    const query = `?sslmode=${mode}&sslrootcert=${authority}`;
    const good = await wartable(['keys', 'list', '--json'], at(query));
    assert.deepEqual(good, { code: 0, stdout: '[]\n', stderr: '' });
    for (const environment of [at(`?sslmode=${mode}`), at(query, '127.0.0.1')]) {
      assert.deepEqual(await wartable(['keys', 'list'], environment), {
        code: 2,
        stdout: '',
        stderr:
          'wartable: The connection to the database cannot be encrypted: check `sslmode` in DATABASE_URL and the certificate.\n',
      });
    }
  });
}

test('an address without sslmode, and a file that is missing, have their sentences', async () => {
  const says = {
    'The database takes only encrypted connections from here: add `?sslmode=verify-full` to DATABASE_URL.':
      at(''),
    'DATABASE_URL must name a file in sslrootcert that this user can read, not "/nowhere/ca.pem".': at(
      '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    ),
  };
  for (const [sentence, environment] of Object.entries(says)) {
    assert.deepEqual(await wartable(['keys', 'list'], environment), {
      code: 2,
      stdout: '',
      stderr: `wartable: ${sentence}\n`,
    });
  }
});

test('a server uses TLS for all of its connections, and prints no warning', async () => {
  const [API_PORT, SITE_PORT, OPS_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  const server = startCommand(['serve'], {
    ...at(`?sslmode=require&sslrootcert=${authority}`),
    READ_URLS: at(`?sslmode=require&sslrootcert=${authority}`)['DATABASE_URL'] ?? '',
    CURSOR_SECRETS: 'a-secret-of-the-tests-and-of-nobody-else',
    DRAIN_SECONDS: '0',
    API_PORT: API_PORT ?? '',
    SITE_PORT: SITE_PORT ?? '',
    OPS_PORT: OPS_PORT ?? '',
  });
  await eventually(async () => {
    assert.equal((await fetch(`http://127.0.0.1:${OPS_PORT}/ready`)).status, 200);
    const client = new pg.Client({ connectionString: at(verified)['DATABASE_URL'] });
    await client.connect();
    const { rows } = await client.query<{ name: string; ssl: boolean }>(
      `select distinct application_name as name, ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name like 'wartable%' order by 1`,
    );
    await client.end();
    assert.deepEqual(
      rows,
      ['wartable', 'wartable-keys', 'wartable-listener'].map((name) => ({ name, ssl: true })),
    );
  });
  const { code, stderr } = await server.end();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});

async function makeCertificates(): Promise<void> {
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority');
  await openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  await writeFile(path.join(folder, 'names'), 'subjectAltName=DNS:localhost');
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  await openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...sign);
}

/**
 * Switches TLS on. PostgreSQL writes the files itself, so that they belong to its user. From then on it
 * refuses connections without TLS.
 */
async function switchTlsOn(): Promise<void> {
  for (const name of ['server.key', 'server.crt']) {
    const lines = (await readFile(path.join(folder, name), 'utf8')).trimEnd().replaceAll('\n', '|');
    await onServer(
      postgres.url,
      `copy (select unnest(string_to_array('${lines}', '|'))) to program 'umask 077; cat > ${name}'`,
    );
  }
  await onServer(postgres.url, 'alter system set ssl = on');
  await onServer(
    postgres.url,
    `do $$ begin
      execute format('copy (values (%L)) to %L', 'hostssl all all 127.0.0.1/32 scram-sha-256', current_setting('hba_file'));
      perform pg_reload_conf();
    end $$`,
  );
  await eventually(async () => {
    await assert.rejects(onServer(postgres.url, 'select 1'), /no encryption/);
    await onServer(at(verified)['DATABASE_URL'] ?? '', 'select 1');
  });
}
