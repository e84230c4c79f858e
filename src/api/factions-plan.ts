import { errors } from '../contract/errors.ts';
import { extraErrors, lengths, windowNames } from '../contract/extra/errors.ts';
import type { FactionRate, FactionRates } from '../contract/extra/shapes.ts';
import { RefusedRequest } from '../http/refused.ts';
import { type RatedFaction, ratedFactions } from '../published/win-rate.ts';
import {
  type FactionMonthRow,
  factionMonths,
  factionWindows,
  lastCountedDay,
} from '../read/faction-months.ts';
import { endOfDay } from '../text/days.ts';
import type { Plan } from './plan.ts';
import type { OperationRequest } from './routes.ts';

const longestPack = 200;

/** Answers the records of the factions, which the publisher counts month by month. */
export function factionsPlan({ path, query }: OperationRequest): Plan {
  const asked = query.get('window') ?? 'year';
  const window = windowNames.find((each) => each === asked);
  if (window === undefined) throw new RefusedRequest(extraErrors.unknownWindow);
  const pack = query.get('pack') ?? '';
  if (pack.length > longestPack) throw new RefusedRequest(extraErrors.packTooLong);
  const length = query.get('length');
  if (length !== undefined && !lengths.some((each) => each === length))
    throw new RefusedRequest(extraErrors.unknownLength);
  const lastDay = lastCountedDay();
  return {
    // The window moves as time passes, and no notice says so.
    identity: [path, window, pack, length ?? null, lastDay],
    scope: 'factions',
    until: endOfDay(Date.now()),
    statement: factionMonths,
    // PostgreSQL refuses text that contains a NUL, and no name contains one.
    values: () => [lastDay, factionWindows[window], pack.replaceAll('\0', '?'), length === 'long'],
    // The list itself always exists.
    notFound: errors.internalError,
    content: (_, rows) => JSON.stringify(recordsIn(rows as FactionMonthRow[])),
  };
}

function recordsIn(rows: FactionMonthRow[]): FactionRates {
  const months = rows.flatMap(({ month }) => (month === null ? [] : [month.slice(0, 'YYYY-MM'.length)]));
  return {
    data: ratedFactions(rows).map(recordOf),
    next: null,
    from: months[0] ?? null,
    to: months.at(-1) ?? null,
    tournaments: rows.reduce((sum, { tournaments }) => sum + (tournaments ?? 0), 0),
  };
}

function recordOf({ faction, rated, entries, unbeaten, eventWins }: RatedFaction): FactionRate {
  const { games, wins, draws, losses, rate, low, high } = rated;
  const share = (percent: number) => (games === 0 ? null : Number((percent / 100).toFixed(4)));
  return {
    faction,
    battles: games,
    won: wins,
    drawn: draws,
    lost: losses,
    winRate: share(rate),
    low: share(low),
    high: share(high),
    entries,
    unbeaten,
    tournamentsWon: eventWins,
  };
}
