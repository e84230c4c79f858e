// Derives a board: the ranks of one stage, with the numbers of each row.
import type { BoardRow } from '../../../contract/standings.ts';
import type { ParticipantFacts, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { filled } from '../fragments/checked-document.ts';
import { alphabetically, boardName, shownPlayerId } from '../fragments/people.ts';
import { inPoints } from './points.ts';
import { newestRanking, type RecordedRanks } from './recorded-ranks.ts';
import { Tallies, type Tally } from './tally.ts';
import { type Decided, inOrder } from './tie-break.ts';

export interface Board {
  /** The rows in the order in which they are shown. */
  ranked: Ranked[];
  /**
   * The participants in order of merit, without no-shows, each with their rank in the group. Before the first
   * result, the lot decides this order, and `ranked` shows no ranks yet. The final standings use this order,
   * never the alphabetical one.
   */
  merits: { participant: ParticipantFacts; rank: number }[];
  tallies: Tallies;
  /** The ranking that decided the order, if the organiser recorded one. */
  recorded: RecordedRanks | undefined;
  /** Returns the board as it stood when this round of its stage was over. */
  after: (round: number) => Board;
}

export interface Ranked extends Partial<Decided> {
  participant: ParticipantFacts;
  rank: number | null;
}

/** Derives every board of a tournament except the merged final one. The keys are stage ids. */
export function boards(facts: TournamentOutline): Map<string, Board> {
  const people = new Map(facts.participants.map((participant) => [participant.id, participant]));
  const made = new Map<string, Board>();
  let previous: Board | undefined;
  for (const stage of facts.stages) {
    if (stage.type !== 'board') continue;
    const earlier = stage.carriesOver === null ? previous : made.get(stage.carriesOver);
    previous = board(facts, stage, people, earlier);
    made.set(stage.id, previous);
  }
  return made;
}

/** Returns the rows as the document shows them. `factions` comes from `rowFactions`. */
export function boardRows(
  { ranked, tallies }: Pick<Board, 'ranked' | 'tallies'>,
  factions: ReadonlyMap<string, string>,
  grouped: boolean,
): BoardRow[] {
  return ranked.map((row) => {
    const { id } = row.participant;
    return boardRow(row, tallies.of(id), factions.get(id) ?? null, grouped);
  });
}

/** Makes one row, and lists each field explicitly. */
function boardRow(
  { participant, rank }: Ranked,
  tally: Tally,
  faction: string | null,
  grouped: boolean,
): BoardRow {
  return filled<BoardRow>()({
    rank,
    ...(grouped && { group: participant.group ?? '' }),
    player: boardName(participant),
    playerId: shownPlayerId(participant),
    faction,
    battlePoints: inPoints(tally.battlePoints),
    wins: tally.wins,
    draws: tally.draws,
    losses: tally.losses,
    victoryPoints: inPoints(tally.victoryPoints),
    victoryPointsDiff: inPoints(tally.victoryPointsDiff),
  });
}

function board(
  facts: TournamentOutline,
  stage: StageFacts,
  people: ReadonlyMap<string, ParticipantFacts>,
  earlier: Board | undefined,
): Board {
  const counted = stage.carriesOver === null ? [stage.id] : [stage.carriesOver, stage.id];
  const tallies = new Tallies(facts, new Set(counted));
  const earlierRanks = new Map(earlier?.ranked.map(({ participant, rank }) => [participant.id, rank]));
  const members = stage.members.flatMap(({ participant }) => people.get(participant) ?? []);
  const recorded = newestRanking(facts, stage);
  const inMerit = (some: ParticipantFacts[]) =>
    inOrder(
      some.map((participant) => ({
        id: participant.id,
        lot: participant.lot,
        earlierRank: earlierRanks.get(participant.id) ?? null,
        participant,
      })),
      facts.tieBreaks,
      tallies,
    ).map(({ participant, decidedBy }, index) => ({ participant, rank: index + 1, decidedBy }));
  const orders = inGroups(members, stage.grouped ? facts.groups : null).map((group) =>
    recorded ? recordedOrder(group, recorded.ranks, inMerit) : derivedOrder(group, tallies.begun, inMerit),
  );
  const after = (round: number) => {
    const isBefore = (each: { stage: string | null; round: number | null }): boolean =>
      each.stage !== stage.id || (each.round ?? 0) <= round;
    const then = {
      ...facts,
      battles: facts.battles.filter(isBefore),
      byes: facts.byes.filter(isBefore),
      rankings: rankingsAfter(facts.rankings, stage, round),
    };
    return board(then, stage, people, earlier);
  };
  return {
    ranked: orders.flatMap(({ ranked }) => ranked),
    merits: orders.flatMap(({ merits }) => merits),
    tallies,
    recorded,
    after,
  };
}

/**
 * Returns the rankings that are known after `round`. If the organiser ranks the board, nobody has a rank
 * after a round for which no ranking is kept.
 */
function rankingsAfter(
  rankings: TournamentOutline['rankings'],
  { id }: StageFacts,
  round: number,
): TournamentOutline['rankings'] {
  const own = rankings.filter(({ stage }) => stage === id);
  if (own.length === 0) return rankings;
  const none = { stage: id, afterRound: round, ranks: {}, results: '' };
  return [
    ...rankings.filter(({ stage }) => stage !== id),
    own.find(({ afterRound }) => afterRound === round) ?? none,
  ];
}

type InMerit = (some: ParticipantFacts[]) => (Ranked & { rank: number })[];

function derivedOrder(
  group: ParticipantFacts[],
  begun: boolean,
  inMerit: InMerit,
): Pick<Board, 'ranked' | 'merits'> {
  const present = group.filter(({ noShow }) => !noShow);
  const absent = group.filter(({ noShow }) => noShow);
  const merits = inMerit(present);
  return { merits, ranked: [...(begun ? merits : withoutRank(present)), ...withoutRank(absent)] };
}

/** Orders participants who share a rank by the tie-breaks. Those without a rank come last. */
function recordedOrder(
  group: ParticipantFacts[],
  ranks: ReadonlyMap<string, number>,
  inMerit: InMerit,
): Pick<Board, 'ranked' | 'merits'> {
  const named = Map.groupBy(
    group.filter(({ id }) => ranks.has(id)),
    ({ id }) => ranks.get(id) ?? afterAll,
  );
  const ordered = [...named]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([rank, some]) => inMerit(some).map(({ participant }) => ({ participant, rank })));
  const others = group.filter(({ id }) => !ranks.has(id));
  const present = others.filter(({ noShow }) => !noShow);
  return {
    ranked: [...ordered, ...withoutRank(present), ...withoutRank(others.filter(({ noShow }) => noShow))],
    merits: [
      ...ordered.filter(({ participant }) => !participant.noShow),
      ...inMerit(present).map(({ participant }) => ({ participant, rank: afterAll })),
    ],
  };
}

/** Splits the participants of a board into their groups. A board without groups is one group. */
function inGroups(members: ParticipantFacts[], groups: string[] | null): ParticipantFacts[][] {
  if (groups === null) return [members];
  const parts = new Map<string | null, ParticipantFacts[]>(groups.map((group) => [group, []]));
  for (const member of members) {
    const part = parts.get(member.group);
    if (part) part.push(member);
    else parts.set(member.group, [member]);
  }
  return [...parts.values()];
}

/** Lists these participants by name, without ranks. */
function withoutRank(people: ParticipantFacts[]): Ranked[] {
  return alphabetically(people, ({ id }) => id).map((participant) => ({ participant, rank: null }));
}

/** Sorts participants who are not in the recorded ranking after all others. */
const afterAll = Number.MAX_SAFE_INTEGER;
