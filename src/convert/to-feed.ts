// Builds the feed of an event: its pack, new clubs, and one tournament record that contains everything, so
// that what was deleted from a sheet is removed.
import { compareText } from '../text/fold.ts';
import type { FeedRecord } from '../record/feed/records.ts';
import { isBoard } from '../record/feed/scalars.ts';
import {
  type BattleEntry,
  type ByeEntry,
  defaultTieBreaks,
  groupStage,
  type MatchEntry,
  type ParticipantEntry,
  type StageEntry,
  type TournamentSide,
} from '../record/feed/tournament-records.ts';
import type { Clubs } from './clubs.ts';
import type { EventFacts } from './event-sheet.ts';
import type { Game } from './games-sheet.ts';
import { battleId, participantId } from './ids.ts';
import { isBye, type Player } from './players-sheet.ts';
import { rankingOf } from './ranking.ts';
import { roundsOf, type StageRounds } from './stage-rounds.ts';

export function toFeed(event: EventFacts, players: Player[], games: Game[], clubs: Clubs): FeedRecord[] {
  const { slug, name, published, status, start, end, city, country, size, pack } = event;
  const organizer = clubs.slug(event.organiser);
  const sorted = players.filter(({ name: each }) => !isBye(each)).toSorted((a, b) => a.no - b.no);
  const participants = sorted.map((player) => participantOf(player, clubs, status));
  const groups = [...new Set(sorted.flatMap(({ group }) => group ?? []))].toSorted(byNumbersWithin);
  const rounds = roundsOf(event, games);
  const inOrder = games.toSorted(
    (a, b) =>
      rounds.orderOf(a.stage) - rounds.orderOf(b.stage) ||
      rounds.numberOf(a) - rounds.numberOf(b) ||
      a.index - b.index ||
      (a.table ?? Infinity) - (b.table ?? Infinity) ||
      Math.min(...numbersOf(a)) - Math.min(...numbersOf(b)),
  );
  const ranking = rankingOf(event, sorted, games, rounds.numberOf);
  const battles = inOrder.flatMap((game) => (game.second ? battleOf(slug, game, game.second, rounds) : []));
  return [
    ...(pack === null ? [] : [{ kind: 'battlePack' as const, name: pack }]),
    ...clubs.records,
    {
      kind: 'tournament',
      slug,
      published,
      name,
      status,
      startDate: start,
      endDate: end,
      city,
      country,
      battleSize: size,
      battlePack: pack,
      // If the record left them out, the recorded tie-breaks would outlive their row in the sheet.
      tieBreaks: event.tieBreaks ?? [...defaultTieBreaks],
      organizer,
      groups,
      stages: rounds.stages.map((stage) => stageOf(stage, groups.length > 0, inOrder, status, ranking)),
      participants,
      byes: inOrder.flatMap((game) => (game.second ? [] : byeOf(game, rounds))),
      battles,
      matches: matchesOf(slug, inOrder, rounds),
    },
  ];
}

/** Compares names so that "Group 2" comes before "Group 10". */
function byNumbersWithin(a: string, b: string): number {
  const key = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));
  return compareText(key(a), key(b)) || compareText(a, b);
}

const numbersOf = ({ first, second }: Game): number[] => [first.no, ...(second ? [second.no] : [])];

function participantOf(player: Player, clubs: Clubs, status: EventFacts['status']): ParticipantEntry {
  const { no, name, id, group, dropped, noShow, faction, points, lineOfRow: place } = player;
  const [subFaction, text] = [player.subFaction ?? '', player.list ?? ''];
  const club = clubs.slug(player.club);
  const hasList = faction !== undefined && points !== undefined;
  return {
    id: participantId(no),
    ...(id === undefined ? { name } : { player: id }),
    ...(club !== null && { club }),
    ...(group !== undefined && { group }),
    ...(dropped && { dropped }),
    ...(noShow && { noShow }),
    ...(faction !== undefined && { faction }),
    ...(hasList && { list: { faction, subFaction, points, battleTacticCards: [], text } }),
    ...(place !== undefined && status === 'finished' && { finalPlacement: place }),
  };
}

