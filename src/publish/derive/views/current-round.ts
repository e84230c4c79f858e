// Finds the round of a stage that is being played, as a person at the venue sees it. A forgotten result must
// not hold the tournament up on the page, and a pairing that is sent early must not hide the games that are
// still open.
import type {
  BattleOutline,
  MatchFacts,
  StageFacts,
  TournamentOutline,
} from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';
import { isKnown, matchesOf } from '../brackets/bracket.ts';
import { knownPlayersOf } from '../brackets/stages.ts';
import { bandOf, titlesOf } from '../brackets/round-title.ts';
import type { RoundNow, Total } from '../../../published/views.ts';

/** The state of play in a stage of a running tournament. */
export interface StageNow {
  /** The current round, or one for each group. Empty if nothing of this stage is being played. */
  now: PlayedRound[];
  /** The total over all groups, for the round that each of them is in. */
  total: Total;
  /** The number of results in all rounds of the stage. */
  results: number;
  /** Battles without a result that play has gone past. */
  missing: string[];
}

export interface PlayedRound extends RoundNow {
  /**
   * The scenario that all battles of the round play. Absent for a bracket, and if they play different ones.
   */
  scenario?: string;
  /**
   * The battles of this round that have a result, by table. For a bracket, also the battles of other rounds
   * that are over but sent nobody on.
   */
  done: string[];
  /**
   * Battles whose result can still come. For a board, those of this round, then those of earlier ones; for a
   * bracket, all.
   */
  open: string[];
}

export function stageNow(facts: TournamentOutline, stage: StageFacts): StageNow {
  const isPast = facts.stages.some(({ id, phase }) => phase > stage.phase && hasResult(facts, id));
  const hasLater = facts.stages.some(({ id, phase }) => phase > stage.phase && hasBegun(facts, id));
  const { now, ...counts } =
    stage.type === 'bracket' ? bracketRound(facts, stage) : boardRounds(facts, stage, isPast, hasLater);
  // The phase that began last stays visible when it is over. An earlier phase is visible only while it is not
  // over.
  const isShown = !isPast && (!hasLater || now.some(({ isOver, open }) => !isOver || open.length > 0));
  return { now: isShown ? now : [], ...counts };
}

const hasBegun = ({ battles, matches }: TournamentOutline, stage: string): boolean =>
  battles.some((battle) => battle.stage === stage) ||
  matches.some((match) => match.stage === stage && isKnown(match));

const hasResult = ({ battles, matches }: TournamentOutline, stage: string): boolean =>
  battles.some((battle) => battle.stage === stage && battle.finished) ||
  matches.some((match) => match.stage === stage && match.winner !== null);

/** Takes the lowest round with an open match or, if there is none, the last round with a result. */
function bracketRound(facts: TournamentOutline, stage: StageFacts): StageNow {
  const matches = matchesOf(facts, stage);
  const finished = new Map(facts.battles.map(({ id, finished: isOver }) => [id, isOver]));
  // After a drawn game, for example, the match has been played, but the organiser has not yet said who goes
  // on.
  const isUndecided = ({ winner, battle }: MatchFacts) =>
    winner === null && finished.get(battle ?? '') === true;
  const isPlayed = (match: MatchFacts) => match.winner !== null || isUndecided(match);
  const open = matches.filter((match) => match.players.length === 2 && !isPlayed(match));
  const over = matches.filter(isPlayed);
  const [round] = open.length > 0 ? roundsOf(open) : roundsOf(over).toReversed();
  const own = matches.filter((match) => match.round === round);
  const played = own.filter(isPlayed);
  const expected =
    round === undefined ? 0 : expectedMatches(stage, round, matches, own.length, playersIn(facts, stage));
  const titles = new Map(own.map(titlesOf(stage, matches)).map((title) => [title.name, title]));
  const now = {
    titles: [...titles.values()],
    games: own.length,
    results: played.length,
    expected,
    isOver: played.length === expected,
    open: open.flatMap(({ battle }) => battle ?? []),
    done: matches
      .filter((match) => played.includes(match) || isUndecided(match))
      .flatMap(({ battle }) => battle ?? []),
  };
  return {
    now: round === undefined ? [] : [{ round, ...now }],
    total: { results: played.length, expected },
    results: over.length,
    missing: [],
  };
}

/**
 * Returns the number of matches that the round will have, because organisers enter one match after the other.
 * The last round may have a match for third place beside the final.
 */
function expectedMatches(
  stage: StageFacts,
  round: number,
  matches: readonly MatchFacts[],
  told: number,
  players: number,
): number | null {
  const rounds = Math.max(stage.rounds, ...matches.map((match) => match.round));
  const band = bandOf(stage.id, rounds);
  const later = 2 ** (rounds - round);
  // A player with a bye plays no match of the first round.
  const first = later === 1 ? 1 : players - later;
  const expected = band ? Math.floor(band.size / 2) : round > 1 ? later : first;
  return expected > 0 ? Math.max(expected, told) : null;
}

/**
 * Returns the number of players in a bracket, or 0 if it is not known. If the feed does not list them and other
 * stages have players, too, only the matches tell who is in the bracket.
 */
function playersIn({ stages, matches }: TournamentOutline, stage: StageFacts): number {
  if (!stage.everybody || stages.length === 1) return stage.members.length;
  return knownPlayersOf(stage, matches).players ?? 0;
}

