// Made from src/contract by `npm run generate`.

/** A thing whose name was found. */
export interface FoundThing {
  /** The kind of thing. */
  kind: 'tournament' | 'club' | 'player';
  /** Its slug, or the public id of a player, for use in the paths of `/api/v1`. */
  key: string;
  /** Its name. */
  name: string;
  /** Tells things with the same name apart: the first day and the location, or the club and the latest tournament of a player. */
  detail: string | null;
  /** Its page on the website. Null for a player when the website has no pages. */
  url: string | null;
}

/** A thing to fetch again. */
export interface Change {
  /** The kind of thing. A tournament also stands for its standings and participants. */
  kind: 'tournament' | 'club' | 'battle';
  /** Its slug, or the id of a battle. */
  key: string;
  /** `changed`: it is new or has changed. `gone`: it is no longer published. */
  change: 'changed' | 'gone';
  /** The `ETag` of an answer begins with its revision. An answer with a lower one is older than this change. */
  revision: number;
  /** The tournament of a battle. Null for a casual battle and for other things. */
  tournament: string | null;
  /** When the change was listed, in UTC. A clock can be set back, so rely on the order of the list, not on the times. */
  at: string;
}

/** A tournament that a player played. */
export interface PlayerTournament {
  /** Short name of the tournament, used as `{slug}` in the paths of a tournament. */
  slug: string;
  /** Name of the tournament. */
  name: string;
  /** First day, as a local date at the venue. Null when no date is set. */
  startDate: string | null;
  /** Last day, as a local date at the venue. Null when no date is set. */
  endDate: string | null;
  /** `planned` (not begun yet), `ongoing` (being played) or `finished` (over). */
  status: 'planned' | 'ongoing' | 'finished';
  /** Number of sign-ups, including players who dropped out later. */
  players: number;
  /** Final placement. Null until the tournament is over, for a no-show, and when placements were not recorded. */
  finalPlacement: number | null;
  /** Slug of the club that the player represents. Null when there is none. */
  club: string | null;
  /** Faction the player brought. Null when it is not known. */
  faction: string | null;
  /** Battles won, including archived ones. A bye is not a battle. */
  won: number;
  /** Battles drawn, counted in the same way. */
  drawn: number;
  /** Battles lost, counted in the same way. */
  lost: number;
}

/** The record of a player against each opponent. */
export interface OpponentRecords {
  /** The opponent with the most battles first. */
  data: Opponent[];
  /** There is only one page. */
  next: null;
  /** False when the player has more battles than the newest 1,000, which are all that count here. */
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
  /** Share of battles won, with a draw as half a win. Null without battles. */
  winRate: number | null;
  /** Lower end of the 95 % Wilson interval of the win rate. Null without battles. */
  low: number | null;
  /** Upper end of the interval. Null without battles. */
  high: number | null;
  /** Participants who brought the faction, not counting no-shows. */
  entries: number;
  /** Entries that played at least three battles and won them all. */
  unbeaten: number;
  /** Tournaments won with the faction. */
  tournamentsWon: number;
}

/** The current round of a stage, or of one of its groups. */
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
  /** How many results this round will have. Null while further pairings may still be added. */
  expected: number | null;
  /** Pairings without a result first, then those with one. They are ordered by table on a board, and as in the standings in a bracket. Only pairings whose players are both known are listed. */
  pairings: Pairing[];
}

/** Two players who meet, or have met, in the current round. */
export interface Pairing {
  /** Round within the stage. A pairing from an earlier round is listed while its result can still come in. */
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
  /** Display name. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. Null when it is not known. */
  faction: string | null;
  /** How the battle ended for this player. In a bracket, the player who advances has won, even after a draw. Null until the result is in. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Victory points from all rounds together. Null until they are recorded. */
  points: number | null;
}

/** A published tournament. */
export interface Tournament {
  /** Short name of the tournament, used as `{slug}` in the paths of a tournament. */
  slug: string;
  /** Name of the tournament. */
  name: string;
  /** `planned` (not begun yet), `ongoing` (being played) or `finished` (over). */
  status: 'planned' | 'ongoing' | 'finished';
  /** First day, as a local date at the venue. Null when no date is set. */
  startDate: string | null;
  /** Last day, as a local date at the venue. Null when no date is set. */
  endDate: string | null;
  /** The organiser's description of the tournament, without markup. May be empty. */
  description: string;
  /** Town or city of the venue. Null when it is not known. */
  city: string | null;
  /** Name of the country of the venue. Null when it is not known. */
  country: string | null;
  /** Number of sign-ups, including players who dropped out later. */
  players: number;
  /** Total number of rounds in all stages. */
  rounds: number;
  /** Maximum number of points per army. */
  battleSize: number;
  /** Battle pack that the battles are played with. Null when it is not known. */
  battlePack: string | null;
  /** Slug of the club that runs the tournament. Null when no club runs it. */
  organizer: string | null;
  /** The people in charge, in alphabetical order. Empty when none are named. */
  tournamentOrganizers: TournamentOrganizer[];
  /** The stages of the tournament, in playing order. */
  stages: Stage[];
  /** Page of the tournament on the website. */
  url: string;
}