function stageOf(
  { id, label, rounds }: StageRounds,
  grouped: boolean,
  games: Game[],
  status: EventFacts['status'],
  ranking: StageEntry['ranking'],
): StageEntry {
  if (id === 'swiss') {
    const stage = { id, type: 'board', rounds, ...(ranking !== undefined && { ranking }) } as const;
    return grouped ? { ...stage, label: groupStage, grouped } : { ...stage, label };
  }
  const members = new Set(games.filter(({ stage }) => stage === id).flatMap(numbersOf));
  // While the first round is being entered, its rows would give too few players.
  const isPartial = id === 'knockout' && status !== 'finished' && members.size <= 2 ** (rounds - 1);
  return {
    id,
    label,
    type: isBoard(id) ? 'board' : 'bracket',
    rounds,
    ...(!isPartial && {
      members: [...members].toSorted((a, b) => a - b).map((no) => ({ participant: participantId(no) })),
    }),
  };
}

function battleOf(
  slug: string,
  game: Game,
  second: Player,
  rounds: ReturnType<typeof roundsOf>,
): BattleEntry {
  const { stage, table, date, scenario, first, outcome } = game;
  const winner = winnerOf(game);
  return {
    id: idOf(slug, game, second),
    stage,
    round: rounds.numberOf(game),
    ...(table !== undefined && { table }),
    ...(date !== undefined && { date }),
    ...(scenario !== undefined && { scenario }),
    ...(outcome && { finished: true }),
    ...(winner !== undefined && { winner }),
    ...(winner !== undefined && outcome?.size && { victorySize: outcome.size }),
    sides: [sideOf(first, game, 0), sideOf(second, game, 1)],
  };
}

const idOf = (slug: string, { stage, round, first }: Game, second: Player): string =>
  battleId(slug, stage, 'field' in round ? `of${round.field}` : String(round.number), first.no, second.no);

function winnerOf({ outcome, first, second }: Game): string | undefined {
  if (!outcome?.winner || !second) return undefined;
  return participantId(outcome.winner === 'first' ? first.no : second.no);
}

function sideOf(player: Player, { victoryPoints, battlePoints }: Game, index: 0 | 1): TournamentSide {
  const [vp, bp] = [victoryPoints[index], battlePoints[index]];
  const isListed = player.faction !== undefined && player.points !== undefined;
  return {
    participant: participantId(player.no),
    ...(player.subFaction !== undefined && !isListed && { subFaction: player.subFaction }),
    ...(bp !== undefined && { battlePoints: bp }),
    ...(vp !== undefined && { victoryPoints: vp }),
  };
}

function byeOf(game: Game, rounds: ReturnType<typeof roundsOf>): ByeEntry {
  const { stage, first, outcome, victoryPoints, battlePoints } = game;
  const [vp = 0, other = 0] = victoryPoints;
  return {
    stage,
    round: rounds.numberOf(game),
    participant: participantId(first.no),
    win: outcome?.winner === 'first',
    battlePoints: battlePoints[0] ?? 0,
    victoryPoints: vp,
    victoryPointsDiff:
      victoryPoints[1] === undefined ? 0 : (Math.round(vp * 100) - Math.round(other * 100)) / 100,
  };
}

/** Returns the matches. `games` are in order, so the position of a match is counted within its round. */
function matchesOf(slug: string, games: Game[], rounds: ReturnType<typeof roundsOf>): MatchEntry[] {
  const positions = new Map<string, number>();
  return games.flatMap((game) => {
    const { stage, table, first, second } = game;
    if (isBoard(stage) || !second) return [];
    const round = rounds.numberOf(game);
    const position = (positions.get(`${stage} ${round}`) ?? 0) + 1;
    positions.set(`${stage} ${round}`, position);
    const winner = winnerOf(game);
    return {
      stage,
      round,
      position,
      table: table ?? position,
      players: [participantId(first.no), participantId(second.no)],
      ...(winner !== undefined && { winner }),
      battle: idOf(slug, game, second),
    };
  });
}
