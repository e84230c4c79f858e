import { randomBytes } from 'node:crypto';
import { settleDatabaseRights } from '../../src/database/rights.ts';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { atEnd } from './at-end.ts';
import { databaseUrl, onServer } from './on-server.ts';

/**
 * A separate database for the calling test file, cloned from the migrated template of scripts/test.ts and
 * dropped when the file ends. Logins are created on demand, each a member of one group role, as an operator
 * would create them.
 */
export interface TestDatabase {
  url: string;
  pool: Pool;
  /** Returns the address with a new login that has the role. */
  loginAs: (role: 'wartable_publish' | 'wartable_serve' | 'wartable_keys') => Promise<string>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, template } = testServer();
  const name = `wartable_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  const url = databaseUrl(serverUrl, name);
  await settleDatabaseRights(url);
  const pool = createPool(url, { applicationName: 'wartable-test', size: 5 });
  const logins: string[] = [];

  atEnd(async () => {
    await pool.end();
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    for (const login of logins) await onServer(serverUrl, `drop role if exists ${login}`);
  });

  return {
    url,
    pool,
    async loginAs(role) {
      const login = `wartable_test_login_${randomBytes(6).toString('hex')}`;
      // A random password, because the titles of PostgreSQL's processes show the login to everyone, and
      // because the server may be somebody's own, whose password must not be used.
      const password = randomBytes(24).toString('hex');
      logins.push(login);
      await onServer(serverUrl, `create role ${login} login password '${password}' in role ${role}`);
      const loginUrl = new URL(url);
      loginUrl.username = login;
      loginUrl.password = password;
      return loginUrl.href;
    },
  };
}

function testServer(): { serverUrl: string; template: string } {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  const template = process.env['TEST_TEMPLATE'];
  if (serverUrl === undefined || template === undefined) {
    throw new Error('Tests that need a database run through `npm test -- FILE…`, which starts one.');
  }
  return { serverUrl, template };
}
