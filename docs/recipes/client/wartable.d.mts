// Made from src/contract by `npm run generate`.

/** A thing whose name was found. */
export interface FoundThing {
  /** What it is. */
  kind: 'tournament' | 'club' | 'player';
  /** Its slug, or the public id of a player: what the paths of `/api/v1` take. */
  key: string;
  /** Its name. */
  name: string;
  /** What tells things of one name apart: the first day and the place, or the club and the newest event of a player. */
  detail: string | null;
  /** Its page on the website. Null for a player when the website has no pages. */
  url: string | null;
}

/** A thing to fetch again. */
export interface Change {
  /** What it is. A tournament also stands for its standings and participants. */
  kind: 'tournament' | 'club' | 'battle';
  /** Its slug, or the id of a battle. */
  key: string;
  /** `changed`: it came or changed. `gone`: it is no longer published. */
  change: 'changed' | 'gone';
  /** The `ETag` of an answer begins with its revision. An answer with a lower one is older than this change. */
  revision: number;
  /** The tournament of a battle. Null for a casual battle and for other things. */
  tournament: string | null;
  /** When the change was listed, in UTC. A clock can step back, so order changes as they are listed, not by time. */
  at: string;
}

/** A tournament that a player played. */
export interface PlayerTournament {
  /** Short name of the tournament, as in its address: the `{slug}` in the paths. */
  slug: string;
  /** Name of the tournament. */
  name: string;
  /** Day it begins, by the calendar of the venue. Null when no day is fixed. */
  startDate: string | null;
  /** Day it ends, by the calendar of the venue. Null when no day is fixed. */
  endDate: string | null;
  /** `planned` (not begun yet), `ongoing` (being played) or `finished` (over). */
  status: 'planned' | 'ongoing' | 'finished';
  /** Number of sign-ups, including players who dropped later. */
  players: number;
  /** Final place. Null until the tournament is over, and for old tournaments whose places were not noted. */
  finalPlacement: number | null;
  /** Club the player plays for, by slug. */
  club: string | null;
  /** Faction the player brought. */
  faction: string | null;
  /** Battles won, archived ones too. A bye is no battle. */
  won: number;
  /** Battles drawn, likewise. */
  drawn: number;
  /** Battles lost, likewise. */
  lost: number;
}

/** The record of a player against each opponent. */
export interface OpponentRecords {
  /** The opponent with the most battles first. */
  data: Opponent[];
  /** There is only one page. */
  next: null;
  /** False when the player has more battles than count here: the 1,000 newest. */
  isComplete: boolean;
}

/** The record of a player against one opponent. */
export interface Opponent {
  /** Public id of the opponent. */
  playerId: string;
  /** Name of the opponent in their last battle. */
  player: string;
  /** Battles with a result between the two. */
  battles: number;
  /** Battles that the player won. */
  won: number;
  /** Battles that ended in a draw. */
  drawn: number;
  /** Battles that the player lost. */
  lost: number;
  /** Id of their last battle. */
  lastBattle: string;
  /** Day of their last battle. Null when it is not known. */
  lastDate: string | null;
}

/** The records of all factions in a window of time. */
export interface FactionRates {
  /** The highest win rate first. Factions with fewer than 30 battles come last, because their rates say little. */
  data: FactionRate[];
  /** There is only one page. */
  next: null;
  /** First month in which a tournament counts, such as `2026-03`. Null when none does. */
  from: string | null;
  /** Last month in which a tournament counts. Null when none does. */
  to: string | null;
  /** Tournaments that count. */
  tournaments: number;
}

/** The record of a faction against all other factions. */
export interface FactionRate {
  /** Name of the faction. */
  faction: string;
  /** Battles with a result against other factions. */
  battles: number;
  /** Battles that the faction won. */
  won: number;
  /** Battles that ended in a draw. */
  drawn: number;
  /** Battles that the faction lost. */
  lost: number;
  /** Battles won, with a draw as half a win, as a share of all. Null without battles. */
  winRate: number | null;
  /** Lower end of the 95 % Wilson interval of the win rate. Null without battles. */
  low: number | null;
  /** Upper end of the interval. Null without battles. */
  high: number | null;
  /** Participants who brought the faction, without no-shows. */
  entries: number;
  /** Entries that won all their battles, at least three. */
  unbeaten: number;
  /** Tournaments won with the faction. */
  tournamentsWon: number;
}

