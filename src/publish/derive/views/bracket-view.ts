import type {
  BattleOutline,
  MatchFacts,
  ParticipantFacts,
  StageFacts,
  TournamentOutline,
} from '../../../record/facts/facts.ts';
import { outcomeOf } from '../boards/tally.ts';
import { victoryPointsOf } from '../boards/points.ts';
import { matchesOf } from '../brackets/bracket.ts';
import { titlesOf } from '../brackets/round-title.ts';
import { nextMatches } from '../brackets/bracket-links.ts';
import { matchesIn, type PlacedMatch, treeOf, type Tree } from '../brackets/bracket-tree.ts';
import { factionOf } from '../factions/faction.ts';
import { type People, participantView, playedIn } from './battle-view.ts';
import type {
  BattleView,
  BracketView,
  DrawnWin,
  MatchView,
  SeatView,
  SideView,
} from '../../../published/views.ts';

interface Placed extends PlacedMatch {
  facts: MatchFacts;
}

interface Drawn {
  view: BracketView;
  /**
   * The matches between two known players. Both the matches and their players are in the order of the API's
   * answer.
   */
  pairings: BattleView[];
}

/**
 * Returns the view of a bracket. `isPast` means that play has gone past the bracket, so open matches stay
 * without a result. `round` is the round that is being played.
 */
export function bracketView(
  facts: TournamentOutline,
  stage: StageFacts,
  people: People,
  { isPast, round }: { isPast: boolean; round: number },
): Drawn {
  const placed = placedMatches(facts, stage);
  const tree = treeOf(placed, stage.rounds);
  const battles = new Map(facts.battles.map((battle) => [battle.id, battle]));
  const hasBattles = placed.some((match) => match.facts.battle !== null);
  const view = new Viewer(stage, people, battles, hasBattles, isPast);
  const ordered = matchesIn(tree);
  const next = nextInTrees(tree);
  const roundOf = ({ matches }: { matches: (Placed | undefined)[] }) =>
    matches.find((match) => match !== undefined)?.round ?? 0;
  const column = ({ title, matches }: Tree<Placed>['apart'][0]) => ({
    round: roundOf({ matches }),
    ...(title !== undefined && { title }),
    matches: matches.map((match) => match?.number ?? null),
  });
  return {
    view: {
      type: 'bracket',
      round,
      hasBattles,
      matches: ordered.map((match) => view.match(match, next.get(match))),
      trees: tree.trees.map((columns) => columns.map(column)),
      apart: tree.apart.map(column),
    },
    pairings: placed.flatMap((match) => view.pairing(match) ?? []),
  };
}

function placedMatches(facts: TournamentOutline, stage: StageFacts): Placed[] {
  const own = matchesOf(facts, stage);
  const titleOf = titlesOf(stage, own);
  const links = nextMatches(stage, own);
  const placed = new Map(
    own.map((match): [MatchFacts, Placed] => [
      match,
      { facts: match, round: match.round, title: titleOf(match), feeders: [], losersOf: [], number: 0 },
    ]),
  );
  for (const [from, to] of links) {
    const [feeder, match] = [placed.get(from), placed.get(to)];
    if (feeder && match) match.feeders.push(feeder);
  }
  const order = (match: Placed) => own.indexOf(match.facts);
  for (const { feeders } of placed.values()) feeders.sort((a, b) => order(a) - order(b));
  return [...placed.values()];
}

/** Returns the next match of each match that a line connects to it. */
function nextInTrees({ trees }: Tree<Placed>): Map<Placed, Placed> {
  const inTrees = trees.flat().flatMap(({ matches }) => matches.filter((match) => match !== undefined));
  return new Map(inTrees.flatMap((match) => match.feeders.map((feeder) => [feeder, match])));
}

class Viewer {
  readonly #people: People;
  readonly #battles: ReadonlyMap<string, BattleOutline>;
  readonly #hasBattles: boolean;
  readonly #isPast: boolean;
  readonly #seeds: ReadonlyMap<string, number | null>;

  constructor(
    stage: StageFacts,
    people: People,
    battles: ReadonlyMap<string, BattleOutline>,
    hasBattles: boolean,
    isPast: boolean,
  ) {
    this.#people = people;
    this.#battles = battles;
    this.#hasBattles = hasBattles;
    this.#isPast = isPast;
    this.#seeds = new Map(stage.members.map(({ participant, seed }) => [participant, seed]));
  }

