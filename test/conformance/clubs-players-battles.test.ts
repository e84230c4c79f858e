import assert from 'node:assert/strict';
import { armyList } from './feed/grand-muster.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the endpoints about clubs, players and battles.

const world = await startWorld();
const idsOf = async (path: string) => (await world.all(path)).map(({ id }) => id);
const slugsOf = async (path: string) => (await world.all(path)).map(({ slug }) => slug);
const leagues = Array.from({ length: 22 }, (_, i) => `league-${String(22 - i).padStart(2, '0')}`);

rule('Get one club', '`GET /api/v1/clubs/{slug}` returns { data: Club }', async () => {
  assert.equal((await world.item('/clubs/north-gate'))['name'], 'North Gate');
});
rule('Get one club', '404 when the club does not exist', async () => {
  assert.equal((await world.get('/clubs/nobody')).status, 404);
});

const clubTournaments = 'Club tournaments';
rule(
  clubTournaments,
  '`GET /api/v1/clubs/{slug}/tournaments` returns { data: Tournament[], next }',
  async () => {
    const { data, next } = await world.page('/clubs/north-gate/tournaments');
    assert.deepEqual([data.map(({ slug }) => slug), next], [['spring-plan'], null]);
  },
);
rule(clubTournaments, 'Published tournaments run by the club, newest start date first', async () => {
  assert.deepEqual(await slugsOf('/clubs/lantern-street/tournaments'), [
    'group-cup',
    'grand-muster',
    ...leagues,
    'some-day',
  ]);
});
rule(clubTournaments, '`from`, `to`: filter on tournament start date', async () => {
  const inMarch = '/clubs/lantern-street/tournaments?from=2026-03-14&to=2026-03-31';
  assert.deepEqual(await slugsOf(inMarch), ['grand-muster']);
  const onItsLastDay = '/clubs/lantern-street/tournaments?from=2026-03-15&to=2026-03-31';
  assert.deepEqual(await slugsOf(onItsLastDay), []);
});
rule(clubTournaments, 'No status parameter is listed: it is ignored', async () => {
  const without = (await world.get('/clubs/lantern-street/tournaments')).text;
  for (const status of ['planned', 'over']) {
    assert.equal((await world.get(`/clubs/lantern-street/tournaments?status=${status}`)).text, without);
  }
});
rule(clubTournaments, 'Same shape as tournament list elements', async () => {
  const listed = (await world.all('/tournaments')).filter(({ organizer }) => organizer === 'lantern-street');
  assert.deepEqual(await world.all('/clubs/lantern-street/tournaments'), listed);
});

const clubBattles = 'Club battles';
rule(clubBattles, '`GET /api/v1/clubs/{slug}/battles` returns { data: Battle[], next }', async () => {
  const [first] = (await world.page('/clubs/north-gate/battles')).data;
  const { players, ...shown } = await world.item('/battles/friendly-archived');
  assert.deepEqual({ ...first, players: 2 }, { ...shown, players: (players as Row[]).length });
});
rule(clubBattles, 'Battles connected to the club, newest first', async () => {
  // These were recorded for the club, or played by Bjørn, who represented it in the Grand Muster and nowhere
  // else.
  assert.deepEqual(await idsOf('/clubs/north-gate/battles'), [
    'friendly-archived',
    'friendly-won',
    'gm-fifth-4',
    'gm-fifth-2',
    'gm-quarter-3',
    'gm-r2-1',
    'gm-r1-2',
  ]);
  // These were played in a tournament that the club runs, or recorded for it. Each occurs once, although Ana
  // also represented the club.
  const ofTournaments = ['group-cup', 'grand-muster', ...leagues].map((slug) =>
    idsOf(`/tournaments/${slug}/battles`),
  );
  const expected = [...(await Promise.all(ofTournaments)).flat(), 'friendly-undated'];
  const undated = (id: unknown) => id === 'gm-r2-6' || id === 'friendly-undated';
  assert.deepEqual(await idsOf('/clubs/lantern-street/battles'), [
    ...expected.filter((id) => !undated(id)),
    ...expected.filter(undated),
  ]);
});
rule(clubBattles, '`from`, `to`: filter on date played', async () => {
  const onSunday = await idsOf('/clubs/north-gate/battles?from=2026-03-15&to=2026-04-01');
  assert.deepEqual(onSunday, ['friendly-won', 'gm-fifth-4', 'gm-fifth-2', 'gm-quarter-3']);
});