/** The round that a stage, or a group of it, is in. */
export interface CurrentRound {
  /** Id of the stage. */
  stage: string;
  /** Label of the stage. */
  name: string;
  /** Group of the stage. Null when the stage has no groups. */
  group: string | null;
  /** Number of the round within the stage. */
  round: number;
  /** Name of the round: `Round 2`, or what the matches of a bracket are called. */
  roundName: string;
  /** How many results of this round are in. */
  results: number;
  /** How many results this round will have. Null while more games may come than are known. */
  expected: number | null;
  /** What has no result yet, then what has one: of a board by table, of a bracket in the order of its standings. Only pairings whose players are both known. */
  pairings: Pairing[];
}

/** Two players who meet, or have met, in the round that is played. */
export interface Pairing {
  /** Round within the stage. A game of an earlier round is here while its result can still come. */
  round: number;
  /** Number of the table. Null when it is not known. */
  table: number | null;
  /** Id of the battle, for the battle endpoint. Null when none is on record. */
  battle: string | null;
  /** Whether the result is in. */
  finished: boolean;
  /** Both sides. */
  players: [PairedPlayer, PairedPlayer];
}

/** One side of a pairing. */
export interface PairedPlayer {
  /** Name as shown to people. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. */
  faction: string | null;
  /** How it ended for this player. In a bracket, who goes on has won, even after a draw. Null until the result is in. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Victory points of all rounds together. */
  points: number | null;
}

/** A published tournament. */
export interface Tournament {
  /** Short name of the tournament, as in its address: the `{slug}` in the paths. */
  slug: string;
  /** Name of the tournament. */
  name: string;
  /** `planned` (not begun yet), `ongoing` (being played) or `finished` (over). */
  status: 'planned' | 'ongoing' | 'finished';
  /** Day it begins, by the calendar of the venue. Null when no day is fixed. */
  startDate: string | null;
  /** Day it ends, by the calendar of the venue. Null when no day is fixed. */
  endDate: string | null;
  /** Text of the organiser about the tournament, without markup. May be empty. */
  description: string;
  /** Town of the venue. */
  city: string | null;
  /** Country of the venue, by name. */
  country: string | null;
  /** Number of sign-ups, including players who dropped later. */
  players: number;
  /** Rounds of all stages added together. */
  rounds: number;
  /** How many points an army may have at most. */
  battleSize: number;
  /** Battle pack the battles are played with. */
  battlePack: string | null;
  /** Club that runs the tournament, by slug. Null when no club runs it. */
  organizer: string | null;
  /** The persons in charge, by name in alphabetical order. Empty when none are named. */
  tournamentOrganizers: TournamentOrganizer[];
  /** The stages of the tournament, in playing order. */
  stages: Stage[];
  /** Page of the tournament on the website. */
  url: string;
}

/** A person who runs a tournament. */
export interface TournamentOrganizer {
  /** Name as shown to people. */
  name: string;
  /** Public player id of this person. */
  playerId: string;
}

/** One part of a tournament, with its own standings. */
export interface Stage {
  /** Fixed name of the stage, and the value for the `stage` parameter of the standings. One of `standings` (the merged final table, once the tournament is over), `swiss`, `knockout`, `placement-swiss` (Swiss rounds of players who missed the knockout), or a small bracket for certain places, such as `placement-3` or `placement-5-8`. */
  id: string;
  /** Label the organiser gave the stage. Show this to people. It does not depend on the id: the same id may have another label in another tournament. */
  name: string;
  /** Whether its standings are a ranked table (`board`) or matches (`bracket`). */
  type: 'board' | 'bracket';
  /** How many rounds the stage has. The merged final standings have none. */
  rounds?: number;
  /** How many players entered the stage. Given for the knockout. */
  players?: number;
}

/** A whole board. */
export interface BoardStandings {
  stage: BoardStage;
  /** Best first. On a board with groups, group after group. */
  data: BoardRow[];
}

/** The board that is shown. */
export interface BoardStage {
  /** Id of the stage. */
  id: string;
  /** Label of the stage. */
  name: string;
  /** Says that the rows are those of a board. */
  type: 'board';
}

