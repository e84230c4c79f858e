import type { BattleDetail } from '../../src/contract/battle.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { BoardRow, Standings } from '../../src/contract/standings.ts';
import type { Stage } from '../../src/contract/tournament.ts';
import { createTestDatabase } from '../database.ts';
import {
  addBattle,
  addClub,
  addParticipant,
  addTournament,
  armyList,
  battle,
  boardRow,
  club,
  insertRows,
  match,
  noRows,
  participant,
  playerId,
  side,
  standingsOf,
  tournament,
} from '../published-world.ts';
import { bearer, createTestKey, startTestServer } from '../server.ts';

// A small world in which everything that the specification speaks of occurs: each stage, each null and its opposite,
// each optional member present and absent.

export interface World {
  key: string;
  apiUrl: string;
  /** Every answer is held against openapi.json. */
  get: (path: string, headers?: Record<string, string>) => ReturnType<TestGet>;
  /** The data of all pages. */
  all: (path: string) => Promise<Record<string, unknown>[]>;
  /** The message of a refusal, with its status and code. */
  refusal: (
    path: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; message: string; code: string }>;
}
type TestGet = Awaited<ReturnType<typeof startTestServer>>['get'];

export async function startWorld(): Promise<World> {
  const database = await createTestDatabase();
  await insertRows(database.pool, worldRows());
  const server = await startTestServer(await database.loginAs('wartable_serve'));
  const { key } = await createTestKey(database);
  const get: World['get'] = (path, headers = bearer(key)) => server.get(`/api/v1${path}`, headers);
  return {
    key,
    apiUrl: server.apiUrl,
    get,
    all: async (path) => {
      const data: Record<string, unknown>[] = [];
      let target: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
      while (target !== undefined) {
        const body = (await get(target)).json as { data: Record<string, unknown>[]; next: string | null };
        data.push(...body.data);
        target = body.next?.replace(/^.*\/api\/v1/, '');
      }
      return data;
    },
    refusal: async (path, headers) => {
      const { json } = await get(path, headers);
      return (json as { error: { status: number; message: string; code: string } }).error;
    },
  };
}

const stages: Stage[] = [
  { id: 'swiss', name: 'Swiss Stage', type: 'board', rounds: 5 },
  { id: 'knockout', name: 'Top Cut', type: 'bracket', rounds: 2, players: 4 },
  { id: 'placement-swiss', name: 'Placement Swiss', type: 'board', rounds: 2 },
  { id: 'placement-3', name: 'Third Place', type: 'bracket', rounds: 1 },
  { id: 'placement-5-8', name: 'Places 5 to 8', type: 'bracket', rounds: 2 },
  { id: 'standings', name: 'Final Standings', type: 'board' },
];
const groupStage: Stage = { id: 'swiss', name: 'Group Stage', type: 'board', rounds: 3 };

function worldRows() {
  const rows = noRows();
  addClub(rows, club({ slug: 'lantern-street', city: 'Aveiro', country: 'Portugal', website: null }));
  addClub(
    rows,
    club({ slug: 'north-gate', city: null, country: null, website: 'https://north-gate.example' }),
  );
  for (let i = 0; i < 30; i += 1) rows.player.push({ id: playerId(i), revision: 1 });
  rows.player.push({ id: 'p_quiet', revision: 1 });

  const grandFinal = tournament({
    slug: 'grand-final',
    organizer: 'lantern-street',
    battlePack: 'Almanac 2025',
    players: 25,
    rounds: 12,
    stages,
    tournamentOrganizers: [
      { name: 'Duarte Pinho', playerId: playerId(28) },
      { name: 'Łucja Baran', playerId: playerId(29) },
    ],
  });
  addTournament(rows, grandFinal, grandFinalStandings());
  addTournament(
    rows,
    tournament({
      slug: 'group-cup',
      status: 'ongoing',
      startDate: '2026-05-02',
      endDate: null,
      organizer: 'lantern-street',
      stages: [groupStage],
    }),
    [{ stage: { id: 'swiss', name: 'Group Stage', type: 'board' }, data: groupRows() }],
  );
  const nowhere = { city: null, country: null, battlePack: null, organizer: null };
  addTournament(
    rows,
    tournament({
      slug: 'planned-muster',
      status: 'planned',
      startDate: '2026-06-20',
      endDate: null,
      ...nowhere,
    }),
  );
  addTournament(
    rows,
    tournament({ slug: 'undated', status: 'planned', startDate: null, endDate: null, stages: [] }),
  );
  for (let i = 0; i < 25; i += 1) {
    const day = String(i + 1).padStart(2, '0');
    addTournament(
      rows,
      tournament({ slug: `season-${day}`, startDate: `2025-01-${day}`, endDate: `2025-01-${day}` }),
    );
  }

  for (const [i, each] of people().entries()) addParticipant(rows, 'grand-final', `e${i}`, each);
  for (const row of groupRows()) {
    const who = { player: row.player ?? '', playerId: row.playerId, group: row.group ?? null };
    addParticipant(rows, 'group-cup', row.player ?? '', participant(who));
  }
  for (const each of battles())
    addBattle(rows, each, each.tournament === null ? ['north-gate'] : ['lantern-street']);
  // Archived: kept everywhere but in the lists of its players.
  addBattle(rows, battle('archived', { tournament: 'grand-final', players: [side(1), side(2)] }), [
    'lantern-street',
  ]);
  rows.player_battle = rows.player_battle.filter((row) => row.battle !== 'archived');
  return rows;
}

