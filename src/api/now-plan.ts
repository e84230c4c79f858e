import type { Battle } from '../contract/battle.ts';
import type { CurrentRound, Pairing } from '../contract/extra/shapes.ts';
import type { Tournament } from '../contract/tournament.ts';
import { nowOfTournament, type NowOfTournament } from '../read/items.ts';
import {
  type MatchOfRound,
  matchesOfStored,
  outcomeOf,
  sideOfBattle,
  type StoredBracket,
} from '../read/matches-now.ts';
import { noResultsSince } from '../read/old-event.ts';
import { dayMs, dayOf } from '../text/days.ts';
import { parseStored } from '../read/page-address.ts';
import type { Plan } from './plan.ts';
import type { Asked } from './routes.ts';

/** Changes with the members that are made here, because no tag may stand for two shapes of an answer. */
const members = 'with outcomes';

/** What is played in a tournament. Which round that is, and which games belong to it, was derived at publishing. */
export function nowPlan({ path, scope, name, notFound }: Asked): Plan {
  const time = Date.now();
  const today = dayOf(time);
  return {
    // An event that nothing is heard of becomes old from one day to the next.
    identity: [path, today, members],
    scope,
    until: time - (time % dayMs) + dayMs,
    statement: nowOfTournament,
    values: (held) => [name, held],
    notFound,
    content: (row) => JSON.stringify({ data: roundsNow(row as NowOfTournament, today) }),
  };
}

interface ShownBattle extends Pick<Battle, 'round'> {
  table: number | null;
  /** With the ids of guests. */
  players: (Battle['players'][number] & { guest: string | null | undefined })[];
}
type Battles = ReadonlyMap<string, ShownBattle>;

function roundsNow(row: NowOfTournament, today: string): CurrentRound[] {
  const { document, lastDays, playing, current, brackets } = row;
  if (noResultsSince(lastDays, today) !== undefined) return [];
  const { stages } = parseStored<Tournament>(document);
  const battles: Battles = new Map(
    current?.map(({ battle: { id, round, players }, table, entries }) => [
      id,
      { round, table, players: players.map((side, index) => ({ ...side, guest: entries[index] })) },
    ]),
  );
  return (playing ?? []).flatMap(({ stage, now }) => {
    const { name = stage } = stages.find(({ id }) => id === stage) ?? {};
    const bracket = brackets?.find((each) => each.stage === stage);
    return now.map(({ group = null, round, names, results, expected = null, open = [], done }) => ({
      stage,
      name,
      group,
      round,
      roundName: names?.join(', ') ?? `Round ${round}`,
      results,
      expected,
      pairings: bracket
        ? ofBracket(bracket, battles)
        : [...ofBoard(open, battles, false), ...ofBoard(done, battles, true)],
    }));
  });
}

function ofBoard(ids: readonly string[], battles: Battles, finished: boolean): Pairing[] {
  return ids.flatMap((battle) => {
    const { round, table = null, players } = battles.get(battle) ?? {};
    if (!round || players === undefined) return [];
    const sides = players.map(({ player, playerId, faction, outcome, victoryPoints }) => {
      return { player, playerId, faction, outcome, points: victoryPoints };
    });
    return [{ round, table, battle, finished, players: sides }];
  });
}

/** A match needs no battle, and its battle may have other players. */
function ofBracket(bracket: StoredBracket, battles: Battles): Pairing[] {
  const { open, results } = matchesOfStored(bracket, battles);
  const pairing = (match: MatchOfRound, finished: boolean): Pairing => {
    const battle = battles.get(match.battle ?? '');
    const side = (index: 0 | 1): Pairing['players'][number] => {
      const { faction = null, victoryPoints: points = null } = sideOfBattle(match, battle, index) ?? {};
      return {
        player: match.players[index] ?? '',
        playerId: match.playerIds[index] ?? null,
        faction,
        outcome: outcomeOf(match, battle, index),
        points,
      };
    };
    return {
      round: match.inRound,
      table: match.table > 0 ? match.table : null,
      battle: match.battle,
      finished,
      players: [side(0), side(1)],
    };
  };
  // Who needs no opponent has a match alone.
  const whole = results.filter(({ players }) => players.length === 2);
  return [...open.map((match) => pairing(match, false)), ...whole.map((match) => pairing(match, true))];
}