/** One line of a ranked table. */
export interface BoardRow {
  /** Place on this board, or in the group on a board with groups. Null before the first result, and for no-shows. */
  rank: number | null;
  /** Group of the player. Only boards of a group stage have it. */
  group?: string;
  /** Name as shown to people. Null when the player asked to be erased. */
  player: string | null;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. */
  faction: string | null;
  /** Battle points so far, by the scoring of this tournament. */
  battlePoints: number;
  /** Battles won. */
  wins: number;
  /** Battles drawn. */
  draws: number;
  /** Battles lost. */
  losses: number;
  /** Victory points of all battles added up. */
  victoryPoints: number;
  /** Own victory points minus those of the opponents. May be negative. */
  victoryPointsDiff: number;
}

/** A whole bracket. */
export interface BracketStandings {
  stage: BracketStage;
  /** First round first. */
  data: BracketMatch[];
}

/** The bracket that is shown. */
export interface BracketStage {
  /** Id of the stage. */
  id: string;
  /** Label of the stage. */
  name: string;
  /** Says that the rows are matches of a bracket. */
  type: 'bracket';
}

/** One pairing of a bracket. */
export interface BracketMatch {
  /** Name of this round of the bracket, for example `Semi-final`. */
  round: string;
  /** Table of the match. */
  table: number;
  /** Names of both players. Empty until earlier matches have decided who they are. */
  players: string[];
  /** Name of the player who advanced. Null before the match is decided. */
  winner: string | null;
  /** Id of the battle, for the battle endpoint. Null when none is on record. */
  battle: string | null;
}

/** A player who signed up for a tournament. */
export interface Participant {
  /** Name as shown to people. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Club the player plays for, by slug. */
  club: string | null;
  /** Group of the player, as on the board. Null without a group stage. */
  group: string | null;
  /** Whether the player left early or did not come at all. */
  dropped: boolean;
  /** Final place. Null until the tournament is over, and for old tournaments whose places were not noted. */
  finalPlacement: number | null;
  /** Army handed in for this tournament. Null when there was none. */
  list: ArmyList | null;
}

/** An army as it was handed in. */
export interface ArmyList {
  /** Faction of the army. */
  faction: string;
  /** Battle formation within the faction. Empty when it has none. */
  subFaction: string;
  /** Points of the army. */
  points: number;
  /** Battle tactic cards chosen, by name. */
  battleTacticCards: string[];
  /** The complete list as written, line breaks included. */
  text: string;
}

/** A battle between two players, as lists show it. */
export interface Battle {
  /** Id of the battle: the `{id}` in the battle path. */
  id: string;
  /** Day of the battle, by the calendar of the place. Null when unknown. */
  date: string | null;
  /** Tournament of the battle, by slug. Null for a casual battle. */
  tournament: string | null;
  /** Stage of that tournament, by id. Null for a casual battle. */
  stage: string | null;
  /** Round within the stage. Null for a casual battle. */
  round: number | null;
  /** Scenario on the table. */
  scenario: string | null;
  /** Battle pack the battle was played with. */
  battlePack: string | null;
  /** How many points an army may have at most. */
  battleSize: number;
  /** Name of the player who won. Null after a draw, and until there is a result. */
  winner: string | null;
  /** How clear the win was. Null when there is no winner, or when the size was not noted. */
  victorySize: 'major' | 'minor' | null;
  /** Both sides. */
  players: [BattlePlayer, BattlePlayer];
  /** Page of the battle on the website. */
  url: string;
}

/** One side of a battle, as lists of battles show it. */
export interface BattlePlayer {
  /** Name as shown to people. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. */
  faction: string | null;
  /** Battle formation within the faction. */
  subFaction: string | null;
  /** How the battle ended for this player. Null until it is over. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Battle points the player got for this battle. */
  battlePoints: number | null;
  /** Victory points of all rounds together. */
  victoryPoints: number | null;
  /** Points from objectives. Absent when the battle pack does not score them. */
  objectivePoints?: number;
  /** How many battle tactics worked. Absent when the battle pack has none. */
  battleTacticsScored?: number;
  /** Grand strategy chosen. Absent when the battle pack has none; null when none is on record. */
  grandStrategy?: string | null;
  /** Whether the grand strategy worked. Absent when the battle pack has none. */
  grandStrategyScored?: boolean;
  /** Number of drops the army was deployed in. Null when it was not noted. */
  drops: number | null;
  /** Side of the scenario the player took. Null when sides were not noted. */
  role: 'attacker' | 'defender' | null;
  /** Further values that the organiser counts, under the names the organiser gave them. A number is summed, a yes is counted. Empty when the organiser counts nothing else. */
  metrics: Record<string, number>;
}

