import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseFault, explainDatabaseError, noDatabaseAnswers } from './explain.ts';

// test/commands/faults.test.ts checks the sentences for errors that a real database can be made to raise. The
// errors below are hard to provoke.

const lost = 'the connection to the database was lost: check that PostgreSQL runs, then try again';
const cases: [what: string, error: unknown, words: string | undefined][] = [
  ['a code', withCode('57P03'), 'the database is starting or stopping: try again in a moment'],
  ['a cancelled statement', withCode('57014'), 'the database cancelled a statement: try again'],
  ['a lost connection', new Error('Connection terminated unexpectedly'), lost],
  ['a slow connection', new Error('Connection terminated due to connection timeout'), noDatabaseAnswers],
  ['a missing unix socket', withCode('ENOENT'), noDatabaseAnswers],
  ['several addresses', new AggregateError([withCode('57P01'), withCode('ECONNREFUSED')]), lost],
  [
    'an unknown certificate',
    withCode('SELF_SIGNED_CERT_IN_CHAIN'),
    'the connection to the database cannot be encrypted: check `sslmode` in DATABASE_URL and the certificate',
  ],
  ['a fault that is in words already', new DatabaseFault('do this'), 'do this'],
  ['a message that only looks like a code', new Error('42P01'), undefined],
  ['an error of ours', new TypeError('x is not a function'), undefined],
  ['no error', 'text', undefined],
];

for (const [what, error, words] of cases) {
  test(`${what}: ${words}`, () => assert.equal(explainDatabaseError(error, 'do it'), words));
}

function withCode(code: string): Error {
  return Object.assign(new Error('text of the driver'), { code });
}
