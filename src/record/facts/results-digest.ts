// Computes a digest of the results that a ranking counts. Once it changes, the ranking is out of date.
import { hash } from 'node:crypto';
import { sumOfRounds } from '../feed/record-warnings.ts';
import type { SideOutline, StageFacts, TournamentOutline } from './facts.ts';

/** Covers the results of the stage up to this round, and all results of the stage that it carries over. */
export function resultsDigest(
  { battles, byes, adjustments }: Pick<TournamentOutline, 'battles' | 'byes' | 'adjustments'>,
  { id, carriesOver }: Pick<StageFacts, 'id' | 'carriesOver'>,
  afterRound: number,
): string {
  const counts = ({ stage, round }: { stage: string | null; round: number | null }): boolean =>
    stage === id ? (round ?? 0) <= afterRound : stage !== null && stage === carriesOver;
  const sideOf = ({ participant, battlePoints, ...side }: SideOutline, isWinner: boolean) =>
    [participant, isWinner, battlePoints, victoryPointsIn(side)].join();
  const results = [
    ...battles
      .filter((battle) => battle.finished && counts(battle))
      .map(({ round, winner, sides: [first, second] }) =>
        [round, ...[sideOf(first, winner === 0), sideOf(second, winner === 1)].toSorted()].join(' '),
      ),
    ...byes.filter(counts).map((bye) => [bye.round, bye.win, ...givenBy(bye)].join(' ')),
    ...adjustments
      .filter(({ stage }) => stage === id || stage === carriesOver)
      .map((adjustment) => givenBy(adjustment).join(' ')),
  ];
  return hash('md5', results.toSorted().join('\n'), 'hex');
}

const givenBy = (given: TournamentOutline['byes'][0] | TournamentOutline['adjustments'][0]) => [
  given.participant,
  given.battlePoints,
  given.victoryPoints,
  given.victoryPointsDiff,
];

const victoryPointsIn = ({ victoryPoints, rounds = [] }: Omit<SideOutline, 'participant' | 'battlePoints'>) =>
  victoryPoints ?? (rounds.length > 0 ? sumOfRounds({ rounds }) : null);