function grandFinalStandings(): Standings[] {
  const shown = standingsOf({ ...tournament({ slug: 'x' }), stages });
  return shown.map((each): Standings => {
    if (each.stage.type === 'board') {
      const last = boardRow(null, { player: null, faction: null, battlePoints: 0, wins: 0, losses: 0 });
      return { ...each, data: [boardRow(1), boardRow(2), last] } as Standings;
    }
    const played = { players: ['Player 0', 'Player 1'], winner: 'Player 0', battle: 'final-0' };
    return {
      ...each,
      data: [match('Semi-final', 1, played), match('Semi-final', 2), match('Final', 1)],
    } as Standings;
  });
}

function groupRows(): BoardRow[] {
  return ['Group A', 'Group B'].flatMap((group, g) =>
    [1, 2, 3].map((rank) => {
      const who = g * 3 + rank;
      return boardRow(rank, { group, player: `Player ${who}`, playerId: playerId(who) });
    }),
  );
}

function people(): Participant[] {
  return Array.from({ length: 25 }, (_, i) =>
    participant({
      player: `${String.fromCharCode(65 + ((i * 7) % 25))}. Player`,
      playerId: i === 3 ? null : playerId(i),
      club: i % 2 === 0 ? 'lantern-street' : null,
      dropped: i === 5,
      finalPlacement: i === 5 ? null : i + 1,
      list: i % 3 === 0 ? null : armyList,
    }),
  );
}

function battles(): BattleDetail[] {
  const rich = {
    faction: 'Lanternsworn',
    subFaction: 'Beacon Watch',
    battlePoints: 3,
    objectivePoints: 20,
    battleTacticsScored: 4,
    grandStrategy: 'Keep the Heartland',
    grandStrategyScored: true,
    drops: 2,
    role: 'attacker' as const,
    metrics: { 'Generals slain': 1 },
    rounds: [
      {
        round: 1,
        victoryPoints: 9,
        objectivePoints: 5,
        objectives: ['West bank'],
        battleTactic: 'Swift Crossing',
        battleTacticScored: true,
        priority: false,
      },
    ],
  };
  const won = (i: number): BattleDetail =>
    battle(`final-${i}`, {
      tournament: 'grand-final',
      stage: i % 2 === 0 ? 'knockout' : 'swiss',
      date: i < 24 ? '2026-03-14' : '2026-03-15',
      round: 1 + (i % 3),
      scenario: 'Broken Causeway',
      battlePack: 'Almanac 2025',
      winner: 'Player 0',
      victorySize: i % 2 === 0 ? 'major' : 'minor',
      players: [
        { ...side(0), ...rich, outcome: 'win' },
        { ...side(1), ...rich, grandStrategy: null, outcome: 'loss', role: 'defender' },
      ],
    });
  const open = (i: number): BattleDetail =>
    battle(`open-${i}`, {
      tournament: 'group-cup',
      date: null,
      players: [side(1), { ...side(2), outcome: null, victoryPoints: null }],
    });
  const casual = (i: number): BattleDetail =>
    battle(`casual-${i}`, {
      tournament: null,
      stage: null,
      round: null,
      date: i === 0 ? null : `2026-04-0${i}`,
      players: [side(1), { ...side(0), player: 'A guest', playerId: null, list: null }],
    });
  return [
    ...Array.from({ length: 30 }, (_, i) => won(i)),
    ...Array.from({ length: 2 }, (_, i) => open(i)),
    ...Array.from({ length: 5 }, (_, i) => casual(i)),
  ];
}
