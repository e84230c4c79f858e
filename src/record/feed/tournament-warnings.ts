// Warnings about a finished tournament as a whole, in which something is probably missing.
import type { Warning } from './warning.ts';
import { found } from './problem.ts';
import type { TournamentRecord } from './records.ts';

/** The battles, byes and matches of a tournament, counted in its record or in the database. */
export interface Games {
  participants: PlayParticipant[];
  battles: number;
  unfinished: number;
  /** Rounds with at least one finished battle. Rounds of different stages are different rounds. */
  rounds: number;
  /** The participants who have a battle, a bye or a match. */
  active: Set<string>;
  hasKnockout: boolean;
  /** The participant who won the final of the knockout. */
  finalWinner: string | null;
}

interface PlayParticipant {
  id: string;
  /**
   * Null if unknown: a record does not have the names of registered players, and an erased player has none.
   */
  name: string | null;
  noShow: boolean;
  finalPlacement: number | null;
}

export function gamesOf(record: TournamentRecord): Games {
  const { stages = [], participants = [], byes = [], battles = [], matches = [] } = record;
  const knockout = stages.find(({ id }) => id === 'knockout');
  const [final] = matches
    .filter(({ stage }) => stage === 'knockout')
    .toSorted((a, b) => b.round - a.round || a.position - b.position);
  return {
    participants: participants.map(({ id, name = null, noShow = false, finalPlacement = null }) => ({
      id,
      name,
      noShow,
      finalPlacement,
    })),
    battles: battles.length,
    unfinished: battles.filter(({ finished }) => !finished).length,
    rounds: new Set(battles.flatMap(({ finished, stage, round }) => (finished ? `${stage} ${round}` : [])))
      .size,
    active: new Set([
      ...battles.flatMap(({ sides }) => sides.map(({ participant }) => participant)),
      ...byes.map(({ participant }) => participant),
      ...matches.flatMap(({ players = [] }) => players),
    ]),
    hasKnockout: knockout !== undefined,
    finalWinner: knockout && final && final.round >= knockout.rounds ? (final.winner ?? null) : null,
  };
}

/** Returns warnings about the battles and brackets of a finished tournament. */
export function gameWarnings(games: Games): Warning[] {
  const warnings: Warning[] = [];
  if (games.battles === 0) {
    warnings.push({
      kind: 'empty',
      path: 'battles',
      message: 'expected battles in a finished tournament, found none',
    });
  }
  if (games.unfinished > 0) {
    const message = `expected every battle finished, found ${games.unfinished} of ${games.battles} unfinished`;
    warnings.push({ kind: 'unfinished', path: 'battles', message });
  }
  const idle = games.participants.filter(({ id, noShow }) => !noShow && !games.active.has(id));
  // Without battles, nearly every participant is idle, and the first warning already says why.
  if (idle.length > 0 && games.battles > 0) {
    const wanted = 'a battle or bye for each participant except no-shows';
    const message = `expected ${wanted}, found none for ${firstOf(idle.map(({ name, id }) => name ?? id))}`;
    warnings.push({ kind: 'idle', path: 'participants', message });
  }
  if (games.hasKnockout && games.finalWinner === null) {
    const message = 'expected a final of the knockout with a winner, found none';
    warnings.push({ kind: 'final', path: 'matches', message });
  }
  return warnings;
}

/** Warns of participants with the same name, who are often one person who was entered twice. */
export function nameWarnings({ participants }: Games): Warning[] {
  const named = participants.flatMap(({ name }) => name ?? []);
  if (new Set(named).size === named.length) return [];
  const repeated = named.filter((name, index) => named.indexOf(name) !== index);
  const message = `expected each name once, found ${firstOf([...new Set(repeated)])} more than once`;
  return [{ kind: 'names', path: 'participants', message }];
}

function firstOf(names: string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).map(found).join(', ')}${more}`;
}

/**
 * Returns the warnings about the games of a tournament that a single record contains and finishes, or
 * undefined if the record does not contain enough. Byes and matches that it leaves out may be recorded
 * already, unless the tournament is new.
 */
export function wholeWarnings(record: TournamentRecord, isNew: boolean): Warning[] | undefined {
  const { status, stages, participants, byes, battles, matches } = record;
  if (status !== 'finished' || !participants || !battles || !(stages || isNew)) return undefined;
  const warnings = gameWarnings(gamesOf(record));
  if (isNew || (byes && matches)) return warnings;
  return warnings.some(({ kind }) => kind === 'idle' || kind === 'final') ? undefined : warnings;
}
