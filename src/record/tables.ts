// The tables of an event and of the things around it, by name, column and key: what the writer needs to write any of
// them. Column order is the order of the cells in a row.
import type { Cell } from '../database/copy.ts';

export type Row = Cell[];

export interface Table {
  name: string;
  /** The columns that say which row it is. */
  key: string[];
  columns: Record<string, string>;
  /** Rows outside this are not touched: they are somebody else's. */
  only?: string;
}

export const club: Table = {
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
};

export const player: Table = {
  name: 'record.player',
  key: ['id'],
  columns: { id: 'text', name: 'text', erased: 'boolean' },
};

export const battlePack: Table = {
  name: 'record.battle_pack',
  key: ['name'],
  columns: { name: 'text', objectives: 'boolean', battle_tactics: 'boolean', grand_strategies: 'boolean' },
};

export const tournament: Table = {
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
};

const points = { battle_points: 'numeric', victory_points: 'numeric', victory_points_diff: 'numeric' };

const side = (which: string): Record<string, string> => ({
  [`${which}_participant`]: 'text',
  [`${which}_player`]: 'text',
  [`${which}_name`]: 'text',
  [`${which}_club`]: 'text',
  [`${which}_faction`]: 'text',
  [`${which}_sub_faction`]: 'text',
  [`${which}_battle_points`]: 'numeric',
  [`${which}_victory_points`]: 'numeric',
  [`${which}_objective_points`]: 'numeric',
  [`${which}_battle_tactics_scored`]: 'integer',
  [`${which}_grand_strategy`]: 'text',
  [`${which}_grand_strategy_scored`]: 'boolean',
  [`${which}_drops`]: 'integer',
  [`${which}_role`]: 'record.role',
  [`${which}_metrics`]: 'jsonb',
  [`${which}_list`]: 'jsonb',
  [`${which}_rounds`]: 'jsonb',
});

const battle: Table = {
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
};

export const casualBattle: Table = { ...battle, key: ['id'], only: 'tournament_id is null' };

/** The parts of an event, each after what it refers to: written in this order, removed in the opposite one. */
export const tournamentTables = {
  organizers: {
    name: 'record.tournament_organizer',
    key: ['tournament_id', 'player'],
    columns: { tournament_id: 'integer', player: 'text' },
  },
  groups: {
    name: 'record.tournament_group',
    key: ['tournament_id', 'name'],
    columns: { tournament_id: 'integer', name: 'text', position: 'integer' },
  },
  participants: {
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
  },
  lists: {
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
  },
  stages: {
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
  },
  members: {
    name: 'record.stage_member',
    key: ['tournament_id', 'stage', 'participant'],
    columns: { tournament_id: 'integer', stage: 'text', participant: 'text', seed: 'integer' },
  },
  byes: {
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
  },
  adjustments: {
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
  },
  battles: battle,
  matches: {
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
  },
} satisfies Record<string, Table>;

export type TournamentPart = keyof typeof tournamentTables;
export const tournamentParts = Object.keys(tournamentTables) as TournamentPart[];
