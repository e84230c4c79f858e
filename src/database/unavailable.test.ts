import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAway, isUnavailable, Unavailable } from '../availability/unavailable.ts';

const passing = {
  '08006': 'a broken connection',
  '53300': 'too many connections',
  '53100': 'a full disk',
  '57P01': 'a shutdown',
  '57P03': 'starting up',
  '57014': 'a statement that took too long',
  '25006': 'a write sent to a standby',
  '40001': 'a query in the way of replay',
  '28P01': 'a wrong password',
  '3D000': 'a database that is not there',
  '42P01': 'a table that is not there: not migrated',
  '3F000': 'a schema that is not there: not migrated',
  '42501': 'a login without its rights',
  ECONNREFUSED: 'nobody listening',
  EAI_AGAIN: 'a name that cannot be looked up',
};

for (const [code, what] of Object.entries(passing)) {
  test(`${code}, ${what}, is an outage`, () => {
    assert.ok(isUnavailable(Object.assign(new Error('x'), { code })));
  });
}

for (const code of ['22021', '22P02', '22007', '42601', '42703', '23505', 'XX000']) {
  test(`${code} is an answer, and a defect`, () => {
    assert.ok(!isUnavailable(Object.assign(new Error('Connection terminated'), { code })));
  });
}

test('failures of the driver are known by their words', () => {
  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ]) {
    assert.ok(isUnavailable(new Error(message)), message);
  }
  assert.ok(isUnavailable(new Unavailable('x')));
  assert.ok(!isUnavailable(new Error('something else')));
  assert.ok(!isUnavailable('ECONNREFUSED'));
});

test('several addresses that all refuse are an outage; one that does not makes it a defect', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  assert.ok(isUnavailable(new AggregateError([refused, refused])));
  assert.ok(!isUnavailable(new AggregateError([refused, new Error('other')])));
});

test('only what may pass without an operator is worth waiting for before the first connection', () => {
  const away = [
    'ECONNREFUSED',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
    '08006',
    '53100',
    '53300',
    '57P03',
  ];
  const atOnce = ['28P01', '28000', '3D000', '42501', '42P01', '25006', '57014', '53400'];
  const coded = (code: string) => Object.assign(new Error('x'), { code });
  assert.deepEqual(
    [...away, ...atOnce].filter((code) => isAway(coded(code))),
    away,
  );
  assert.ok(isAway(new Error('timeout exceeded when trying to connect')));
  assert.ok(isAway(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])));
});
