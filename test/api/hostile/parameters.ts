import { idPattern, slugPattern } from '../../../src/contract/patterns.ts';
import { createCursors } from '../../../src/api/cursor.ts';
import type { Get, Hostile } from './case.ts';
import { undecodableSlugs, unknownSlugs } from './slugs.ts';
import { testCursorSecret } from '../../../harness/support/server.ts';

const club = '/api/v1/clubs/club-0';
const malformed = 'Malformed request';

const paths: [path: string, pattern: string, message: string][] = [
  ['/api/v1/tournaments/{}', slugPattern, 'Tournament not found'],
  ['/api/v1/tournaments/{}/standings', slugPattern, 'Tournament not found'],
  ['/api/v1/tournaments/{}/participants', slugPattern, 'Tournament not found'],
  ['/api/v1/tournaments/{}/battles', slugPattern, 'Tournament not found'],
  ['/api/v1/clubs/{}', slugPattern, 'Club not found'],
  ['/api/v1/clubs/{}/tournaments', slugPattern, 'Club not found'],
  ['/api/v1/clubs/{}/battles', slugPattern, 'Club not found'],
  ['/api/v1/users/{}/battles', idPattern, 'Player not found'],
  ['/api/v1/battles/{}', idPattern, 'Battle not found'],
];

export function pathCases(get: Get): Hostile[] {
  const cases: Hostile[] = paths.flatMap(([path, pattern, message]) => [
    ...undecodableSlugs.map((given) => ({
      what: `path: ${path} with ${given}`,
      request: get(path.replace('{}', given)),
      status: 400,
      message: malformed,
      early: true,
    })),
    ...unknownSlugs.map((given) => ({
      what: `path: ${path} with ${given.slice(0, 20)}`,
      request: get(path.replace('{}', given)),
      status: 404,
      message,
      early: !new RegExp(pattern).test(decodeURIComponent(given)),
    })),
  ]);
  for (const path of [
    '/api/v1/clubs/',
    `${club}/`,
    '/api/v1//clubs/club-0',
    '/api/v1/tournaments//battles',
    '/api/v1/tournaments/',
  ]) {
    cases.push({ what: `path: ${path}`, request: get(path), status: 404, early: true });
  }
  return cases;
}

export function queryCases(get: Get): Hostile[] {
  const bad = (path: string, query: string, message: string): Hostile => ({
    what: `query: ${path}?${query.slice(0, 60)}`,
    request: get(`${path}?${query}`),
    status: 400,
    message,
    early: true,
  });
  const lists = [
    '/api/v1/tournaments',
    '/api/v1/tournaments/event-0/participants',
    '/api/v1/tournaments/event-0/battles',
    '/api/v1/clubs/club-0/tournaments',
    '/api/v1/clubs/club-0/battles',
    '/api/v1/users/p_1/battles',
  ];
  const dated = lists.filter((path) => !path.includes('event-0'));
  const notPositive = [
    '0',
    '-1',
    '1.5',
    'abc',
    '',
    '1e2',
    '+5',
    '0x10',
    '%D9%A3',
    '%205',
    '5%20',
    '00',
    '%zz',
    '5%00',
  ];
  const noDates = [
    'infinity',
    '-infinity',
    'yesterday',
    '2020-01-01%20BC',
    '2026-02-30',
    '2025-02-29',
    '0000-01-01',
    '20260101',
    '2026-1-1',
    '2026-13-01',
    '',
    '2026-01-01T00:00:00Z',
    '%002026-01-01',
    '02026-01-01',
  ];
  const ongoing = '/api/v1/tournaments/event-2/standings';
  return [
    ...lists.flatMap((path) => [
      ...notPositive.map((value) => bad(path, `limit=${value}`, 'limit must be a positive integer')),
      bad(path, 'limit', 'limit must be a positive integer'),
      bad(path, 'limit=101', 'limit must not exceed 100'),
      bad(path, 'limit=99999999999999999999', 'limit must not exceed 100'),
      bad(path, 'limit=1&limit=2', 'limit must be given only once'),
      bad(path, 'limit=1&%6cimit=1', 'limit must be given only once'),
    ]),
    ...dated.flatMap((path) => [
      ...noDates.map((value) => bad(path, `from=${value}`, 'from must be a date (YYYY-MM-DD)')),
      ...noDates.map((value) => bad(path, `to=${value}`, 'to must be a date (YYYY-MM-DD)')),
      bad(path, 'from=2026-01-02&to=2026-01-01', 'from must not be after to'),
      bad(path, 'from=2025-01-01&to=2026-01-02', 'date window must not exceed one year'),
      bad(path, 'from=2024-02-29&to=2025-03-01', 'date window must not exceed one year'),
      bad(path, 'from=2024-01-01&from=2024-01-01', 'from must be given only once'),
      bad(path, 'to=2024-01-01&to=2024-01-01', 'to must be given only once'),
    ]),
    ...['Finished', '%00', '', 'finished%20', 'planned,ongoing'].map((value) =>
      bad('/api/v1/tournaments', `status=${value}`, 'status must be one of planned, ongoing, finished'),
    ),
    bad('/api/v1/tournaments', 'status=finished&status=finished', 'status must be given only once'),
    bad(ongoing, 'stage=swiss&stage=swiss', 'stage must be given only once'),
    ...['xyz', '', 'standings', '__proto__', '%00', 'swiss%00', '%zz', "'%20OR%201=1--"].map((value) => ({
      what: `query: stage=${value}`,
      request: get(`${ongoing}?stage=${value}`),
      status: 404,
      message: 'Unknown stage. Stages of this tournament: swiss',
      early: false,
    })),
    {
      what: 'query: 1,200 parameters',
      request: get(`/api/v1/tournaments?${'a=1&'.repeat(1_200)}`),
      status: 200,
      early: false,
    },
    {
      what: 'query: status on a club',
      request: get(`${club}/tournaments?status=x`),
      status: 200,
      early: false,
    },
    {
      what: 'query: unknown ones',
      request: get(`${club}?x=1&x=2&__proto__=1&limit=0`),
      status: 200,
      early: false,
    },
  ];
}

