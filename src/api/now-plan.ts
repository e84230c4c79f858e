import type { CurrentRound, Pairing } from '../contract/extra/shapes.ts';
import type { Tournament } from '../contract/tournament.ts';
import { nowOfTournament, type NowOfTournament } from '../read/items.ts';
import { type PairingView, pairingsOf, type SideView } from '../published/views.ts';
import { pastEvent } from '../read/being-played.ts';
import { dayOf, endOfDay } from '../text/days.ts';
import { parseStored } from '../read/page-address.ts';
import type { Plan } from './plan.ts';
import type { OperationRequest } from './routes.ts';

/**
 * Answers what is being played in a tournament. The current round and its games were derived when the
 * tournament was published.
 */
export function nowPlan({ path, scope, name, notFound }: OperationRequest): Plan {
  const time = Date.now();
  const today = dayOf(time);
  return {
    // The identity contains the day because an event without new results becomes a past event overnight.
    identity: [path, today],
    scope,
    until: endOfDay(time),
    statement: nowOfTournament,
    values: (held) => [name, held],
    notFound,
    content: (row) => JSON.stringify({ data: roundsNow(row as NowOfTournament, today) }),
  };
}

function roundsNow({ document, pairings, lastDays }: NowOfTournament, today: string): CurrentRound[] {
  if (pastEvent(lastDays, today) !== undefined) return [];
  const { stages } = parseStored<Tournament>(document);
  return pairings
    .flatMap(pairingsOf)
    .map(({ stage, group = null, round, titles, results, expected, open, done }) => ({
      stage,
      name: stages.find(({ id }) => id === stage)?.name ?? stage,
      group,
      round,
      roundName: titles?.map((title) => title.name).join(', ') ?? `Round ${round}`,
      results,
      expected,
      pairings: [...open, ...done].map(pairing),
    }));
}

function pairing({ round, table, battle, state, sides }: PairingView): Pairing {
  const players = sides.flatMap((side) => ('player' in side ? [pairedPlayer(side)] : []));
  return { round, table, battle, finished: state === 'over', players };
}

function pairedPlayer(side: SideView): Pairing['players'][number] {
  const { player, playerId, faction = null, outcome, victoryPoints } = side;
  return { player, playerId, faction, outcome: outcome ?? null, points: victoryPoints ?? null };
}
