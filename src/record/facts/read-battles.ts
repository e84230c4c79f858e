// Turns rows of record.battle into battles with the names of their people. In a tournament the names come from its
// participants, in a casual battle from the players.
import type { ClientBase } from 'pg';
import type {
  ArmyListFacts,
  BattleFacts,
  BattleOutline,
  BattlePackFacts,
  ErasedListFacts,
  ParticipantFacts,
  Person,
  RoundFacts,
  SideFacts,
  TournamentFacts,
} from './facts.ts';
import { readBattlePacks } from './read-battle-packs.ts';
import { casualBattle } from '../tables.ts';
import { storedColumns } from './fact-columns.ts';

export type Cells = [number, number, number, string[], string, boolean, boolean, RoundFacts['metrics']?];
type Which = 'first' | 'second';
type SideColumns<Prefix extends Which> = {
  [Column in keyof SideRow as `${Prefix}_${Column}`]: SideRow[Column];
};
interface SideRow {
  participant: string | null;
  player: string | null;
  name: string | null;
  club: string | null;
  faction: string | null;
  sub_faction: string | null;
  battle_points: number | null;
  victory_points: number | null;
  objective_points: number | null;
  battle_tactics_scored: number | null;
  grand_strategy: string | null;
  grand_strategy_scored: boolean | null;
  drops: number | null;
  role: 'attacker' | 'defender' | null;
  metrics: Record<string, number> | null;
  list: Omit<ArmyListFacts, 'faction'> | Omit<ErasedListFacts, 'faction'> | null;
  rounds: Cells[] | null;
}

export interface BattleRow extends SideColumns<'first'>, SideColumns<'second'> {
  tournament_id: number | null;
  id: string;
  stage: string | null;
  round: number | null;
  table_number: number | null;
  date: string | null;
  scenario: string | null;
  battle_pack: string | null;
  battle_size: number | null;
  club: string | null;
  finished: boolean;
  winner: 1 | 2 | null;
  victory_size: 'major' | 'minor' | null;
  archived: boolean;
}

/**
 * Every battle of a tournament, with the values that boards need. It reads each column as one text instead of rows: the
 * driver parses rows cell by cell, and for a large tournament that was most of the time of publishing one result.
 */
export async function readBattleOutlines(client: ClientBase, slug: string): Promise<BattleOutline[]> {
  const own = ['id', 'stage', 'round', 'table_number', 'date', 'finished', 'winner'].map(
    (name) => `b.${name}`,
  );
  const cells = [...own, 'to_json(b.scenario)', ...sideCells('first'), ...sideCells('second')];
  // The aggregates of one query all see the rows in the same order.
  const columns = cells.map((cell, at) => `string_agg(coalesce(${cell}::text, ''), e'\\n') as c${at}`);
  const { rows } = await client.query<Record<string, string | null>>({
    text: `select ${columns.join(', ')}
      from record.battle b join record.tournament t on t.id = b.tournament_id where t.slug = $1`,
    values: [slug],
  });
  const texts = Object.values(rows[0] ?? {});
  if (texts[0] === null) return [];
  return outlines(texts.map((text) => (text ?? '').split('\n')));
}

/** Faction and scenario are written as JSON, which has no line breaks. An empty text is a null. */
const sideCells = (which: Which): string[] => [
  `b.${which}_participant`,
  `to_json(b.${which}_faction)`,
  `b.${which}_battle_points`,
  `coalesce(b.${which}_victory_points,
    (select sum((cells->>1)::numeric) from jsonb_array_elements(b.${which}_rounds) cells))`,
];

function outlines(columns: string[][]): BattleOutline[] {
  const [ids = [], stages, rounds, tables, dates, finished, winners, scenarios, ...sides] = columns;
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
    winner: winners?.[row] ? (winners[row] === '1' ? 0 : 1) : null,
    sides: [sideAt(row, 0), sideAt(row, 4)],
  }));
}

const numberOf = (cell = ''): number | null => (cell === '' ? null : Number(cell));

/** Equal cells become one and the same string: boards look them up many times, and that is then cheap. */
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
  const { rows } = await client.query<BattleRow & Record<`${Which}_erased`, boolean | null>>({
    text: `select ${storedColumns(casualBattle, 'b')}, coalesce(b.first_name, f.name) as first_name, f.erased as first_erased,
        coalesce(b.second_name, s.name) as second_name, s.erased as second_erased
      from record.battle b left join record.player f on f.id = b.first_player
      left join record.player s on s.id = b.second_player
      where b.id = any($1::text[]) and b.tournament_id is null`,
    values: [ids],
  });
  return rows.map((row) => {
    const someone = (which: Which): Person & { club: string | null } => ({
      playerId: row[`${which}_player`],
      // An erased guest has the empty name.
      name: row[`${which}_name`] || null,
      erased: row[`${which}_erased`] ?? row[`${which}_name`] === '',
      club: row[`${which}_club`],
    });
    return battle(row, null, packs.get(row.battle_pack ?? '') ?? null, row.battle_size ?? 0, someone);
  });
}

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

export const roundFacts = (cells: Cells): RoundFacts => ({
  round: cells[0],
  victoryPoints: cells[1],
  objectivePoints: cells[2],
  objectives: cells[3],
  battleTactic: cells[4],
  battleTacticScored: cells[5],
  priority: cells[6],
  metrics: cells[7] ?? {},
});
