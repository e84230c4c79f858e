// Works out the stages of an event and the number of rounds of each, from the event sheet and the names of
// the rounds.
import type { EventFacts } from './event-sheet.ts';
import type { Game } from './games-sheet.ts';

export interface StageRounds {
  id: string;
  label: string;
  rounds: number;
}

export function roundsOf({ rounds, top }: EventFacts, games: Game[]) {
  const byStage = Map.groupBy(games, ({ stage }) => stage);
  if (rounds !== null) byStage.set('swiss', byStage.get('swiss') ?? []);
  if (top !== null) byStage.set('knockout', byStage.get('knockout') ?? []);
  const stages = [...byStage].map(([id, own]): StageRounds => {
    const announced = id === 'swiss' ? (rounds ?? 0) : id === 'knockout' ? depthOf(top ?? 1) : 0;
    const played = own.map(({ round }) => ('field' in round ? depthOf(round.field) : round.number));
    const most = played.reduce((highest, each) => Math.max(highest, each), announced);
    return { id, label: labelOf(id, top ?? 2 ** most), rounds: most };
  });
  stages.sort((a, b) => orderOf(a.id) - orderOf(b.id));
  const lengths = new Map(stages.map(({ id, rounds: length }) => [id, length]));
  return {
    stages,
    orderOf,
    /** Returns the round from 1 within its stage. The final is the last. */
    numberOf: ({ stage, round }: Pick<Game, 'stage' | 'round'>): number =>
      'field' in round ? (lengths.get(stage) ?? 0) - depthOf(round.field) + 1 : round.number,
  };
}

/** Returns the number of rounds in a bracket of that many players. */
const depthOf = (players: number): number => Math.ceil(Math.log2(players));

/**
 * Returns the position of a stage in the running order: the boards, the knockout, then the matches for
 * placements, best placement first.
 */
function orderOf(stage: string): number {
  const first = ['swiss', 'placement-swiss', 'knockout'].indexOf(stage);
  if (first >= 0) return first;
  const [, from = 0, to = 0] = /^placement-(\d+)(?:-(\d+))?$/.exec(stage) ?? [];
  return 10 + Number(from) * 10_000 + (9_999 - Number(to));
}

function labelOf(stage: string, top: number): string {
  if (stage === 'swiss') return 'Swiss Stage';
  if (stage === 'placement-swiss') return 'Placement Swiss';
  if (stage === 'knockout') return `Top ${top}`;
  return `Place ${stage.replace('placement-', '').replace('-', '–')}`.replace(/^Place (\d+–)/, 'Places $1');
}