const list = '/api/v1/clubs/club-0/battles';

export function cursorCases(get: Get, cursor: string): Hostile[] {
  const bad = (what: string, query: string, path = list): Hostile => ({
    what: `cursor: ${what}`,
    request: get(`${path}?${query}`),
    status: 400,
    message: 'Invalid cursor',
    early: true,
  });
  const position = ['2024-01-05', 1, 1, 'b_1'];
  const written = (at: readonly (string | number)[], secret = testCursorSecret, hoursAgo = 0) =>
    createCursors([secret], () => Date.now() - hoursAgo * 3_600_000)
      .cursorEpoch(`${list}?`)
      .write(at);
  const sql = "'; drop table published.club; --";
  return [
    bad('empty', 'cursor='),
    ...Array.from(cursor, (letter, i) => {
      const changed = cursor.slice(0, i) + (letter === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      return bad(`character ${i} changed`, `cursor=${changed}`);
    }),
    ...Array.from(cursor, (_, i) => bad(`cut after ${i}`, `cursor=${cursor.slice(0, i)}`)),
    bad('padding', `cursor=${cursor}%3D`),
    bad('a plus', `cursor=%2B${cursor.slice(1)}`),
    bad('a newline', `cursor=${cursor}%0A`),
    bad('a space', `cursor=%20${cursor}`),
    bad('a character more', `cursor=${cursor}A`),
    bad('from another path', `cursor=${cursor}`, '/api/v1/users/p_1/battles'),
    bad('from another slug', `cursor=${cursor}`, '/api/v1/clubs/club-1/battles'),
    bad('from another filter', `from=2024-01-01&cursor=${cursor}`),
    bad('expired', `cursor=${written(position, testCursorSecret, 31)}`),
    bad(
      'signed with a retired secret',
      `cursor=${written(position, 'a-secret-that-was-retired-long-ago-now')}`,
    ),
    bad('7 KB', `cursor=${'A'.repeat(7_000)}`),
    bad('sent twice', `cursor=${cursor}&cursor=${cursor}`),
    bad('signed, with SQL for a date', `cursor=${written([sql, 1, 1, 'b'])}`),
    bad('signed, of another order', `cursor=${written(['a', 'b'])}`),
    { what: 'cursor: 10 KB', request: get(`${list}?cursor=${'A'.repeat(10_000)}`), status: 431, early: true },
    {
      what: 'cursor: signed, with SQL in a value',
      request: get(`${list}?cursor=${written(['2024-01-05', 1, 1, sql])}`),
      status: 200,
      early: false,
    },
    {
      what: 'cursor: with another limit',
      request: get(`${list}?limit=7&cursor=${cursor}`),
      status: 200,
      early: false,
    },
    {
      what: 'cursor: almost 24 hours old',
      request: get(`${list}?cursor=${written(position, testCursorSecret, 23.9)}`),
      status: 200,
      early: false,
    },
  ];
}
