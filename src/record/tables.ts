// The tables that the importer writes: their names, keys and columns. COPY and JSON carry the cells in the order of the
// columns here.
import type { Row } from '../database/row.ts';

export interface Table<Column extends string = string> {
  name: string;
  /** The columns that identify a row. */
  key: NoInfer<Column>[];
  columns: Record<Column, string>;
  /** A condition on the rows that this table may change. The writer never touches the others. */
  only?: string;
}

export type RowOf<Of extends Table> = Row<keyof Of['columns'] & string>;

/** Keeps the column names in the type, so that the type checker checks rows and keys. */
const table = <Column extends string>(given: Table<Column>): Table<Column> => given;

export const club = table({
  name: 'record.club',
  key: ['slug'],
  columns: {
    slug: 'text',
    name: 'text',
    description: 'text',
    city: 'text',
    country: 'text',
    website: 'text',
    members: 'integer',
  },
});

export const player = table({
  name: 'record.player',
  key: ['id'],
  columns: { id: 'text', name: 'text', erased: 'boolean' },
});

export const battlePack = table({
  name: 'record.battle_pack',
  key: ['name'],
  columns: { name: 'text', objectives: 'boolean', battle_tactics: 'boolean', grand_strategies: 'boolean' },
});

export const tournament = table({
  name: 'record.tournament',
  key: ['slug'],
  columns: {
    slug: 'text',
    published: 'boolean',
    name: 'text',
    status: 'record.status',
    start_date: 'date',
    end_date: 'date',
    description: 'text',
    city: 'text',
    country: 'text',
    battle_size: 'integer',
    battle_pack: 'text',
    organizer: 'text',
    tie_breaks: 'text[]',
    metrics: 'jsonb',
    standings_label: 'text',
    placements_recorded: 'boolean',
  },
});

const points = { battle_points: 'numeric', victory_points: 'numeric', victory_points_diff: 'numeric' };

const sideColumns = {
  participant: 'text',
  player: 'text',
  name: 'text',
  club: 'text',
  faction: 'text',
  sub_faction: 'text',
  battle_points: 'numeric',
  victory_points: 'numeric',
  objective_points: 'numeric',
  battle_tactics_scored: 'integer',
  grand_strategy: 'text',
  grand_strategy_scored: 'boolean',
  drops: 'integer',
  role: 'record.role',
  metrics: 'jsonb',
  list: 'jsonb',
  rounds: 'jsonb',
};
export type SideColumn = keyof typeof sideColumns;

const side = <Which extends string>(which: Which): Record<`${Which}_${SideColumn}`, string> => {
  const named = Object.entries(sideColumns).map(([column, type]) => [`${which}_${column}`, type]);
  return Object.fromEntries(named) as Record<`${Which}_${SideColumn}`, string>;
};

const battle = table({
  name: 'record.battle',
  key: ['tournament_id', 'id'],
  columns: {
    tournament_id: 'integer',
    id: 'text',
    stage: 'text',
    round: 'integer',
    table_number: 'integer',
    date: 'date',
    scenario: 'text',
    battle_pack: 'text',
    battle_size: 'integer',
    club: 'text',
    finished: 'boolean',
    winner: 'smallint',
    victory_size: 'record.victory_size',
    archived: 'boolean',
    ...side('first'),
    ...side('second'),
  },
});

export const casualBattle: typeof battle = { ...battle, key: ['id'], only: 'tournament_id is null' };

/** The parts of a tournament. Each refers only to parts before it: write in this order, delete in reverse order. */
export const tournamentTables = {
  organizers: table({
    name: 'record.tournament_organizer',
    key: ['tournament_id', 'player'],
    columns: { tournament_id: 'integer', player: 'text' },
  }),
  groups: table({
    name: 'record.tournament_group',
    key: ['tournament_id', 'name'],
    columns: { tournament_id: 'integer', name: 'text', position: 'integer' },
  }),
  participants: table({
    name: 'record.participant',
    key: ['tournament_id', 'id'],
    columns: {
      tournament_id: 'integer',
      id: 'text',
      player: 'text',
      name: 'text',
      club: 'text',
      group_name: 'text',
      dropped: 'boolean',
      no_show: 'boolean',
      faction: 'text',
      final_placement: 'integer',
      lot: 'integer',
    },
  }),
  lists: table({
    name: 'record.participant_list',
    key: ['tournament_id', 'participant'],
    columns: {
      tournament_id: 'integer',
      participant: 'text',
      sub_faction: 'text',
      points: 'integer',
      battle_tactic_cards: 'text[]',
      text: 'text',
    },
  }),
  stages: table({
    name: 'record.stage',
    key: ['tournament_id', 'id'],
    columns: {
      tournament_id: 'integer',
      id: 'text',
      position: 'integer',
      label: 'text',
      type: 'text',
      phase: 'integer',
      rounds: 'integer',
      grouped: 'boolean',
      everybody: 'boolean',
      carries_over: 'text',
    },
  }),
  members: table({
    name: 'record.stage_member',
    key: ['tournament_id', 'stage', 'participant'],
    columns: { tournament_id: 'integer', stage: 'text', participant: 'text', seed: 'integer' },
  }),
  byes: table({
    name: 'record.bye',
    key: ['tournament_id', 'stage', 'round', 'participant'],
    columns: {
      tournament_id: 'integer',
      stage: 'text',
      round: 'integer',
      participant: 'text',
      win: 'boolean',
      ...points,
    },
  }),
  adjustments: table({
    name: 'record.adjustment',
    key: ['tournament_id', 'position'],
    columns: {
      tournament_id: 'integer',
      position: 'integer',
      stage: 'text',
      participant: 'text',
      ...points,
      reason: 'text',
    },
  }),
  battles: battle,
  matches: table({
    name: 'record.match',
    key: ['tournament_id', 'stage', 'round', 'position'],
    columns: {
      tournament_id: 'integer',
      stage: 'text',
      round: 'integer',
      position: 'integer',
      name: 'text',
      table_number: 'integer',
      first_participant: 'text',
      second_participant: 'text',
      winner: 'text',
      battle: 'text',
    },
  }),
};

export type TournamentPart = keyof typeof tournamentTables;
export type TournamentRow<Part extends TournamentPart> = RowOf<(typeof tournamentTables)[Part]>;
export const tournamentParts = Object.keys(tournamentTables) as TournamentPart[];

export const emptyParts = (): Record<TournamentPart, never[]> =>
  Object.fromEntries(tournamentParts.map((part) => [part, []])) as Record<TournamentPart, never[]>;
