import type { BattleOutline, TournamentOutline } from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';
import { battleView, type People } from './battle-view.ts';
import type { LatestResult } from '../../../published/views.ts';

const most = 4;

/** Returns the results that arrived last, newest first. */
export function latestResults({ battles }: TournamentOutline, people: People): LatestResult[] {
  const newest: Arrived[] = [];
  // Sorting all results of a large tournament takes long, and the last facts are often the newest.
  for (const battle of battles.toReversed()) {
    const last = newest[most - 1];
    if (!hasArrived(battle) || (last !== undefined && order(battle, last) > 0)) continue;
    newest.push(battle);
    newest.sort(order);
    newest.length = Math.min(newest.length, most);
  }
  return newest.map((battle) => ({ ...battleView(battle, people), arrived: battle.arrived }));
}

type Arrived = BattleOutline & { arrived: string };

const hasArrived = (battle: BattleOutline): battle is Arrived => battle.finished && battle.arrived !== null;

const order = (a: Arrived, b: Arrived): number =>
  a.arrived === b.arrived ? compareText(a.id, b.id) : a.arrived < b.arrived ? 1 : -1;