/** A club of players that runs tournaments. */
export interface Club {
  /** Short name of the club, as in its address: the `{slug}` in the club paths. */
  slug: string;
  /** Name of the club. */
  name: string;
  /** What the club says about itself, without markup. May be empty. */
  description: string;
  /** Home of the club: the town. */
  city: string | null;
  /** Home of the club: the country, by name. */
  country: string | null;
  /** How many members the club has. */
  members: number;
  /** Own site of the club. Null when it has none. */
  website: string | null;
  /** Page of the club on the website. */
  url: string;
}

/** A battle between two players, in full. */
export interface BattleDetail {
  /** Id of the battle: the `{id}` in the battle path. */
  id: string;
  /** Day of the battle, by the calendar of the place. Null when unknown. */
  date: string | null;
  /** Tournament of the battle, by slug. Null for a casual battle. */
  tournament: string | null;
  /** Stage of that tournament, by id. Null for a casual battle. */
  stage: string | null;
  /** Round within the stage. Null for a casual battle. */
  round: number | null;
  /** Scenario on the table. */
  scenario: string | null;
  /** Battle pack the battle was played with. */
  battlePack: string | null;
  /** How many points an army may have at most. */
  battleSize: number;
  /** Name of the player who won. Null after a draw, and until there is a result. */
  winner: string | null;
  /** How clear the win was. Null when there is no winner, or when the size was not noted. */
  victorySize: 'major' | 'minor' | null;
  /** Both sides. */
  players: [BattlePlayerDetail, BattlePlayerDetail];
  /** Page of the battle on the website. */
  url: string;
}

/** One side of a battle, with army and rounds. */
export interface BattlePlayerDetail {
  /** Name as shown to people. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. */
  faction: string | null;
  /** Battle formation within the faction. */
  subFaction: string | null;
  /** How the battle ended for this player. Null until it is over. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Battle points the player got for this battle. */
  battlePoints: number | null;
  /** Victory points of all rounds together. */
  victoryPoints: number | null;
  /** Points from objectives. Absent when the battle pack does not score them. */
  objectivePoints?: number;
  /** How many battle tactics worked. Absent when the battle pack has none. */
  battleTacticsScored?: number;
  /** Grand strategy chosen. Absent when the battle pack has none; null when none is on record. */
  grandStrategy?: string | null;
  /** Whether the grand strategy worked. Absent when the battle pack has none. */
  grandStrategyScored?: boolean;
  /** Number of drops the army was deployed in. Null when it was not noted. */
  drops: number | null;
  /** Side of the scenario the player took. Null when sides were not noted. */
  role: 'attacker' | 'defender' | null;
  /** Further values that the organiser counts, under the names the organiser gave them. A number is summed, a yes is counted. Empty when the organiser counts nothing else. */
  metrics: Record<string, number>;
  /** Army the player used. Null when it is not on record. */
  list: ArmyList | null;
  /** The battle round by round. Empty when rounds were not noted. */
  rounds: PlayerRound[];
}

/** One player in one round of a battle. */
export interface PlayerRound {
  /** Which round of the battle. */
  round: number;
  /** Victory points of this round. */
  victoryPoints: number;
  /** The part of the victory points that came from objectives. */
  objectivePoints: number;
  /** Objectives scored, by name. */
  objectives: string[];
  /** Battle tactic attempted. Empty when there was none. */
  battleTactic: string;
  /** Whether that battle tactic worked. */
  battleTacticScored: boolean;
  /** Whether the player had priority in this round. */
  priority: boolean;
}

/** `kind` tells what `data` holds. */
export type Standings = (BoardStandings & { kind: 'board' }) | (BracketStandings & { kind: 'bracket' });

/** A change with the document that shows it: null when the thing is no longer published. */
export type ChangedThing = Change &
  (
    | { kind: 'tournament'; document: Tournament | null }
    | { kind: 'club'; document: Club | null }
    | { kind: 'battle'; document: BattleDetail | null }
  );

export interface Changes {
  /** Entries whose documents have at least their revisions. */
  data: ChangedThing[];
  /** Entries that the server does not know of yet. Give them to the next call. */
  pending: Change[];
  /** Where the next call goes on. */
  after: string;
  /** True if there is another page already. */
  more: boolean;
}

