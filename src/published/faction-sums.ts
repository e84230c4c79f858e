// Adds up the faction statistics of a tournament, a month or several months. The publisher writes the sums as
// JSON, and pages read them.
import { compareText } from '../text/fold.ts';

export interface FactionCounts {
  /** The name, the entries, the unbeaten entries and the tournaments won. */
  factions: [faction: string, entries: number, unbeaten: number, eventWins: number][];
  /** Two indexes into `factions`, then what the first of them won, drew and lost against the second. */
  games: [first: number, second: number, wins: number, draws: number, losses: number][];
}

export interface Score {
  wins: number;
  draws: number;
  losses: number;
}

/** The numbers of one faction. The score is against all other factions. */
export interface FactionSum extends Score {
  faction: string;
  /** The number of participants who brought it, without no-shows. */
  entries: number;
  /** Entries that won all their battles, at least three. */
  unbeaten: number;
  eventWins: number;
  /** The scores by opposing faction. Each battle counts on both sides. */
  against: Map<string, Score>;
}

export class FactionSums {
  readonly #sums = new Map<string, FactionSum>();

  /** All sums, sorted by name. */
  get all(): FactionSum[] {
    return [...this.#sums.values()].toSorted((a, b) => compareText(a.faction, b.faction));
  }

  get(faction: string): FactionSum | undefined {
    return this.#sums.get(faction);
  }

  of(faction: string): FactionSum {
    const known = this.#sums.get(faction);
    if (known) return known;
    const sum = { faction, entries: 0, unbeaten: 0, eventWins: 0, ...noGames(), against: new Map() };
    this.#sums.set(faction, sum);
    return sum;
  }

  /** Adds battles between two factions. The score is that of the first. */
  addGames(first: string, second: string, { wins, draws, losses }: Score): void {
    this.#addSide(first, second, { wins, draws, losses });
    this.#addSide(second, first, { wins: losses, draws, losses: wins });
  }

  add({ factions, games }: FactionCounts): void {
    for (const [faction, entries, unbeaten, eventWins] of factions) {
      const sum = this.of(faction);
      sum.entries += entries;
      sum.unbeaten += unbeaten;
      sum.eventWins += eventWins;
    }
    for (const [first, second, wins, draws, losses] of games) {
      this.addGames(factions[first]?.[0] ?? '', factions[second]?.[0] ?? '', { wins, draws, losses });
    }
  }

  /** Sorts everything, so that the same sums have the same text. */
  toJSON(): FactionCounts {
    const sums = this.all;
    const positions = new Map(sums.map(({ faction }, position) => [faction, position]));
    return {
      factions: sums.map(({ faction, entries, unbeaten, eventWins }) => [
        faction,
        entries,
        unbeaten,
        eventWins,
      ]),
      games: sums.flatMap(({ against }, first) =>
        [...against]
          .map(([other, score]) => [positions.get(other) ?? 0, score] as const)
          .filter(([second]) => first < second)
          .toSorted(([a], [b]) => a - b)
          .map(([second, { wins, draws, losses }]): FactionCounts['games'][0] => [
            first,
            second,
            wins,
            draws,
            losses,
          ]),
      ),
    };
  }

  #addSide(faction: string, other: string, score: Score): void {
    const sum = this.of(faction);
    const known = sum.against.get(other) ?? noGames();
    sum.against.set(other, known);
    for (const each of [sum, known]) {
      each.wins += score.wins;
      each.draws += score.draws;
      each.losses += score.losses;
    }
  }
}

function noGames(): Score {
  return { wins: 0, draws: 0, losses: 0 };
}
