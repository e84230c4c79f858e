// Describes each table that an import writes, in one place. A description states the type of each column in
// PostgreSQL, its member in the feed, and its default. Everything else follows from it: the rows that are
// written (write/rows.ts), what is read back (facts/read-table.ts), the types of the facts, the records of an
// export, and what a comparison compares. COPY and JSON carry the cells in the order of the columns here.
import {
  as,
  boolean,
  camel,
  date,
  integer,
  type MembersOf,
  numeric,
  of,
  or,
  type RowOf,
  table,
  text,
} from './columns.ts';
import {
  defaultTieBreaks,
  groupStage,
  type MetricEntry,
  type RoundEntry,
} from './feed/tournament-records.ts';

export const club = table({
  name: 'record.club',
  key: ['slug'],
  columns: {
    slug: text,
    name: text,
    description: or(text, ''),
    city: or(text, null),
    country: or(text, null),
    website: or(text, null),
    members: or(integer, 0),
  },
});

export const player = table({
  name: 'record.player',
  key: ['id'],
  columns: { id: text, erased: or(boolean, false), name: or(text, null) },
});

export const battlePack = table({
  name: 'record.battle_pack',
  key: ['name'],
  columns: {
    name: text,
    objectives: or(boolean, false),
    battle_tactics: or(boolean, false),
    grand_strategies: or(boolean, false),
  },
});

/**
 * write-tournaments.ts refuses a new tournament without name, status, size or `published`, whatever the
 * default.
 */
export const tournament = table({
  name: 'record.tournament',
  key: ['slug'],
  columns: {
    slug: text,
    published: or(boolean, false),
    name: or(text, ''),
    status: or(of<'planned' | 'ongoing' | 'finished'>('record.status'), 'planned'),
    start_date: or(date, null),
    end_date: or(date, null),
    description: or(text, ''),
    city: or(text, null),
    country: or(text, null),
    battle_size: or(integer, 0),
    /** The name of the pack. */
    battle_pack: or(text, null),
    /** The slug of the club. */
    organizer: or(text, null),
    /** The tie-breaks without the lot, which is always last. */
    tie_breaks: or(of<string[]>('text[]'), [...defaultTieBreaks]),
    metrics: or(of<MetricEntry[]>('jsonb'), []),
    standings_label: or(text, 'Final Standings'),
    placements_recorded: or(boolean, true),
  },
});

const points = {
  battle_points: or(numeric, 0),
  victory_points: or(numeric, 0),
  victory_points_diff: or(numeric, 0),
};

export const listColumns = {
  sub_faction: text,
  points: or(integer, null),
  battle_tactic_cards: or(of<string[]>('text[]'), null),
  text: or(text, null),
};

/** An army list. Its faction is stored beside it. Only the sub-faction is left of an erased list. */
export type WholeList = {
  [Member in keyof MembersOf<typeof listColumns>]: NonNullable<MembersOf<typeof listColumns>[Member]>;
};
export type StoredList = WholeList | Pick<WholeList, 'subFaction'>;

/** A round as a tuple, because member names would take up two thirds of the largest table. */
export type RoundCells = [
  round: number,
  victoryPoints: number,
  objectivePoints: number,
  objectives: string[],
  battleTactic: string,
  battleTacticScored: boolean,
  priority: boolean,
  metrics?: NonNullable<RoundEntry['metrics']>,
];

export const battleSideColumns = {
  participant: or(text, null),
  player: or(text, null),
  name: or(text, null),
  club: or(text, null),
  faction: or(text, null),
  sub_faction: or(text, null),
  battle_points: or(numeric, null),
  victory_points: or(numeric, null),
  objective_points: or(numeric, null),
  battle_tactics_scored: or(integer, null),
  grand_strategy: or(text, null),
  grand_strategy_scored: or(boolean, null),
  drops: or(integer, null),
  role: or(of<'attacker' | 'defender'>('record.role'), null),
  metrics: or(of<Record<string, number>>('jsonb'), null),
  list: or(of<StoredList>('jsonb'), null),
  rounds: or(of<RoundCells[]>('jsonb'), null),
};
export type SideColumn = keyof typeof battleSideColumns;

type Side<Which extends string> = {
  [Name in SideColumn as `${Which}_${Name}`]: (typeof battleSideColumns)[Name];
};
const side = <Which extends string>(which: Which, at: 0 | 1): Side<Which> => {
  const named = Object.entries(battleSideColumns).map(([column, each]) => [
    `${which}_${column}`,
    as(`sides[${at}].${camel(column)}`, each),
  ]);
  return Object.fromEntries(named) as Side<Which>;
};

