import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import type { TournamentSide } from '../../src/record/feed/tournament-records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// There is one rule for the faction, wherever it is shown. Ana gave hers without a list, Bea with one, Cy
// only in one battle.

const list = {
  faction: 'Marrow Choir',
  subFaction: 'Pale Hunt',
  points: 2000,
  battleTacticCards: [],
  text: 'x',
};
const people = [
  { id: 'a', player: 'ana', faction: 'Lanternsworn' },
  { id: 'b', player: 'bea', list },
  { id: 'c', player: 'cy' },
  { id: 'd', name: 'Dot', faction: 'Rimehold Kin' },
];
const played = (id: string, round: number, first: TournamentSide, second: string) => ({
  id,
  stage: 'swiss',
  round,
  finished: true,
  winner: first.participant,
  sides: [
    { victoryPoints: 20, ...first },
    { participant: second, victoryPoints: 10 },
  ],
});
const cup: TournamentRecord = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup',
  status: 'finished',
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 2 }],
  participants: people,
  battles: [
    played('b1', 1, { participant: 'a' }, 'b'),
    played('b2', 1, { participant: 'c', faction: 'Moth Parliament', subFaction: 'Silk Tribunal' }, 'd'),
    played('b3', 2, { participant: 'a' }, 'c'),
  ],
};
const soon: TournamentRecord = { ...cup, slug: 'soon', name: 'Soon', status: 'planned', battles: [] };

const database = await createTestDatabase();
await publishFeed(database.pool, [
  { kind: 'player', id: 'ana', name: 'Ana' },
  { kind: 'player', id: 'bea', name: 'Bea' },
  { kind: 'player', id: 'cy', name: 'Cy' },
  cup,
  soon,
]);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);

const data = async <Row>(path: string) =>
  ((await server.get(`/api/v1${path}`, bearer(key))).json as { data: Row }).data;
const page = async (path: string) => (await fetch(`${server.siteUrl}${path}`)).text();
/** Returns what a reader sees, word by word. */
const words = async (path: string) => (await page(path)).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

interface Side {
  player: string;
  faction: string | null;
  subFaction: string | null;
}
const told = ({ player, faction, subFaction }: Side) => `${player}: ${faction}, ${subFaction}`;

const sides = {
  b1: ['Ana: Lanternsworn, null', 'Bea: Marrow Choir, Pale Hunt'],
  b2: ['Cy: Moth Parliament, Silk Tribunal', 'Dot: Rimehold Kin, null'],
  b3: ['Ana: Lanternsworn, null', 'Cy: null, null'],
};

test('a battle shows the faction that its side, its list or the participant names, in lists and by id', async () => {
  for (const [id, expected] of Object.entries(sides)) {
    const { players } = await data<{ players: Side[] }>(`/battles/${id}`);
    assert.deepEqual(players.map(told), expected, id);
  }
  const listed = await data<{ id: string; players: Side[] }[]>('/tournaments/cup/battles');
  assert.deepEqual(Object.fromEntries(listed.map(({ id, players }) => [id, players.map(told)])), sides);
});

test('a board row shows the same, and last the faction of a battle', async () => {
  const rows = await data<Side[]>('/tournaments/cup/standings');
  assert.deepEqual(Object.fromEntries(rows.map(({ player, faction }) => [player, faction])), {
    Ana: 'Lanternsworn',
    Bea: 'Marrow Choir',
    Cy: 'Moth Parliament',
    Dot: 'Rimehold Kin',
  });
});

test('the files have what the API has', async () => {
  const battles = await page('/tournaments/cup/battles.csv');
  assert.match(battles, /,Ana,ana,Lanternsworn,,win,/);
  assert.match(battles, /,Dot,,Rimehold Kin,,loss,/);
  assert.match(battles, /,Cy,cy,,,loss,/);
  assert.match(await page('/tournaments/cup/standings.csv'), /,Dot,,Rimehold Kin,/);
});

test('pages of a battle, a round, a player and a tournament that is planned show it, too', async () => {
  assert.match(await words('/battles/b1'), /Ana Lanternsworn .*Bea Marrow Choir/);
  // A card has the crest. The name of the faction is on the board and on the player's page.
  assert.match(await words('/tournaments/cup/rounds?round=1'), /La Ana/);
  const ana = await words('/players/ana');
  assert.match(ana, /Factions played .*Lanternsworn/);
  assert.doesNotMatch(ana, /Not recorded/);
  assert.match(
    await words('/tournaments/soon'),
    /Signed up La Ana Lanternsworn MC Bea Marrow Choir List of Bea Cy RK Dot Rimehold Kin/,
  );
});
