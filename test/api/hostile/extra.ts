import type { Get, Hostile } from './case.ts';

const search = '/api/extra/v1/search';
const changes = '/api/extra/v1/changes';
const factions = '/api/extra/v1/factions';

/** Returns the cases for our own endpoints. */
export function extraCases(get: Get): Hostile[] {
  const answer = (target: string, status: number, early: boolean, message?: string): Hostile => ({
    what: `extra: ${target.slice(0, 80)}`,
    request: get(target),
    status,
    early,
    ...(message === undefined ? {} : { message }),
  });
  const bad = (target: string, message: string) => answer(target, 400, true, message);
  const twoLetters = 'q must have at least two letters or digits';
  const kinds = 'kind must be one of tournament, club, player';
  const unknownPlace = 'after must be one that an earlier answer gave';
  const notPositive = 'limit must be a positive integer';
  return [
    ...['', '?', '?q', '?q=', '?q=a', '?q=%00', '?q=%20+', '?q=%F0%9F%8F%B4'].map((query) =>
      bad(`${search}${query}`, twoLetters),
    ),
    bad(`${search}?q=${'ab'.repeat(51)}`, 'q must not exceed 100 characters'),
    bad(`${search}?q=ab&%71=ab`, 'q must be given only once'),
    ...['', 'battle', 'CLUB', 'club,player', '__proto__', '%00', 'club%00'].map((kind) =>
      bad(`${search}?q=ab&kind=${kind}`, kinds),
    ),
    ...[
      "'%20or%20'1'='1",
      'ab%00cd',
      '%zz',
      '%25%25ab%5F%5F',
      '%5Cab%5C',
      'ab%26cd%7C%21ef%3A%2A',
      '%E2%80%AEab',
      'a%CC%80'.repeat(40),
      Array.from({ length: 33 }, () => 'ab').join('+'),
    ].map((q) => answer(`${search}?q=${q}`, 200, false)),
    ...['', '0', '.', 'x.1', '0'.repeat(12), `${'0'.repeat(12)}.`, `${'0'.repeat(12)}.-1`].map((after) =>
      bad(`${changes}?after=${after}`, unknownPlace),
    ),
    ...['01', '1e3', '+1', '0x1', '%D9%A3', '1%00', '%201', `1${'0'.repeat(18)}`, "1'--"].map((place) =>
      bad(`${changes}?after=${'0'.repeat(12)}.${place}`, unknownPlace),
    ),
    bad(`${changes}?after=${'0'.repeat(12)}.1&%61fter=x`, unknownPlace),
    ...['0', '-1', '', '1e2', '%00'].map((limit) => bad(`${changes}?limit=${limit}`, notPositive)),
    bad(`${changes}?limit=101`, 'limit must not exceed 100'),
    bad(`${changes}?limit=1&limit=1`, 'limit must be given only once'),
    ...['0', '1', '9'.repeat(18)].map((place) =>
      answer(
        `${changes}?after=${'0'.repeat(12)}.${place}`,
        410,
        false,
        'These changes are no longer known. Ask without after, then read everything again',
      ),
    ),
    ...['', 'week', 'YEAR', 'year,all', '__proto__', '%00', 'year%00'].map((window) =>
      bad(`${factions}?window=${window}`, 'window must be one of month, quarter, year, all'),
    ),
    ...['', 'short', 'Long', '5', '%00'].map((length) =>
      bad(`${factions}?length=${length}`, 'length must be long, or absent'),
    ),
    bad(`${factions}?window=all&%77indow=all`, 'window must be given only once'),
    bad(`${factions}?pack=${'a'.repeat(201)}`, 'pack must not exceed 200 characters'),
    ...["'%20or%20'1'='1", '%00', '%zz', '%E2%80%AE', '%F0%9F%8F%B4'.repeat(100), '+', '%'].map((pack) =>
      answer(`${factions}?pack=${pack}`, 200, false),
    ),
    ...['unknown', '%00', '..%2f..', "'--", '%F0%9F%8F%B4', 'a'.repeat(500)].map((player) =>
      answer(`/api/extra/v1/players/${player}/opponents`, 404, false),
    ),
    ...[
      '',
      '/',
      '/search/',
      '/changes/',
      '/changes/1',
      '/factions/',
      '/factions/x',
      '/players//opponents',
      '/clubs/club-0',
      '/search%00',
      '/Search',
    ].map((path) => answer(`/api/extra/v1${path}`, 404, true)),
  ];
}