/** A person who runs a tournament. */
export interface TournamentOrganizer {
  /** Display name. */
  name: string;
  /** Public player id of this person. */
  playerId: string;
}

/** One part of a tournament, with its own standings. */
export interface Stage {
  /** Fixed name of the stage, and the value for the `stage` parameter of the standings. One of `standings` (the merged final table, once the tournament is over), `swiss`, `knockout`, `placement-swiss` (Swiss rounds for players who missed the knockout), or a small bracket for certain placements, such as `placement-3` or `placement-5-8`. */
  id: string;
  /** Label that the organiser gave the stage. Show this to people. It does not depend on the id: the same id may have another label in another tournament. */
  name: string;
  /** Whether its standings are a ranked table (`board`) or matches (`bracket`). */
  type: 'board' | 'bracket';
  /** How many rounds the stage has. Absent on the merged final standings. */
  rounds?: number;
  /** How many players entered the stage. Absent unless the stage is a knockout, and until it is known who plays in it. */
  players?: number;
}

/** A whole board. */
export interface BoardStandings {
  stage: BoardStage;
  /** Best first. On a board with groups, one group after another. */
  data: BoardRow[];
}

/** The board that is shown. */
export interface BoardStage {
  /** Id of the stage. */
  id: string;
  /** Label of the stage. */
  name: string;
  /** Says that `data` contains the rows of a board. */
  type: 'board';
}

/** One row of a ranked table. */
export interface BoardRow {
  /** Rank on this board, or within the group on a board with groups. Null before a result counts, for a no-show, and when the ranking of the organiser leaves the player out. */
  rank: number | null;
  /** Group of the player. Absent on boards without groups. */
  group?: string;
  /** Display name. Null when the player has been erased. */
  player: string | null;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. Null when it is not known. */
  faction: string | null;
  /** Battle points so far, according to the tournament's scoring. */
  battlePoints: number;
  /** Battles won. */
  wins: number;
  /** Battles drawn. */
  draws: number;
  /** Battles lost. */
  losses: number;
  /** Victory points from all battles added up. */
  victoryPoints: number;
  /** The player's victory points minus those of the opponents. May be negative. */
  victoryPointsDiff: number;
}

/** A whole bracket. */
export interface BracketStandings {
  stage: BracketStage;
  /** Earliest round first. */
  data: BracketMatch[];
}

/** The bracket that is shown. */
export interface BracketStage {
  /** Id of the stage. */
  id: string;
  /** Label of the stage. */
  name: string;
  /** Says that `data` contains the matches of a bracket. */
  type: 'bracket';
}

/** One pairing of a bracket. */
export interface BracketMatch {
  /** Name of this round of the bracket, for example `Semi-final`. */
  round: string;
  /** Number of the table. */
  table: number;
  /** Names of both players. Empty until earlier matches have decided who they are. */
  players: string[];
  /** Name of the player who advanced. Null before the match is decided. */
  winner: string | null;
  /** Id of the battle, for the battle endpoint. Null for a walkover, and until the battle is recorded. */
  battle: string | null;
}

/** A player who signed up for a tournament. */
export interface Participant {
  /** Display name. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Slug of the club that the player represents. Null when there is none. */
  club: string | null;
  /** Group of the player, as on the board. Null without a group stage. */
  group: string | null;
  /** Whether the player dropped out or never turned up. */
  dropped: boolean;
  /** Final placement. Null until the tournament is over, for a no-show, and when placements were not recorded. */
  finalPlacement: number | null;
  /** Army list submitted for this tournament. Null when none was submitted, or when it was erased. */
  list: ArmyList | null;
}

/** An army list as it was submitted. */
export interface ArmyList {
  /** Faction of the army. */
  faction: string;
  /** Battle formation within the faction. Empty when the army has none. */
  subFaction: string;
  /** Total points of the army. */
  points: number;
  /** Battle tactic cards chosen, by name. */
  battleTacticCards: string[];
  /** The complete list as written, line breaks included. */
  text: string;
}

