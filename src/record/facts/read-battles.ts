// Turns rows of record.battle into battles with the names of their people. In a tournament the names come
// from the participants, and in a casual battle from the players.
import type { ClientBase } from 'pg';
import type {
  BattleFacts,
  BattleOutline,
  BattlePackFacts,
  ParticipantFacts,
  Person,
  RoundFacts,
  SideFacts,
  TournamentFacts,
} from './facts.ts';
import { readBattlePacks } from './read-battle-packs.ts';
import { or, type StoredOf } from '../columns.ts';
import { casualBattle, player, type RoundCells } from '../tables.ts';
import { readRows } from './read-table.ts';

type Which = 'first' | 'second';
export type BattleRow = StoredOf<typeof casualBattle> & { arrived?: string | null };

/**
 * Reads every battle of these tournaments, by slug, with the values that boards need. It reads each column as
 * one text instead of reading rows, because the driver parses rows cell by cell, and for a large tournament
 * that was most of the time of publishing one result.
 */
export async function readBattleOutlines(
  client: ClientBase,
  slugs: string[],
): Promise<Map<string, BattleOutline[]>> {
  const own = ['id', 'stage', 'round', 'table_number', 'date', 'finished', 'winner'].map(
    (name) => `b.${name}`,
  );
  const cells = [
    ...own,
    arrivedOf('b'),
    'to_json(b.scenario)',
    ...sideCells('first'),
    ...sideCells('second'),
  ];
  // The aggregates of one query all see the rows in the same order.
  const columns = cells.map((cell, at) => `string_agg(coalesce(${cell}::text, ''), e'\\n') as c${at}`);
  const { rows } = await client.query<{ slug: string } & Record<string, string>>({
    text: `select t.slug, outline.*
      from record.tournament t cross join lateral (
        select ${columns.join(', ')} from record.battle b where b.tournament_id = t.id having count(*) > 0
      ) outline
      where t.slug = any($1::text[])`,
    values: [slugs],
  });
  return new Map(
    rows.map(({ slug, ...texts }) => [slug, outlines(Object.values(texts).map((text) => text.split('\n')))]),
  );
}

/** SQL for a time that `arrivedAt` reads. No import writes this column, so it is not in the description. */
export const arrivedOf = (table: string): string => `(${table}.arrived at time zone 'UTC')::text`;

/**
 * Returns the time in ISO 8601 and UTC. PostgreSQL would take longer to format it, and a large tournament has
 * thousands.
 */
const arrivedAt = (cell: string | null | undefined): string | null =>
  cell ? `${cell.slice(0, 10)}T${cell.slice(11, 19)}Z` : null;

/**
 * SQL for the cells of one side. Faction and scenario are written as JSON, which has no line breaks. An empty
 * text stands for null.
 */
const sideCells = (which: Which): string[] => [
  `b.${which}_participant`,
  `to_json(b.${which}_faction)`,
  `b.${which}_battle_points`,
  `coalesce(b.${which}_victory_points,
    (select sum((cells->>1)::numeric) from jsonb_array_elements(b.${which}_rounds) cells))`,
];

function outlines(columns: string[][]): BattleOutline[] {
  const [ids = [], stages, rounds, tables, dates, finished, winners, arrivals, scenarios, ...sides] = columns;
  const text = memoised((cell) => cell);
  const parsed = memoised((cell) => JSON.parse(cell) as string);
  const sideAt = (row: number, at: 0 | 4): BattleOutline['sides'][0] => ({
    participant: text(sides[at]?.[row]),
    faction: parsed(sides[at + 1]?.[row]),
    battlePoints: numberOf(sides[at + 2]?.[row]),
    victoryPoints: numberOf(sides[at + 3]?.[row]),
  });
  return ids.map((id, row) => ({
    id,
    stage: text(stages?.[row]) ?? '',
    round: Number(rounds?.[row]),
    table: numberOf(tables?.[row]),
    scenario: parsed(scenarios?.[row]),
    date: text(dates?.[row]),
    finished: finished?.[row] === 'true',
    arrived: arrivedAt(arrivals?.[row]),
    winner: winners?.[row] ? (winners[row] === '1' ? 0 : 1) : null,
    sides: [sideAt(row, 0), sideAt(row, 4)],
  }));
}

const numberOf = (cell = ''): number | null => (cell === '' ? null : Number(cell));

/**
 * Turns equal cells into one and the same string, because boards look them up many times, and that is then
 * cheap.
 */
