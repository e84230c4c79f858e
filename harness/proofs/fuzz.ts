import assert from 'node:assert/strict';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { assertFitsTheContract, openapi, openapiExtra } from '../support/fits-the-contract.ts';
import { publishWorld, type Rows } from '../support/published-world.ts';
import type { Proof } from './proof.ts';
import { type Serving, withServing } from './serving.ts';

// Generates requests from openapi.json and openapi-extra.json: their paths and parameters, with values that
// fit, nearly fit and do not fit. Some are requests from pages of other origins, with their preflights. Every
// answer must be one that the documents declare for that path, and never a 5xx.

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: {
    type: string;
    enum?: string[];
    pattern?: string;
    format?: string;
    minimum?: number;
    maximum?: number;
  };
}

export const fuzz: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async (serving) => {
    const world = await publishWorld(serving.pool);
    await serving.pool.query('select published.number_changes()');
    const wanted = size === 'stated' ? 20_000 : 1_000;
    const statuses = new Map<string, number>();
    const seen: Seen = { cursors: [], places: [], tags: [], nexts: [], again: [] };
    const mustOccur = ['GET 200', 'GET 304', 'GET 400', 'GET 401', 'GET 404', 'GET 410'];
    mustOccur.push('HEAD 200', 'POST 405', 'OPTIONS 204', 'OPTIONS 405');
    const missing = () => mustOccur.filter((status) => !statuses.has(status));
    // The rarest of these occurs 5 times in 1,000 requests, so it may be absent at a small size.
    let runs = 0;
    do {
      runs += 1;
      await fc.assert(
        fc.asyncProperty(requests(serving.key, world, seen), async ({ method, target, headers }) => {
          const answer = await send(serving, method, target, headers);
          assert.ok(answer.status < 500, `${method} ${target} → ${answer.status} ${answer.text}`);
          assertFitsTheContract(target, method, answer);
          const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
          assert.equal(answer.status === 204, isPreflight && 'origin' in headers, `${method} ${target}`);
          remember(seen, target, answer);
          const status = `${method} ${answer.status}`;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
        { numRuns: wanted, endOnFailure: true },
      );
    } while (missing().length > 0 && runs < 10);
    const counts = [...statuses]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([status, count]) => `${count} × ${status}`);
    assert.deepEqual(missing(), [], counts.join(', '));
    const sent = wanted * runs;
    return [
      `${sent} requests: no 5xx, nothing undeclared.`,
      `${sent} requests made from openapi.json and openapi-extra.json: ${counts.join(', ')}; no 5xx, no undeclared status or header, no answer that does not fit its schema.`,
    ];
  });

/** Values from earlier answers, which are the only source of a valid cursor, sequence number or tag. */
interface Seen {
  cursors: string[];
  places: string[];
  tags: string[];
  nexts: string[];
  again: { target: string; tag: string }[];
}

function remember(seen: Seen, target: string, { text, header }: Answer): void {
  const [, next, place] =
    /"next":(?:null|"https?:\/\/[^/]+([^"]+)")(?:,"after":"([\w.]+)")?\}$/.exec(text) ?? [];
  if (next !== undefined) keep(seen.nexts, next);
  const cursor = /[?&]cursor=([\w-]+)/.exec(next ?? '')?.[1];
  if (cursor !== undefined) keep(seen.cursors, cursor);
  if (place !== undefined) keep(seen.places, place);
  const tag = header('etag');
  if (tag !== undefined) {
    keep(seen.tags, tag);
    keep(seen.again, { target, tag });
  }
}

function keep<T>(list: T[], value: T): void {
  list.push(value);
  if (list.length > 50) list.shift();
}