/** A battle between two players, as lists show it. */
export interface Battle {
  /** Id of the battle, used as `{id}` in the path of a battle. */
  id: string;
  /** Day of the battle, as a local date. Null when it is not known. */
  date: string | null;
  /** Slug of the tournament. Null for a casual battle. */
  tournament: string | null;
  /** Id of the stage of that tournament. Null for a casual battle. */
  stage: string | null;
  /** Round within the stage. Null for a casual battle. */
  round: number | null;
  /** Scenario that was played. Null when there is none, or when it is not known. */
  scenario: string | null;
  /** Battle pack the battle was played with. Null when there is none, or when it is not known. */
  battlePack: string | null;
  /** Maximum number of points per army. */
  battleSize: number;
  /** Name of the player who won. Null after a draw, and until there is a result. */
  winner: string | null;
  /** How clear the win was. Null when there is no winner, or when the size was not recorded. */
  victorySize: 'major' | 'minor' | null;
  /** Both sides. */
  players: [BattlePlayer, BattlePlayer];
  /** Page of the battle on the website. */
  url: string;
}

/** One side of a battle, as lists of battles show it. */
export interface BattlePlayer {
  /** Display name. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. Null when it is not known. */
  faction: string | null;
  /** Battle formation within the faction. Null when there is no list and none was sent. Empty when the list names none. */
  subFaction: string | null;
  /** How the battle ended for this player. Null until it is over. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Battle points that the player earned in this battle. Null until they are recorded. */
  battlePoints: number | null;
  /** Victory points from all rounds together. Null until they are recorded. */
  victoryPoints: number | null;
  /** Points from objectives. Absent when the battle pack does not score them. */
  objectivePoints?: number;
  /** How many battle tactics worked. Absent when the battle pack does not score them. */
  battleTacticsScored?: number;
  /** Grand strategy chosen. Absent when the battle pack does not score them. Null when none is recorded. */
  grandStrategy?: string | null;
  /** Whether the grand strategy worked. Absent when the battle pack does not score them. */
  grandStrategyScored?: boolean;
  /** Number of drops in which the army was deployed. Null when it was not recorded. */
  drops: number | null;
  /** Side that the player took in the scenario. Null when it was not recorded. */
  role: 'attacker' | 'defender' | null;
  /** Further values that the organiser tracks, under the organiser's names for them. Numbers are added up, and yes answers are counted. Empty when the organiser tracks nothing else. */
  metrics: Record<string, number>;
}

/** A club of players that runs tournaments. */
export interface Club {
  /** Short name of the club, used as `{slug}` in the paths of a club. */
  slug: string;
  /** Name of the club. */
  name: string;
  /** What the club says about itself, without markup. May be empty. */
  description: string;
  /** Town or city of the club. Null when it is not known. */
  city: string | null;
  /** Name of the country of the club. Null when it is not known. */
  country: string | null;
  /** How many members the club has. */
  members: number;
  /** The club's own website. Null when it has none. */
  website: string | null;
  /** Page of the club on the website. */
  url: string;
}

/** A battle between two players, in full. */
export interface BattleDetail {
  /** Id of the battle, used as `{id}` in the path of a battle. */
  id: string;
  /** Day of the battle, as a local date. Null when it is not known. */
  date: string | null;
  /** Slug of the tournament. Null for a casual battle. */
  tournament: string | null;
  /** Id of the stage of that tournament. Null for a casual battle. */
  stage: string | null;
  /** Round within the stage. Null for a casual battle. */
  round: number | null;
  /** Scenario that was played. Null when there is none, or when it is not known. */
  scenario: string | null;
  /** Battle pack the battle was played with. Null when there is none, or when it is not known. */
  battlePack: string | null;
  /** Maximum number of points per army. */
  battleSize: number;
  /** Name of the player who won. Null after a draw, and until there is a result. */
  winner: string | null;
  /** How clear the win was. Null when there is no winner, or when the size was not recorded. */
  victorySize: 'major' | 'minor' | null;
  /** Both sides. */
  players: [BattlePlayerDetail, BattlePlayerDetail];
  /** Page of the battle on the website. */
  url: string;
}

/** One side of a battle, with the army list and the rounds. */
export interface BattlePlayerDetail {
  /** Display name. */
  player: string;
  /** Public player id. Null for guests and erased players. */
  playerId: string | null;
  /** Faction the player brought. Null when it is not known. */
  faction: string | null;
  /** Battle formation within the faction. Null when there is no list and none was sent. Empty when the list names none. */
  subFaction: string | null;
  /** How the battle ended for this player. Null until it is over. */
  outcome: 'win' | 'loss' | 'draw' | null;
  /** Battle points that the player earned in this battle. Null until they are recorded. */
  battlePoints: number | null;
  /** Victory points from all rounds together. Null until they are recorded. */
  victoryPoints: number | null;
  /** Points from objectives. Absent when the battle pack does not score them. */
  objectivePoints?: number;
  /** How many battle tactics worked. Absent when the battle pack does not score them. */
  battleTacticsScored?: number;
  /** Grand strategy chosen. Absent when the battle pack does not score them. Null when none is recorded. */
  grandStrategy?: string | null;
  /** Whether the grand strategy worked. Absent when the battle pack does not score them. */
  grandStrategyScored?: boolean;
  /** Number of drops in which the army was deployed. Null when it was not recorded. */
  drops: number | null;
  /** Side that the player took in the scenario. Null when it was not recorded. */
  role: 'attacker' | 'defender' | null;
  /** Further values that the organiser tracks, under the organiser's names for them. Numbers are added up, and yes answers are counted. Empty when the organiser tracks nothing else. */
  metrics: Record<string, number>;
  /** Army list that the player used. Null when it was not recorded, or when it was erased. */
  list: ArmyList | null;
  /** The battle round by round. Empty when the rounds were not recorded. */
  rounds: PlayerRound[];
}