function memoised(valueOf: (cell: string) => string): (cell?: string) => string | null {
  const known = new Map<string, string>();
  return (cell = '') => {
    if (cell === '') return null;
    const before = known.get(cell);
    if (before !== undefined) return before;
    const value = valueOf(cell);
    known.set(cell, value);
    return value;
  };
}

const sideIndex = (winner: 1 | 2 | null): 0 | 1 | null => (winner === null ? null : winner === 1 ? 0 : 1);

export async function readCasualBattles(client: ClientBase, ids: string[]): Promise<BattleFacts[]> {
  const packs = await readBattlePacks(client);
  const { name, erased } = player.columns;
  const rest = `left join record.player f on f.id = t.first_player left join record.player s on s.id = t.second_player
    where t.id = any($1::text[]) and t.tournament_id is null`;
  const rows = await readRows(client, casualBattle, [rest, [ids]], {
    first_current: ['f.name', name],
    first_erased: ['f.erased', or(erased, null)],
    second_current: ['s.name', name],
    second_erased: ['s.erased', or(erased, null)],
  });
  return rows.map((row) => {
    const someone = (which: Which): Person & { club: string | null } => ({
      ...playerOrGuest(
        row[`${which}_player`],
        row[`${which}_name`] ?? row[`${which}_current`],
        row[`${which}_erased`],
      ),
      club: row[`${which}_club`],
    });
    return battle(row, null, packs.get(row.battle_pack ?? '') ?? null, row.battle_size ?? 0, someone);
  });
}

/** Returns the player or guest of a row. An erased guest has an empty name. */
export const playerOrGuest = (
  playerId: string | null,
  name: string | null,
  erased: boolean | null,
): Person => ({
  playerId,
  name: name || null,
  erased: erased ?? name === '',
});

export function tournamentBattle(
  row: BattleRow,
  tournament: TournamentFacts,
  participants: Map<string, ParticipantFacts>,
  packs: Map<string, BattlePackFacts>,
): BattleFacts {
  const pack = row.battle_pack === null ? tournament.battlePack : (packs.get(row.battle_pack) ?? null);
  return battle(row, tournament.slug, pack, row.battle_size ?? tournament.battleSize, (which) => {
    const participant = participants.get(row[`${which}_participant`] ?? '');
    if (!participant)
      throw new Error(`battle ${row.id} names a participant that ${tournament.slug} does not have`);
    return participant;
  });
}

function battle(
  row: BattleRow,
  tournament: string | null,
  battlePack: BattlePackFacts | null,
  battleSize: number,
  someone: (which: Which) => Person & { club: string | null },
): BattleFacts {
  return {
    id: row.id,
    tournament,
    stage: row.stage,
    round: row.round,
    table: row.table_number,
    date: row.date,
    scenario: row.scenario,
    battlePack,
    battleSize,
    club: row.club,
    finished: row.finished,
    winner: sideIndex(row.winner),
    victorySize: row.victory_size,
    archived: row.archived,
    arrived: arrivedAt(row.arrived),
    sides: [side(row, 'first', someone('first')), side(row, 'second', someone('second'))],
  };
}

function side(row: BattleRow, which: Which, someone: Person & { club: string | null }): SideFacts {
  const faction = row[`${which}_faction`];
  const list = row[`${which}_list`];
  return {
    participant: row[`${which}_participant`],
    playerId: someone.playerId,
    name: someone.name,
    erased: someone.erased,
    club: someone.club,
    faction,
    subFaction: row[`${which}_sub_faction`],
    battlePoints: row[`${which}_battle_points`],
    victoryPoints: row[`${which}_victory_points`],
    objectivePoints: row[`${which}_objective_points`],
    battleTacticsScored: row[`${which}_battle_tactics_scored`],
    grandStrategy: row[`${which}_grand_strategy`],
    grandStrategyScored: row[`${which}_grand_strategy_scored`],
    drops: row[`${which}_drops`],
    role: row[`${which}_role`],
    metrics: row[`${which}_metrics`] ?? {},
    list: list && { faction: faction ?? '', ...list },
    rounds: (row[`${which}_rounds`] ?? []).map(roundFacts),
  };
}

export const roundFacts = (cells: RoundCells): RoundFacts => ({
  round: cells[0],
  victoryPoints: cells[1],
  objectivePoints: cells[2],
  objectives: cells[3],
  battleTactic: cells[4],
  battleTacticScored: cells[5],
  priority: cells[6],
  metrics: cells[7] ?? {},
});