function boardRounds(
  facts: TournamentOutline,
  stage: StageFacts,
  isPast: boolean,
  hasLater: boolean,
): StageNow {
  const battles = facts.battles.filter((battle) => battle.stage === stage.id);
  const byes = facts.byes.filter((bye) => bye.stage === stage.id);
  const people: People = new Map(facts.participants.map((participant) => [participant.id, participant]));
  const missing = new Set(isPast ? battles.filter(isOpen) : overtaken(battles, byes, people, stage));
  const groupOf = (battle: BattleOutline) => people.get(playersOf(battle)[0] ?? '')?.group ?? '';
  const groups = stage.grouped ? Map.groupBy(battles, groupOf) : new Map([['', battles]]);
  const order = (group: string) => facts.groups.indexOf(group);
  const isWhole = (group: string, round: number): boolean => {
    const busy = new Set([
      ...battles.filter((battle) => roundOf(battle) === round).flatMap(playersOf),
      ...byes.filter((bye) => bye.round === round).map(({ participant }) => participant),
    ]);
    // Some platforms send no byes, so one player of a group may be without a game.
    return playersWithout(busy, group, stage, people) <= 1;
  };
  const now = [...groups]
    .toSorted(([a], [b]) => order(a) - order(b))
    .flatMap(([group, own]): PlayedRound[] => {
      const open = own.filter((battle) => !battle.finished && !missing.has(battle));
      const round = stage.grouped ? roundOfGroup(own, open) : roundOfField(own, open);
      if (round === undefined) return [];
      const games = own.filter((battle) => roundOf(battle) === round);
      const done = games.filter(({ finished }) => finished);
      const isTold = hasLater || isWhole(group, round);
      const [scenario, another] = new Set(games.map((battle) => battle.scenario));
      return [
        {
          ...(stage.grouped && { group }),
          round,
          ...(scenario && another === undefined && { scenario }),
          games: games.length,
          results: done.length,
          expected: isTold ? games.length : null,
          // If everybody dropped out before they played, nothing is over.
          isOver: isTold && done.length > 0 && !open.some((battle) => roundOf(battle) === round),
          done: byTable(done).map(({ id }) => id),
          open: byTable(open.filter((battle) => roundOf(battle) <= round))
            .toSorted((a, b) => roundOf(b) - roundOf(a))
            .map(({ id }) => id),
        },
      ];
    });
  const results = battles.filter(({ finished }) => finished).length;
  return {
    now,
    total: totalOf(now),
    results,
    missing: byTable([...missing]).map(({ id }) => id),
  };
}

type People = ReadonlyMap<string, Person>;

const playersOf = ({ sides }: BattleOutline) => sides.map(({ participant }) => participant ?? '');
const isOpen = ({ finished }: BattleOutline) => !finished;

/** Returns the battles without a result whose players have played on, so that no result will come. */
function overtaken(
  battles: readonly BattleOutline[],
  byes: TournamentOutline['byes'],
  people: People,
  stage: StageFacts,
): BattleOutline[] {
  const lastResult = new Map<string, number>();
  for (const battle of battles) {
    if (!battle.finished) continue;
    for (const player of playersOf(battle)) {
      lastResult.set(player, Math.max(lastResult.get(player) ?? 0, roundOf(battle)));
    }
  }
  const lastRound = Math.max(0, ...lastResult.values());
  return battles.filter(isOpen).filter((battle) => {
    const round = roundOf(battle);
    const players = playersOf(battle);
    const playedOn = players.filter((player) => (lastResult.get(player) ?? 0) > round);
    if (playedOn.length === players.length) return true;
    // The rounds of a schedule that is paired in advance need not be played in order.
    if (stage.grouped) return false;
    const sitsOut = (player: string) =>
      byes.some((bye) => bye.participant === player && bye.round > round && bye.round <= lastRound);
    return playedOn.length > 0 || players.every((player) => !isThere(people.get(player)) || sitsOut(player));
  });
}

type Person = TournamentOutline['participants'][number];

const isThere = (person: Person | undefined): person is Person =>
  person !== undefined && !person.dropped && !person.noShow;

/** Counts the players of a group who are there and have neither a game nor a bye. */
function playersWithout(busy: ReadonlySet<string>, group: string, stage: StageFacts, people: People): number {
  return stage.members.filter(({ participant: id }) => {
    const person = people.get(id);
    return isThere(person) && !busy.has(id) && (!stage.grouped || (person.group ?? '') === group);
  }).length;
}

/** Sorts battles by table, because the facts come in any order. */
function byTable(battles: readonly BattleOutline[]): BattleOutline[] {
  return battles.toSorted((a, b) => (a.table ?? Infinity) - (b.table ?? Infinity) || compareText(a.id, b.id));
}

/** Adds up the rounds that the groups are in. */
function totalOf(now: readonly PlayedRound[]): Total {
  return {
    results: now.reduce((sum, { results }) => sum + results, 0),
    expected: now.reduce<number | null>(
      (sum, { expected }) => (sum === null || expected === null ? null : sum + expected),
      0,
    ),
  };
}

/**
 * Returns the highest round with a result until all its games have one, then the next round that is paired.
 */
function roundOfField(battles: readonly BattleOutline[], open: readonly BattleOutline[]): number | undefined {
  const paired = roundsOf(battles);
  const highest = roundsOf(battles.filter(({ finished }) => finished)).at(-1);
  if (highest === undefined) return roundsOf(open)[0] ?? paired[0];
  if (open.some((battle) => roundOf(battle) === highest)) return highest;
  const isNext = (round: number) => round > highest;
  return roundsOf(open).find(isNext) ?? paired.find(isNext) ?? highest;
}

function roundOfGroup(battles: readonly BattleOutline[], open: readonly BattleOutline[]): number | undefined {
  return roundsOf(open)[0] ?? roundsOf(battles).at(-1);
}

function roundsOf(games: readonly { round: number | null }[]): number[] {
  return [...new Set(games.map(roundOf))].toSorted((a, b) => a - b);
}

const roundOf = ({ round }: { round: number | null }): number => round ?? 0;