/** One player in one round of a battle. */
export interface PlayerRound {
  /** Number of the round within the battle. */
  round: number;
  /** Victory points scored in this round. */
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
  /** The point at which the next call continues. */
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
    /** Published tournaments, latest start date first. Tournaments without a date come last. */
    list(options?: { from?: string | undefined; to?: string | undefined; status?: 'planned' | 'ongoing' | 'finished' | undefined }): AsyncGenerator<Tournament, void, undefined>;
    /** A single tournament, in the same shape as in the list. */
    get(slug: string): Promise<Tournament>;
    /** All rows of one stage at once, without pages. A board with groups lists one group after another, and the ranks begin at 1 in each group. */
    standings(slug: string, options?: { stage?: string | undefined }): Promise<Standings>;
    /** All players who signed up, in alphabetical order, with the army lists that they submitted. */
    participants(slug: string): AsyncGenerator<Participant, void, undefined>;
    /** All battles of the tournament, newest first, without army lists and rounds. */
    battles(slug: string): AsyncGenerator<Battle, void, undefined>;
    /** The current round of each stage in play, with every pairing, for overlays and screens. This is what the page of a running tournament shows. Empty before the first pairing, after the end, and once the day after its last day is over. */
    now(slug: string): Promise<CurrentRound[]>;
  };
  readonly clubs: {
    /** A single club. */
    get(slug: string): Promise<Club>;
    /** Published tournaments that the club runs, latest start date first. */
    tournaments(slug: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Tournament, void, undefined>;
    /** Battles of the tournaments the club runs, battles of players who played for the club, and casual battles logged under the club. The newest come first, and each battle is listed once. */
    battles(slug: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Battle, void, undefined>;
  };
  readonly players: {
    /** All battles of the player, including casual ones, newest first. Archived battles are left out. */
    battles(id: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<Battle, void, undefined>;
    /** Published tournaments that the player plays or played, latest start date first, with placement and record. Tournaments without a date come last. */
    tournaments(id: string, options?: { from?: string | undefined; to?: string | undefined }): AsyncGenerator<PlayerTournament, void, undefined>;
    /** Counts the battles with a result among the newest 1,000 that `/api/v1/users/{publicId}/battles` lists. Opponents without an account are left out, because a name alone does not say who it was. */
    opponents(id: string): Promise<OpponentRecords>;
  };
  readonly factions: {
    /** The numbers that the factions page shows. Finished, dated tournaments count, in the month of their start. Casual battles, byes and mirror matches do not count. The battles of one player are not independent of each other, so the real uncertainty is larger than the interval shows. */
    list(options?: { window?: 'month' | 'quarter' | 'year' | 'all' | undefined; pack?: string | undefined; length?: 'long' | undefined }): Promise<FactionRates>;
  };
  readonly battles: {
    /** A single battle in full: the members that lists show, plus the army list and every round of both sides. */
    get(id: string): Promise<BattleDetail>;
  };
  /** Finds published tournaments, clubs and players whose names contain these words, as the search on the website does. */
  search(q: string, options?: { kind?: 'tournament' | 'club' | 'player' | undefined }): Promise<FoundThing[]>;
  /** Tells a bot or a copy what to fetch again. Begin without `after`, read what you need, then ask with the `after` from the last answer. Changes are kept for 90 days. */
  changes(
    after?: string | null,
    options?: {
      /** The value from the call before. */
      pending?: readonly Change[] | undefined;
      /** Selects the entries to fetch. The default is all. */
      wanted?: ((entry: Change) => boolean) | undefined;
    },
  ): Promise<Changes>;
  /** The standings at once, and whenever they change. Ends at the first look after `signal` is aborted. */
  watch(
    slug: string,
    options?: { stage?: string | undefined; everySeconds?: number | undefined; signal?: { readonly aborted: boolean } | undefined },
  ): AsyncGenerator<Standings, void, undefined>;
}
