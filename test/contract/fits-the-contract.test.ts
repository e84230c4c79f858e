import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAnswer, errors } from '../../src/contract/errors.ts';
import { examples } from '../../scripts/openapi/examples.ts';
import { assertFitsTheContract } from '../../harness/support/fits-the-contract.ts';

// Tests the check that all other tests use for answers, by means of answers that do not fit.

const everywhere = {
  'x-request-id': '0198f2c4-6b0e-7d3a-9c51-2f7e8a4d1b60',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, X-Request-Id',
  vary: 'Authorization, Accept-Encoding',
  'content-type': 'application/json; charset=utf-8',
};
const found = { ...everywhere, etag: 'W/"1.x"', 'cache-control': 'private, no-cache' };
const refused = { ...everywhere, 'cache-control': 'no-store' };
const club = JSON.stringify(examples.getClub['club']?.value);
const notFound = JSON.stringify(errorAnswer(errors.clubNotFound));
const nowhere = JSON.stringify(errorAnswer(errors.endpointNotFound));
const preflight = {
  'x-request-id': everywhere['x-request-id'],
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization',
  'access-control-max-age': '86400',
};

const fitting: [
  what: string,
  method: string,
  target: string,
  status: number,
  headers: Given,
  text: string,
][] = [
  ['an answer', 'GET', '/api/v1/clubs/a', 200, found, club],
  ['a compressed answer', 'GET', '/api/v1/clubs/a', 200, { ...found, 'content-encoding': 'br' }, club],
  ['an answer to HEAD', 'HEAD', '/api/v1/clubs/a', 200, found, ''],
  ['one not modified', 'GET', '/api/v1/clubs/a', 304, found, ''],
  ['a refusal', 'GET', '/api/v1/clubs/a', 404, refused, notFound],
  ['a refusal at an unknown address', 'GET', '/nowhere', 404, refused, nowhere],
  ['a preflight', 'OPTIONS', '/api/v1/clubs/a', 204, preflight, ''],
  ['a preflight at an unknown address', 'OPTIONS', '/nowhere', 204, preflight, ''],
  ['plain HTTP', 'GET', '/api/v1/clubs/a', 200, { ...found, date: 'x', connection: 'close' }, club],
];

const unfitting: typeof fitting = [
  ['a header nobody declared', 'GET', '/api/v1/clubs/a', 200, { ...found, server: 'x' }, club],
  ['one on a refusal', 'GET', '/api/v1/clubs/a', 404, { ...refused, etag: 'W/"1.x"' }, notFound],
  ['one at an unknown address', 'GET', '/nowhere', 404, { ...refused, 'x-powered-by': 'x' }, nowhere],
  ['one on a preflight', 'OPTIONS', '/api/v1/clubs/a', 204, { ...preflight, server: 'x' }, ''],
  ['a header missing', 'GET', '/api/v1/clubs/a', 404, { ...everywhere }, notFound],
  [
    'a refusal that may be kept',
    'GET',
    '/api/v1/clubs/a',
    404,
    { ...refused, 'cache-control': 'private' },
    notFound,
  ],
  ['another encoding', 'GET', '/api/v1/clubs/a', 200, { ...found, 'content-encoding': 'zstd' }, club],
  ['an undeclared status', 'GET', '/api/v1/clubs/a', 204, preflight, ''],
  ['a preflight with a body', 'OPTIONS', '/api/v1/clubs/a', 204, preflight, '{}'],
  ['a member more', 'GET', '/api/v1/clubs/a', 200, found, club.replace('"slug"', '"more":1,"slug"')],
  [
    'a member more in a refusal',
    'GET',
    '/api/v1/clubs/a',
    404,
    refused,
    notFound.replace('{"status"', '{"more":1,"status"'),
  ],
  [
    'a preflight without a header',
    'OPTIONS',
    '/nowhere',
    204,
    { 'x-request-id': preflight['x-request-id'] },
    '',
  ],
  ['another shape', 'GET', '/api/v1/clubs/a', 200, found, notFound],
];

type Given = Record<string, string>;

for (const [what, ...answer] of fitting) test(`fits: ${what}`, () => hold(...answer));

for (const [what, ...answer] of unfitting) {
  test(`does not fit: ${what}`, () => assert.throws(() => hold(...answer), assert.AssertionError));
}

function hold(method: string, target: string, status: number, headers: Given, text: string): void {
  const header = (name: string) => headers[name];
  assertFitsTheContract(target, method, { status, header, headerNames: Object.keys(headers), text });
}
