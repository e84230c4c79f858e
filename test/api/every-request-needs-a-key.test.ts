import assert from 'node:assert/strict';
import { METHODS, request } from 'node:http';
import { test } from 'node:test';
import { extraRoutes } from '../../src/api/extra-routes.ts';
import { routes } from '../../src/api/routes.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);

// Node handles CONNECT separately from requests, because its target is not a path. test/http/listener.test.ts
// shows what it gets.
const methods = METHODS.filter((method) => method !== 'CONNECT');
const unknownPaths = [
  '/',
  '/api',
  '/api/v1',
  '/api/v2/clubs/a',
  '/api/extra/v1',
  '/api/extra/v1/clubs',
  '/api/extra/v1/search/a',
  '/api/v1/search',
  '/api/v1/clubs/',
  '//api/v1/clubs/a',
  '/favicon.ico',
  '/live',
  '/metrics',
  '/*',
];
const patterns = [...routes, ...extraRoutes].map(({ pattern }) => pattern);

test('without a key, every route answers 401 to every method', async () => {
  for (const path of patterns.map((pattern) => pattern.replaceAll(/:\w+/g, 'a')))
    for (const method of methods) await expectUnauthorized(method, path);
});

test('without a key, every unknown path answers 401 to every method', async () => {
  for (const path of unknownPaths) for (const method of methods) await expectUnauthorized(method, path);
});

test('with a key, a known path refuses every other method with 405 and says which are allowed', async () => {
  for (const method of methods.filter((name) => name !== 'GET' && name !== 'HEAD')) {
    const answer = await send(method, '/api/v1/clubs/a', bearer(key));
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers['allow'], 'GET, HEAD');
    assert.equal(
      answer.text,
      '{"error":{"status":405,"message":"Method not allowed","code":"METHOD_NOT_ALLOWED"}}',
    );
  }
});

test('with a key, an unknown path is 404 for every method', async () => {
  // An empty slug is a known path that leads to nothing.
  for (const path of unknownPaths.filter((unknown) => unknown !== '/api/v1/clubs/')) {
    for (const method of methods.filter((name) => name !== 'HEAD')) {
      const answer = await send(method, path, bearer(key));
      assert.equal(answer.status, 404, `${method} ${path}`);
      assert.match(
        answer.text,
        /^\{"error":\{"status":404,"message":"Endpoint not found","code":"NOT_FOUND"\}\}$/,
      );
    }
  }
});

async function expectUnauthorized(method: string, path: string): Promise<void> {
  const { status, headers, text } = await send(method, path, {});
  assert.equal(status, 401, `${method} ${path}`);
  assert.equal(headers['www-authenticate'], 'Bearer');
  assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  const body =
    '{"error":{"status":401,"message":"Missing or invalid Authorization header","code":"UNAUTHORIZED"}}';
  assert.equal(text, method === 'HEAD' ? '' : body);
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.apiUrl);
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          text,
        }),
      );
    });
    sent.on('error', reject).end();
  });
}
