import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { PoolClient } from 'pg';
import { playersCommand } from '../../src/commands/players.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { Location } from '../../src/record/people/person.ts';
import { compareWithOracle } from '../../harness/oracle/oracle.ts';
import { checkProperties } from '../../harness/oracle/properties.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importText, rowVersions } from '../../harness/support/feed.ts';
import { changedScopes, readScopes } from '../../harness/support/published.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { contains, linesOf, searchEverything } from './search.ts';
import { wanted, wantedFeed } from './wanted-feed.ts';

// One person, who appears everywhere a name can be stored. Each test continues from the previous one: the
// person is shown, erased and sent again, and finally the guests with the same name are erased.

const database = await createTestDatabase();
const { pool } = database;
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);
process.env['DATABASE_URL'] = database.url;
/** Everything that any command printed, except for the output of `players show`. */
let printed = '';

/** Runs the command in this process, because starting one takes a second. */
async function run(...args: string[]): Promise<string> {
  let out = '';
  const log = mock.method(console, 'log', (line: string) => (out += `${line}\n`));
  try {
    await playersCommand.parseAsync(args, { from: 'user' });
    return out;
  } finally {
    log.mock.restore();
    if (args[0] !== 'show') printed += out;
  }
}

const asLines = (records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** Records and publishes. Returns the refusals. */
async function tell(records: object[]): Promise<string[]> {
  const { refusals } = await onClient((client) => importText(client, asLines(records)));
  assert.deepEqual((await publishBacklog(pool)).failed, []);
  printed += refusals.join('\n');
  return refusals;
}

const imported = await wartable(['import', '-'], { DATABASE_URL: database.url }, asLines(wantedFeed));
printed += imported.stdout + imported.stderr;
// The label of the groups contains the wanted name, so the import warns about it.
const toldOf = imported.stderr.trim().split('\n');
assert.match(toldOf[0] ?? '', /^standard input:5: warning: stages\[0\]\.label: expected "Group Stage"/);
assert.match(toldOf[1] ?? '', /^standard input:10: id: expected/);
assert.deepEqual([imported.code, toldOf.length], [1, 2], imported.stderr);

interface Shown {
  data: Location[];
  mentions: Location[];
  copies: Location[];
}
const show = async (...who: string[]): Promise<Shown> =>
  JSON.parse(await run('show', ...who, '--json')) as Shown;

const ofTournament = (slug: string): string[] => [
  `/tournaments/${slug}`,
  `/tournaments/${slug}/standings`,
  `/tournaments/${slug}/standings?stage=swiss`,
  `/tournaments/${slug}/participants`,
  `/tournaments/${slug}/battles`,
];
const battles = ['open-1', 'open-2', 'open-f', 'league-1', 'apart-1', 'casual-1', 'casual-2'];
const paths = [
  '/tournaments',
  ...['open', 'league', 'apart'].flatMap(ofTournament),
  '/tournaments/open/standings?stage=knockout',
  ...['', '/tournaments', '/battles'].map((list) => `/clubs/home${list}`),
  ...['wanted', 'ann'].map((id) => `/users/${id}/battles`),
  ...battles.map((id) => `/battles/${id}`),
];

async function answers(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const path of paths) all.set(path, (await server.get(`/api/v1${path}`, bearer(key))).text);
  return all;
}
const withName = (all: Map<string, string>): string[] =>
  [...all].flatMap(([path, text]) => (contains(text, wanted) ? path : []));

/** Returns boards and battles without what an erasure removes from them. */
const masked = (all: Map<string, string>): [string, unknown][] =>
  [...all]
    .filter(([path]) => /standings|battles/.test(path) && !path.includes('/users/'))
    .map(([path, text]) => [path, JSON.parse(text, mask)]);
function mask(this: { player?: unknown }, member: string, value: unknown): unknown {
  const isNobody = value === null || value === 'Deleted player' || value === wanted || value === 'wanted';
  if (['player', 'playerId', 'winner'].includes(member) && isNobody) return '·';
  if (Array.isArray(value))
    return value.map((each) => (each === wanted || each === 'Deleted player' ? '·' : each));
  // An empty sub-faction means that the list has none. It is removed together with the list.
  if (member === 'subFaction' && value === '' && this.player === '·') return null;
  return member === 'list' && this.player === '·' ? '·' : value;
}

const wholeShown = await show('wanted');
const before = { answers: await answers(), scopes: await onClient(readScopes) };