  match(match: Placed, next: Placed | undefined): MatchView {
    const { facts, feeders } = match;
    const { players, winner, battle: id } = facts;
    const battle = this.#battles.get(id ?? '');
    const isPair = players.length === 2;
    const waitsFor = isPair || winner !== null ? undefined : waiting(match);
    const [first, second] = isPair ? this.#sides(facts, battle) : this.#seats(match);
    const drawn = isPair && winner !== null && battle ? drawnWin(battle, winner) : undefined;
    const isOverruled = isPair && winner !== null && battle !== undefined && isLost(battle, winner);
    return {
      ...this.#at(match, battle),
      // The winner of the upper match stands first.
      sides: isPair && isTurned(match) ? [second, first] : [first, second],
      number: match.number,
      title: match.title,
      ...(next && { next: next.number }),
      isFirst: feeders.length === 0,
      ...(isPair && this.#hasBattles && winner !== null && id === null && { isWalkover: true as const }),
      ...(isPair &&
        winner !== null &&
        battle && { battleWinner: battle.sides[0].participant === winner ? (0 as const) : (1 as const) }),
      ...(drawn && { drawn }),
      ...(isOverruled && { isOverruled }),
      ...(waitsFor && { waitsFor: waitsFor.number }),
    };
  }

  pairing(match: Placed): BattleView | undefined {
    const { facts } = match;
    const battle = this.#battles.get(facts.battle ?? '');
    if (facts.players.length !== 2) return undefined;
    return { ...this.#at(match, battle), sides: this.#sides(facts, battle) };
  }

  #at({ facts, round }: Placed, battle: BattleOutline | undefined): Omit<BattleView, 'sides'> {
    const { players, winner, table, stage } = facts;
    const isPair = players.length === 2;
    const isPlayed = winner !== null || (isPair && battle?.finished === true);
    const open = this.#isPast ? 'missing' : 'open';
    return {
      battle: facts.battle,
      stage,
      round,
      // A player with a bye plays at no table.
      table: table > 0 && (isPair || winner === null) ? table : null,
      state: isPlayed ? 'over' : isPair ? open : 'wait',
    };
  }

  #person(id: string): ParticipantFacts | undefined {
    return this.#people.get(id);
  }

  #someone(id: string): SideView {
    const person = this.#person(id);
    const seed = this.#seeds.get(id) ?? null;
    const faction = factionOf(person);
    return {
      ...participantView(person, id),
      ...(faction !== null && { faction }),
      ...(seed !== null && { seed }),
    };
  }

  /** Returns the sides in the order of the facts. */
  #sides({ players, winner }: MatchFacts, battle: BattleOutline | undefined): [SideView, SideView] {
    const side = (id: string): SideView => {
      const index = battle?.sides[0].participant === id ? 0 : 1;
      const own = battle?.sides[index];
      const battlePoints = own?.battlePoints ?? null;
      const outcome =
        winner !== null
          ? winner === id
            ? 'win'
            : 'loss'
          : battle?.finished
            ? outcomeOf(battle.winner, index)
            : undefined;
      return {
        ...this.#someone(id),
        ...(own && playedIn(own, this.#person(id))),
        ...(battlePoints !== null && { battlePoints }),
        ...(outcome && { outcome }),
      };
    };
    const [first = '', second = ''] = players;
    return [side(first), side(second)];
  }

  /**
   * Returns the seats of a match whose players are not both known, or of a match of one player, who needs no
   * opponent.
   */
  #seats({ facts: { winner, players }, feeders, losersOf }: Placed): [SeatView, SeatView] {
    if (winner !== null) return [{ ...this.#someone(winner), outcome: 'win' }, { from: 'bye' }];
    const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
    const seat = (feeder: Placed | undefined, loser: Placed | undefined): SeatView => {
      if (feeder && feeder.facts.winner !== null) return this.#someone(feeder.facts.winner);
      if (feeder) return { from: 'winner', of: feeder.number };
      return loser ? { from: 'loser', of: loser.number } : { from: 'unknown' };
    };
    const seats: [SeatView, SeatView] = [seat(upper, losersOf[0]), seat(lower, losersOf[1])];
    // The feed may name one player of a match that no other match leads to.
    const [known] = players;
    const free = seats.findIndex((each) => 'from' in each && each.from === 'unknown');
    if (known !== undefined && free >= 0 && !feeders.some((each) => each.facts.winner === known))
      seats[free] = this.#someone(known);
    return seats;
  }
}

/** Returns true if the facts name the winner of the lower match first. */
function isTurned({ facts: { players }, feeders }: Placed): boolean {
  const [first, second] = players;
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  return upper?.facts.winner === second || lower?.facts.winner === first;
}

/** Returns true if the participant has lost this battle. */
function isLost({ finished, winner, sides }: BattleOutline, id: string): boolean {
  return finished && winner !== null && sides[winner].participant !== id;
}

/** Returns the match that is still to be played, if one player is already known. */
function waiting({ feeders }: Placed): Placed | undefined {
  const isKnown = feeders.some(({ facts }) => facts.winner !== null);
  return isKnown ? feeders.find(({ facts }) => facts.winner === null) : undefined;
}

/**
 * Says why a drawn game has a winner. Undefined if the game was not drawn: the victory points differ, and
 * nothing says draw.
 */
function drawnWin({ finished, winner: of, sides }: BattleOutline, id: string): DrawnWin | undefined {
  const [winner, loser] = sides[0].participant === id ? sides : [sides[1], sides[0]];
  const points = victoryPointsOf(winner);
  const isEven = points !== null && points === victoryPointsOf(loser);
  if (!isEven && !(finished && of === null)) return undefined;
  const own = (side: typeof winner) => (finished ? (side.battlePoints ?? 0) : 0);
  return {
    isDraw: finished && of === null,
    isByPoints: own(winner) > own(loser),
    points: [own(winner), own(loser)],
  };
}