function requests(key: string, world: Rows, seen: Seen) {
  const existing: Record<string, string[]> = {
    '/tournaments/': world.tournament.map((row) => row.slug),
    '/clubs/': world.club.map((row) => row.slug),
    '/users/': world.player.map((row) => row.id),
    '/battles/': world.battle.map((row) => row.id),
  };
  const authorization = fc.oneof(
    { weight: 30, arbitrary: fc.constant(`Bearer ${key}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'Bearer', 'Bearer svc_v1_', `Basic ${key}`, `Bearer ${key}x`),
    },
  );
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant('GET') },
    { weight: 2, arbitrary: fc.constant('HEAD') },
    { weight: 1, arbitrary: fc.constant('OPTIONS') },
    { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'DELETE', 'PATCH') },
  );
  const crossOrigin = fc.record(
    {
      origin: fc.constantFrom('https://club.example', 'null', '*', ''),
      'access-control-request-method': fc.constantFrom('GET', 'HEAD', 'DELETE', ''),
      'access-control-request-headers': fc.constantFrom('authorization', 'x-other', ''),
    },
    { requiredKeys: [] },
  );
  const paths = [openapi, openapiExtra].flatMap((document) =>
    Object.entries(document.paths).map(([path, { get }]) => ({
      path,
      parameters: get.parameters.map((reference) => parameterOf(document, reference)),
    })),
  );
  return fc.constantFrom(...paths).chain(({ path, parameters }) => {
    const ids = Object.entries(existing).find(([start]) => path.includes(start))?.[1] ?? [];
    const inPath = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('', ...ids) },
      { weight: 1, arbitrary: wild.map(encodeURIComponent) },
    );
    const query = fc.array(
      fc
        .constantFrom(...parameters.filter((each) => each.in === 'query').map((each) => each.name), 'unknown')
        .chain((name) =>
          valueOf(
            parameters.find((each) => each.name === name),
            seen,
          ).map((value) => `${name}=${encodeURIComponent(value)}`),
        ),
      { maxLength: 4 },
    );
    const ifNoneMatch = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('*', '"x"', 'W/"1.x"', ', ,', 'W/"', '"a" "b"') },
      // A tag from the answers so far.
      { weight: 2, arbitrary: fc.nat().map((n) => pick(seen.tags, n)) },
    );
    const acceptEncoding = fc.constantFrom('identity', 'gzip', 'br;q=0.5, gzip;q=0', '*', ';;q', '');
    const follow = fc.constantFrom('no', 'no', 'no', 'no', 'no', 'no', 'next', 'again');
    return fc
      .record({
        method,
        inPath,
        query,
        authorization,
        ifNoneMatch,
        acceptEncoding,
        crossOrigin,
        follow,
        which: fc.nat(),
      })
      .map((made) => {
        const fresh =
          path.replace(/\{\w+\}/, () => made.inPath) +
          (made.query.length > 0 ? `?${made.query.join('&')}` : '');
        const next = made.follow === 'next' ? pick(seen.nexts, made.which) : undefined;
        const again = made.follow === 'again' ? pick(seen.again, made.which) : undefined;
        const tag = again?.tag ?? made.ifNoneMatch;
        return {
          method: made.method,
          target: next ?? again?.target ?? fresh,
          headers: {
            ...made.crossOrigin,
            authorization: made.authorization,
            'accept-encoding': made.acceptEncoding,
            ...(tag === undefined ? {} : { 'if-none-match': tag }),
          },
        };
      });
  });
}

function pick<T>(from: T[], which: number): T | undefined {
  return from[which % Math.max(from.length, 1)];
}

const wild = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
  fc.constantFrom('__proto__', '\0', "' OR 1=1--", '..', 'a'.repeat(200), '٣', '-1', 'null', '{}'),
);

function valueOf(parameter: Parameter | undefined, seen: Seen): fc.Arbitrary<string> {
  if (parameter === undefined) return wild;
  const { name, schema } = parameter;
  const last = seen.places.slice(-1);
  const earlier: Record<string, string[]> = {
    cursor: seen.cursors,
    // Sequence numbers of an unknown epoch, of the last answer, and the first one.
    after: ['000000000000.0', '000000000000.1', ...last, ...last.map((place) => place.replace(/\d+$/, '0'))],
    q: ['club', 'event 1', 'player', 'a'],
  };
  const good =
    schema.enum !== undefined
      ? fc.constantFrom(...schema.enum)
      : schema.format === 'date'
        ? fc
            .date({ min: new Date('2023-06-01'), max: new Date('2025-06-01'), noInvalidDate: true })
            .map(dateText)
        : schema.type === 'integer'
          ? fc.integer({ min: schema.minimum ?? 0, max: (schema.maximum ?? 0) + 1 }).map(String)
          : name in earlier
            ? fc.nat().map((n) => pick(earlier[name] ?? [], n) ?? 'x')
            : fc.constantFrom('swiss', 'standings', 'knockout', '');
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: wild });
}

function dateText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function parameterOf({ components }: typeof openapi, reference: { $ref: string }): Parameter {
  const name = reference.$ref.split('/').at(-1) ?? '';
  const found = components.parameters[name];
  assert.ok(found !== undefined, name);
  return found as Parameter;
}

interface Answer {
  status: number;
  text: string;
  header: (name: string) => string | undefined;
  headerNames: string[];
}

function decompressed(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** Sends a request without fetch, which would change the path before sending it. */
function send(
  { apiUrl }: Serving,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(apiUrl);
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: decompressed(Buffer.concat(chunks), response.headers['content-encoding']),
          header: (name) => response.headers[name] as string | undefined,
          headerNames: Object.keys(response.headers),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}