test('players show lists every place that a search of the whole database finds', async () => {
  const found = await searchEverything(pool, wanted);
  assert.ok(found.length > 40, `${found.length} places`);
  const { data, mentions, copies } = wholeShown;
  const shown = new Set(linesOf([...data, ...mentions, ...copies]));
  assert.deepEqual(
    found.filter((line) => !shown.has(line)),
    [],
  );
  assert.ok(withName(before.answers).length > 20);
  // More is stored about a person than the locations of the name. The opponent's side does not belong to the
  // person.
  const sides = data
    .filter(({ table }) => table === 'record.battle')
    .map(({ key: { id }, values }) => [id, values['first_list'] ?? null, values['second_list'] ?? null]);
  assert.deepEqual(
    sides.map(([id, first, second]) => `${String(id)} ${first !== null} ${second !== null}`).toSorted(),
    ['casual-1 true false', 'open-1 false false', 'open-2 false true', 'open-f false true'],
    'the list of the opponent in open-f is not shown',
  );
  const text = await run('show', 'wanted');
  assert.match(text, /record\.participant_list tournament=open participant=p1\n/);
  assert.match(text, /text: List by Zéphyrine/);
});

test('mistakes change nothing and say what to do', async () => {
  const versions = await onClient(rowVersions);
  for (const [args, message] of [
    [['erase', 'nobody', '--yes'], /There is no player nobody/],
    [['erase', '--guest', 'Nobody At All', '--yes'], /There is no guest with this name/],
    [['erase', '--guest', wanted, '--tournament', 'opne', '--yes'], /There is no tournament opne/],
    [['erase', 'wanted'], /give --yes/],
    [['erase'], /either the id of a player or --guest/],
    [['show', 'wanted', '--guest', 'Gwen'], /either the id of a player or --guest/],
    [['erase', 'wanted', '--tournament', 'open', '--yes'], /only with --guest/],
  ] as const) {
    await assert.rejects(run(...args), message);
  }
  assert.deepEqual(await onClient(rowVersions), versions);
});

test('players erase removes the person everywhere, and leaves only what others wrote', async () => {
  const args = ['players', 'erase', 'wanted', '--yes'];
  const { code, stdout, stderr } = await wartable(args, { DATABASE_URL: database.url });
  printed += stdout + stderr;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /This will be erased:\n {2}record\.player id=wanted: name\n/);
  const found = await searchEverything(pool, wanted);
  const inRecord = found.filter((line) => line.startsWith('record.'));
  assert.deepEqual(inRecord, linesOf(wholeShown.mentions));
  const copies = new Set(linesOf(wholeShown.copies));
  assert.ok(found.every((line) => line.startsWith('record.') || copies.has(line)));

  const now = await settledAnswers();
  assert.equal(JSON.parse(now.get('/users/wanted/battles') ?? '').error.status, 404);
  const participant = namesOf(now.get('/tournaments/open/participants')).find(({ club }) => club === 'home');
  assert.deepEqual(participant, {
    player: 'Deleted player',
    playerId: null,
    club: 'home',
    group: 'Group B',
    dropped: false,
    finalPlacement: participant?.['finalPlacement'],
    list: null,
  });
  assert.ok(!contains(now.get('/battles/casual-1') ?? '', wanted));
});

test('boards and battles change by an erasure only in names and lists; exactly these revisions move', async () => {
  assert.deepEqual(masked(await settledAnswers()), masked(before.answers));
  const { answers: changed, revisions } = changedScopes(before.scopes, await onClient(readScopes));
  assert.deepEqual(changed, revisions);
  assert.deepEqual(changed, [
    'battle casual-1',
    'battle open-1',
    'battle open-2',
    'battle open-f',
    'club home',
    'player ann',
    'player wanted',
    'search',
    'tournament open',
    'tournaments',
  ]);
  await holdsUp();
});

test('the same feed again writes nothing, also in pieces and after a removal', async () => {
  const versions = await onClient(rowVersions);
  const found = await searchEverything(pool, wanted);
  await tell(wantedFeed);
  assert.deepEqual(await onClient(rowVersions), versions);
  const pieces = wantedFeed.flatMap((record) => piecesOf(record as Telling));
  assert.deepEqual(await tell(pieces), []);
  assert.deepEqual(await onClient(rowVersions), versions);
  const removals = [
    ...['open', 'league'].map((id) => ({ kind: 'remove', of: 'tournament', id })),
    ...['casual-1', 'casual-2'].map((id) => ({ kind: 'remove', of: 'battle', id })),
    { kind: 'player', id: 'wanted', erased: false, name: wanted },
  ];
  assert.deepEqual(await tell(removals), []);
  await tell(wantedFeed);
  assert.deepEqual(await searchEverything(pool, wanted), found);
});