const playerBattles = 'Player battles';
rule(playerBattles, '`GET /api/v1/users/{publicId}/battles` returns { data: Battle[], next }', async () => {
  const { data, next } = await world.page('/users/tomas/battles');
  assert.deepEqual([data.map(({ id }) => id), next], [['gm-r1-6'], null]);
});
rule(
  playerBattles,
  '`publicId`: as returned in playerId on board rows, battle players and participants with their lists',
  async () => {
    const rows = [
      ...(await world.standings('grand-muster', 'swiss')).data,
      ...(await world.all('/tournaments/grand-muster/battles')).flatMap(({ players }) => players as Row[]),
      ...(await world.all('/tournaments/grand-muster/participants')),
    ];
    const ids = new Set(rows.map(({ playerId }) => playerId as string | null));
    assert.equal(
      [...ids]
        .filter((id) => id !== null)
        .toSorted()
        .join(' '),
      'ana bjorn chidi emile erik lucja luka mara nils pia tomas zoe',
    );
    for (const id of ids) {
      if (id !== null) assert.equal((await world.get(`/users/${id}/battles`)).status, 200, id);
    }
  },
);
rule(playerBattles, 'Every battle the player took part in, tournament and casual, newest first', async () => {
  assert.deepEqual(await idsOf('/users/bjorn/battles'), [
    'wc-semi-2',
    'gc-3',
    'wc-2',
    'friendly-running',
    'friendly-won',
    'gm-fifth-4',
    'gm-fifth-2',
    'gm-quarter-3',
    'gm-r2-1',
    'gm-r1-2',
    'og-1',
  ]);
});
rule(playerBattles, 'Archived battles are left out', async () => {
  for (const id of ['emile', 'erik']) assert.ok(!(await idsOf(`/users/${id}/battles`)).includes('gm-r1-4'));
  for (const id of ['bjorn', 'erik']) {
    assert.ok(!(await idsOf(`/users/${id}/battles`)).includes('friendly-archived'));
  }
  assert.equal((await world.get('/battles/gm-r1-4')).status, 200, 'and shown everywhere else');
});
rule(playerBattles, '`from`, `to`: filter on date played', async () => {
  const inSpring = await idsOf('/users/bjorn/battles?from=2026-04-01&to=2026-05-02');
  assert.deepEqual(inSpring, ['gc-3', 'wc-2', 'friendly-running', 'friendly-won']);
});
rule(playerBattles, '404 when the player does not exist', async () => {
  assert.equal((await world.get('/users/nobody/battles')).status, 404);
  assert.equal((await world.get('/users/gone/battles')).status, 404, 'nor any longer');
});
rule(playerBattles, 'A player without battles exists: an empty list', async () => {
  for (const id of ['quiet', 'pia', 'to-1']) {
    assert.deepEqual(await world.page(`/users/${id}/battles`), { data: [], next: null });
  }
});

const battle = 'Get one battle';
rule(battle, '`GET /api/v1/battles/{id}` returns { data: Battle }', async () => {
  for (const id of ['gm-r1-1', 'gm-final', 'gc-4', 'friendly-won']) {
    assert.equal((await world.item(`/battles/${id}`))['id'], id);
  }
});
rule(battle, 'Each element of players additionally carries list and rounds', async () => {
  const listed = (await world.all('/tournaments/grand-muster/battles')).find(({ id }) => id === 'gm-r1-1');
  const { players, ...shown } = await world.item('/battles/gm-r1-1');
  const [ana, gwen] = players as Row[];
  assert.deepEqual(ana?.['list'], armyList);
  assert.equal((ana['rounds'] as Row[]).length, 3);
  assert.deepEqual([gwen?.['list'], gwen?.['rounds']], [null, []]);
  const without = (players as Row[]).map(({ list: _list, rounds: _rounds, ...player }) => player);
  assert.deepEqual({ ...shown, players: without }, listed, 'and is the battle of the lists otherwise');
});
rule(
  battle,
  'Error behaviour is not shown: 404, also for a battle of a tournament that is not published',
  async () => {
    for (const id of ['nobody', 'hidden-1']) {
      assert.deepEqual(await world.refusal(`/battles/${id}`), {
        status: 404,
        message: 'Battle not found',
        code: 'NOT_FOUND',
      });
    }
  },
);