/** The columns of a battle besides those of its sides. */
export const battleColumns = {
  tournament_id: or(integer, null),
  id: text,
  stage: or(text, null),
  round: or(integer, null),
  table_number: as('table', or(integer, null)),
  date: or(date, null),
  scenario: or(text, null),
  battle_pack: or(text, null),
  battle_size: or(integer, null),
  club: or(text, null),
  finished: or(boolean, false),
  winner: or(of<1 | 2>('smallint'), null),
  victory_size: or(of<'major' | 'minor'>('record.victory_size'), null),
  archived: or(boolean, false),
};

const battle = table({
  name: 'record.battle',
  key: ['tournament_id', 'id'],
  columns: { ...battleColumns, ...side('first', 0), ...side('second', 1) },
});

export const casualBattle: typeof battle = { ...battle, key: ['id'], only: 'tournament_id is null' };

/**
 * The parts of a tournament. Each refers only to parts before it, so they are written in this order and
 * deleted in reverse order.
 */
export const tournamentTables = {
  organizers: table({
    name: 'record.tournament_organizer',
    key: ['tournament_id', 'player'],
    columns: { tournament_id: integer, player: text },
  }),
  groups: table({
    name: 'record.tournament_group',
    key: ['tournament_id', 'name'],
    columns: { tournament_id: integer, name: text, position: integer },
  }),
  participants: table({
    name: 'record.participant',
    key: ['tournament_id', 'id'],
    columns: {
      tournament_id: integer,
      id: text,
      player: or(text, null),
      name: or(text, null),
      club: or(text, null),
      group_name: as('group', or(text, null)),
      dropped: or(boolean, false),
      no_show: or(boolean, false),
      faction: or(text, null),
      final_placement: or(integer, null),
      lot: integer,
    },
  }),
  lists: table({
    name: 'record.participant_list',
    key: ['tournament_id', 'participant'],
    columns: { tournament_id: integer, participant: text, ...listColumns },
  }),
  stages: table({
    name: 'record.stage',
    key: ['tournament_id', 'id'],
    columns: {
      tournament_id: integer,
      id: text,
      position: integer,
      label: or(text, groupStage),
      type: of<'board' | 'bracket'>('text'),
      phase: integer,
      rounds: integer,
      grouped: or(boolean, false),
      /** True if the feed lists no members, so that all participants belong to the stage. */
      everybody: boolean,
      carries_over: or(text, null),
    },
  }),
  members: table({
    name: 'record.stage_member',
    key: ['tournament_id', 'stage', 'participant'],
    columns: { tournament_id: integer, stage: text, participant: text, seed: or(integer, null) },
  }),
  rankings: table({
    name: 'record.ranking',
    key: ['tournament_id', 'stage', 'after_round'],
    columns: {
      tournament_id: integer,
      stage: text,
      after_round: integer,
      /** The ranks by participant. */
      ranks: of<Record<string, number>>('jsonb'),
    },
  }),
  byes: table({
    name: 'record.bye',
    key: ['tournament_id', 'stage', 'round', 'participant'],
    columns: {
      tournament_id: integer,
      stage: text,
      round: integer,
      participant: text,
      win: boolean,
      ...points,
    },
  }),
  adjustments: table({
    name: 'record.adjustment',
    key: ['tournament_id', 'position'],
    columns: {
      tournament_id: integer,
      position: integer,
      stage: text,
      participant: text,
      ...points,
      reason: or(text, null),
    },
  }),
  battles: battle,
  matches: table({
    name: 'record.match',
    key: ['tournament_id', 'stage', 'round', 'position'],
    columns: {
      tournament_id: integer,
      stage: text,
      round: integer,
      position: integer,
      name: or(text, null),
      table_number: as('table', integer),
      first_participant: or(text, null),
      second_participant: or(text, null),
      winner: or(text, null),
      battle: or(text, null),
    },
  }),
};

export type TournamentPart = keyof typeof tournamentTables;
export type TournamentRow<Part extends TournamentPart> = RowOf<(typeof tournamentTables)[Part]>;
export const tournamentParts = Object.keys(tournamentTables) as TournamentPart[];

export const emptyParts = (): Record<TournamentPart, never[]> =>
  Object.fromEntries(tournamentParts.map((part) => [part, []])) as Record<TournamentPart, never[]>;
