import type { Get, Hostile } from './case.ts';
import { extraCases } from './extra.ts';
import { cursorCases, pathCases, queryCases } from './parameters.ts';

/** A valid key, and well-formed keys that are refused. */
export interface Keys {
  good: string;
  unknown: string;
  revoked: string;
  inactive: string;
}

const club = '/api/v1/clubs/club-0';
const missing = 'Missing or invalid Authorization header';
const malformed = 'Malformed request';

export function corpus(keys: Keys, cursor: string): Hostile[] {
  const get = (target: string, ...headers: string[]) =>
    [`GET ${target} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${keys.good}`, ...headers, '', ''].join(
      '\r\n',
    );
  return [
    ...keyCases(keys),
    ...protocolCases(keys, get),
    ...pathCases(get),
    ...queryCases(get),
    ...cursorCases(get, cursor),
    ...extraCases(get),
  ];
}

function keyCases(keys: Keys): Hostile[] {
  const get = (...headers: string[]) =>
    [`GET ${club} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');
  const refused = (what: string, request: string, message: string, early = true): Hostile => ({
    what: `key: ${what}`,
    request,
    status: 401,
    message,
    early,
    header: ['www-authenticate', 'Bearer'],
  });
  const bearer = (key: string) => get(`Authorization: Bearer ${key}`);
  const format = 'Invalid API key format';
  const invalid = 'Invalid API key';
  const wrongChecksum = keys.good.slice(0, -1) + (keys.good.endsWith('0') ? '1' : '0');
  return [
    refused('no header', get(), missing),
    refused('Basic', get('Authorization: Basic YTpi'), missing),
    refused('Bearer alone', get('Authorization: Bearer'), missing),
    refused('a tab for the space', get(`Authorization: Bearer\t${keys.good}`), missing),
    refused('two keys', get(`Authorization: Bearer ${keys.good} ${keys.good}`), missing),
    refused(
      'two headers',
      get(`Authorization: Bearer ${keys.good}`, `authorization: Bearer ${keys.good}`),
      missing,
    ),
    refused('only in the query', get().replace(club, `${club}?key=${keys.good}`), missing),
    {
      what: 'key: bearer in lower case',
      request: get(`Authorization: bearer ${keys.good}`),
      status: 200,
      early: false,
    },
    refused('another kind', bearer('sk_x'), format),
    refused('the prefix in capitals', bearer(keys.good.replace('svc_v1_', 'SVC_V1_')), format),
    refused('the prefix alone', bearer('svc_v1_'), invalid),
    refused('a wrong checksum', bearer(wrongChecksum), invalid),
    refused('7 KB', bearer(`svc_v1_${'a'.repeat(7_000)}`), invalid),
    refused('Latin-1 after the prefix', bearer('svc_v1_\xe9\xff'), invalid),
    ...['\x85', '\xa0'].map((space) =>
      refused(
        `what only Unicode calls a space, U+00${space.charCodeAt(0).toString(16)}, in the key`,
        bearer(`svc_v1_abc${space}def`),
        invalid,
      ),
    ),
    refused('the same before the prefix', bearer('\xa0svc_v1_abc'), format),
    refused('the same for the space', get(`Authorization: Bearer\xa0${keys.good}`), missing),
    refused('the same after a good key', bearer(`${keys.good}\xa0`), invalid),
    refused('a tab within', bearer(`${keys.good}\t${keys.good}`), missing),
    refused('unknown', bearer(keys.unknown), invalid, false),
    refused('revoked', bearer(keys.revoked), invalid, false),
    refused('of an inactive account', bearer(keys.inactive), invalid, false),
    refused(
      'revoked, with If-None-Match',
      get(`Authorization: Bearer ${keys.revoked}`, 'If-None-Match: *'),
      invalid,
      false,
    ),
    refused('none, unknown path', get().replace(club, '/nowhere'), missing),
    refused('none, POST', get().replace('GET', 'POST'), missing),
    refused('none, a path that cannot be decoded', get().replace(club, '/%zz'), missing),
  ];
}

function protocolCases(keys: Keys, get: Get): Hostile[] {
  const bad = (what: string, request: string, status = 400, message?: string): Hostile => ({
    what: `protocol: ${what}`,
    request,
    status,
    ...(message === undefined ? {} : { message }),
    early: true,
  });
  const served = (what: string, request: string): Hostile => ({
    what: `protocol: ${what}`,
    request,
    status: 200,
    early: false,
  });
  const other = (method: string): Hostile => ({
    ...bad(
      `${method} with a key`,
      get(club, 'Content-Length: 0').replace('GET', method),
      405,
      'Method not allowed',
    ),
    header: ['allow', 'GET, HEAD'],
  });
  return [
    bad('a raw NUL in the target', get(`${club}\0`)),
    bad('raw UTF-8 in the target', get(`${club}\xc3\xa9`)),
    bad('a fragment in the target', get(`${club}#x`), 400, malformed),
    bad(
      'Content-Length with Transfer-Encoding',
      get(club, 'Content-Length: 0', 'Transfer-Encoding: chunked'),
    ),
    bad('two Content-Lengths', get(club, 'Content-Length: 0', 'Content-Length: 1')),
    bad('TE: xchunked', get(club, 'Transfer-Encoding: xchunked')),
    bad('bare LF', get(club).replaceAll('\r\n', '\n')),
    bad('bare CR', get(club).replaceAll('\r\n', '\r')),
    bad('a folded header', get(club, 'X-A: b\r\n c')),
    bad('a space before the colon', get(club, 'X-A : b')),
    bad('no Host', `GET ${club} HTTP/1.1\r\nAuthorization: Bearer ${keys.good}\r\n\r\n`),
    bad('two Hosts', get(club, 'Host: other')),
    ...[
      'a b',
      'a/b',
      'a@b',
      'a b/c@d',
      'http://a',
      'a:x',
      'a:1:2',
      '[::1',
      '::1',
      'a%zz',
      'a\xe9',
      'a\tb',
      'a,b c',
    ].map((host) =>
      bad(`the Host ${host}`, get(club).replace('Host: test', `Host: ${host}`), 400, malformed),
    ),
    ...['', 'a:', 'a_b:80', '[::1]:3000', '127.0.0.1', 'xn--a.example.', 'a%20b'].map((host) =>
      served(`the Host ${host || '(empty)'}`, get(club).replace('Host: test', `Host: ${host}`)),
    ),
    ...['0.9', '2.0'].map((version) =>
      bad(`HTTP/${version}`, get(club).replace('HTTP/1.1', `HTTP/${version}`), 400, malformed),
    ),
    ...['1.2', '3.0', '1.10', '01.1'].map((version) =>
      bad(`HTTP/${version}`, get(club).replace('HTTP/1.1', `HTTP/${version}`)),
    ),
    served('HTTP/1.0', get(club).replace('HTTP/1.1', 'HTTP/1.0')),
    served('an absolute target for another host', get(`http://other.example${club}`)),
    served('X-Forwarded-Host', get(club, 'X-Forwarded-Host: evil.example')),
    bad('9 KB of headers', get(club, `X-A: ${'a'.repeat(9_000)}`), 431),
    bad('a GET with a body', `${get(club, 'Content-Length: 1')}x`, 400, 'A request must not have a body'),
    served('a GET with Content-Length 0', get(club, 'Content-Length: 0')),
    bad('Expect: foo', get(club, 'Expect: foo'), 417, 'Unsupported expectation'),
    ...['POST', 'PUT', 'TRACE', 'QUERY', 'DELETE', 'PATCH', 'OPTIONS'].map(other),
    bad('an HTTP/0.9 line', `GET ${club}\r\n\r\n`),
    bad('a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    bad('the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  ];
}