/** Everything that can go wrong. */
export class WartableError extends Error {
  /** The status of the answer, or 0 if there was none. */
  status: number;
  /** A code of the API, or `NO_ANSWER`, `NOT_THE_API`, `REDIRECT` or `FOREIGN_NEXT`. */
  code: string;
  /** Quote it when you report a problem. */
  requestId: string | null;
  /** How many seconds to wait at least. */
  retryAfter: number | null;
}

export class Wartable {
  constructor(options: {
    /** The address before `/api/`. */
    baseUrl: string;
    key: string;
    /** The time for one request with its body. The default is 20. */
    timeoutSeconds?: number | undefined;
    /** Rows of one request. The default is 100, the most. */
    pageSize?: number | undefined;
  });
  readonly tournaments: {
    /** Published tournaments, the latest start first. Tournaments without a date come last. */
    list(options?: { from?: string | undefined; to?: string | undefined; status?: 'planned' | 'ongoing' | 'finished' | undefined }): AsyncGenerator<Tournament, void, undefined>;
    /** A single tournament, in the same shape as in the list. */
    get(slug: string): Promise<Tournament>;
    /** All rows of one stage at once, without pages. A board with groups lists group after group, and the ranks begin at 1 in each group. */
    standings(slug: string, options?: { stage?: string | undefined }): Promise<Standings>;
    /** All players who signed up, from A to Z, with the armies they handed in. */
    participants(slug: string): AsyncGenerator<Participant, void, undefined>;
    /** All battles of the tournament, the latest first, without armies and rounds. */
    battles(slug: string): AsyncGenerator<Battle, void, undefined>;
    /** The round of each stage in play, with every pairing: what the page of a running tournament shows, for overlays and screens. Empty before the first pairing, after the end, and once the day after its last day is over. */
    now(slug: string): Promise<CurrentRound[]>;
  };
  readonly clubs: {
    /** A single club. */
    get(slug: string): Promise<Club>;
    /** Published tournaments that the club runs, the latest start first. */
    tournaments(slug: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Tournament, void, undefined>;
    /** Battles of the tournaments the club runs, battles of players who played for the club, and casual battles logged under the club. The latest come first, and each battle is listed once. */
    battles(slug: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Battle, void, undefined>;
  };
  readonly players: {
    /** All battles of the player, casual ones too, the latest first. Archived battles do not appear. */
    battles(id: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Battle, void, undefined>;
    /** Published tournaments that the player plays or played, the latest start first, with place and record. Tournaments without a date come last. */
    tournaments(id: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<PlayerTournament, void, undefined>;
    /** Counts the battles with a result among the 1,000 newest that `/api/v1/users/{publicId}/battles` lists. Opponents without an account are left out, because a name alone does not say who it was. */
    opponents(id: string): Promise<OpponentRecords>;
  };
  readonly factions: {
    /** What the page of the factions shows. Finished, dated tournaments count, in the month of their start; casual battles, byes and battles between equal factions do not. The battles of one player are not independent of each other, so the real uncertainty is larger than the interval says. */
    list(options?: { window?: 'month' | 'quarter' | 'year' | 'all' | undefined; pack?: string | undefined; length?: 'long' | undefined }): Promise<FactionRates>;
  };
  readonly battles: {
    /** A single battle in full: the members that lists show, and the army and every round of both sides. */
    get(id: string): Promise<BattleDetail>;
  };
  /** Published tournaments, clubs and players whose names have these words: the search of the website. */
  search(q: string, options?: { kind?: 'tournament' | 'club' | 'player' | undefined }): Promise<FoundThing[]>;
  /** What to fetch again, for a bot or a copy. Begin without `after`, read what you need, then ask with the `after` of the last answer. Changes are kept for 90 days. */
  changes(
    after?: string | null,
    options?: {
      /** The value from the call before. */
      pending?: readonly Change[] | undefined;
      /** Which entries to fetch. The default is all. */
      wanted?: ((entry: Change) => boolean) | undefined;
    },
  ): Promise<Changes>;
  /** The standings at once, and whenever they change. Ends at the first look after `signal` is aborted. */
  watch(
    slug: string,
    options?: { stage?: string | undefined; everySeconds?: number | undefined; signal?: { readonly aborted: boolean } | undefined },
  ): AsyncGenerator<Standings, void, undefined>;
}