test('guests are erased by name, for good, and only what others wrote has the name', async () => {
  const guests = await show('--guest', wanted.toUpperCase());
  assert.deepEqual(
    guests.data.filter(({ table }) => table === 'record.participant').map((place) => place.key),
    [{ tournament: 'league', id: 'g1' }],
  );
  const board = masked(await settledAnswers());
  const entry = () => fetch(`${server.siteUrl}/tournaments/league/players/g1`);
  const found = async () => {
    const text = await (await fetch(`${server.siteUrl}/search?q=${encodeURIComponent(wanted)}`)).text();
    return text.includes('href="/tournaments/league/players/g1"');
  };
  assert.deepEqual([(await entry()).status, await found()], [200, true]);
  const listed = await run('erase', '--guest', wanted, '--yes');
  assert.match(listed, /This will be erased:[^]* {2}record\.battle id=casual-2: first_list, first_name\n/);
  const { mentions, copies } = await show('--guest', wanted);
  assert.deepEqual(await searchEverything(pool, wanted), linesOf([...mentions, ...copies]));
  // privacy.md states this about answers in memory.
  await eventually(async () => assert.deepEqual([(await entry()).status, await found()], [404, false]));
  const now = await settledAnswers();
  assert.deepEqual(
    namesOf(now.get('/tournaments/league/participants')).map(({ player }) => player),
    ['Ann', 'Deleted player', 'Guest Gwen'],
  );
  assert.deepEqual(masked(now), board);
  await holdsUp();
});

test('the erasures hold against the same feed', async () => {
  await tell(wantedFeed);
  const mentions = new Set(linesOf((await show('--guest', wanted)).mentions));
  const found = (await searchEverything(pool, wanted)).filter((line) => line.startsWith('record.'));
  assert.deepEqual(
    found.filter((line) => !mentions.has(line)),
    [],
  );
  const { rows } = await pool.query(`
    select name from record.player where id = 'wanted' union all
    select name from record.participant where id = 'g1' union all
    select text from record.participant_list where participant in ('p1', 'g1') union all
    select first_name from record.battle where id = 'casual-2'`);
  assert.deepEqual(new Set(rows.map((row) => row.name)), new Set([null, '']));
});

test('neither a log nor the metrics nor what the commands print has the name', async () => {
  assert.ok(printed.length > 1_000 && server.log().length > 1_000);
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
  for (const text of [printed, server.log(), metrics]) assert.ok(!contains(text, wanted));
  const { rows } = await pool.query(
    'select action, kind, thing from audit.entry where kind <> $1 order by id',
    ['key'],
  );
  assert.deepEqual(rows, [
    { action: 'player erased', kind: 'player', thing: 'wanted' },
    { action: 'guest erased', kind: 'guest', thing: 'league/g1' },
    { action: 'guest erased', kind: 'guest', thing: 'casual-2' },
  ]);
});

/** Returns the answers once they no longer change, because servers learn of a change only moments later. */
async function settledAnswers(): Promise<Map<string, string>> {
  let last = await answers();
  await eventually(async () => {
    const again = await answers();
    const isSame = JSON.stringify([...again]) === JSON.stringify([...last]);
    last = again;
    assert.ok(isSame);
  });
  return last;
}

type Telling = { kind: string; slug?: string; participants?: object[]; battles?: object[] };

/** Splits a tournament into small records, which are written by other code. */
const piecesOf = ({ kind, slug: tournament, participants = [], battles: fought = [] }: Telling): object[] =>
  kind !== 'tournament'
    ? []
    : [
        ...participants.map((each) => ({ kind: 'participant', tournament, ...each })),
        ...fought.map((each) => ({ kind: 'battle', tournament, ...each })),
      ];

const namesOf = (answer = ''): Record<string, unknown>[] =>
  (JSON.parse(answer) as { data: Record<string, unknown>[] }).data;

async function holdsUp(): Promise<void> {
  assert.deepEqual((await onClient(compareWithOracle)).differences, []);
  assert.deepEqual(
    (await onClient(checkProperties)).filter(({ broken }) => broken > 0),
    [],
  );
}

async function onClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
