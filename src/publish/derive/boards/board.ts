// A board: the places of one stage, with the numbers of each row.
import type { BoardRow } from '../../../contract/standings.ts';
import type {
  BattleOutline,
  ParticipantFacts,
  StageFacts,
  TournamentOutline,
} from '../../../record/facts/facts.ts';
import { filled } from '../documents/checked-document.ts';
import type { TieBreak } from '../../../record/facts/tournament-header.ts';
import { alphabetically, boardName, shownPlayerId } from '../documents/people.ts';
import { inPoints } from './points.ts';
import type { StageDetails } from '../now/play-shape.ts';
import { Tallies, type Tally } from './tally.ts';
import { type Decided, inOrder, opponentsBattlePoints } from './tie-break.ts';

export interface Board {
  /** In the order shown. */
  ranked: Ranked[];
  /**
   * In order of merit, without no-shows, with the rank in the group. Before the first result the lot decides this
   * order, and `ranked` shows no ranks yet. The final standings use this order, never the names.
   */
  merits: { participant: ParticipantFacts; rank: number }[];
  tallies: Tallies;
}

export interface Ranked extends Partial<Decided> {
  participant: ParticipantFacts;
  rank: number | null;
}

/** Every board of a tournament by stage id, without the merged final one. */
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

/** `factions` comes from `rowFactions`. */
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

/** What explains the order of the rows. */
export function boardDetails(
  { ranked, tallies }: Pick<Board, 'ranked' | 'tallies'>,
  tieBreaks: readonly TieBreak[],
  open: readonly BattleOutline[],
): StageDetails {
  const tables = new Map(
    open.flatMap(({ sides, table }) => sides.map(({ participant }) => [participant, table])),
  );
  const playing = ranked.flatMap(({ participant: { id } }, row): [number, number | null][] =>
    tables.has(id) ? [[row, tables.get(id) ?? null]] : [],
  );
  const mean = ({ participant }: Ranked): number => {
    const { sum, of } = opponentsBattlePoints(participant.id, tallies);
    return inPoints(Math.round(sum / of));
  };
  const isDecided = ranked.some(({ decidedBy }) => decidedBy !== undefined);
  return {
    ...(isDecided && { decidedBy: ranked.map(({ decidedBy = null }) => decidedBy) }),
    ...(tieBreaks.includes('opponentsBattlePoints') && { opponents: ranked.map(mean) }),
    ...(playing.length > 0 && { playing }),
  };
}

/** One row. Lists each field explicitly. */
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
  const merits: Board['merits'] = [];
  const ranked = inGroups(members, stage.grouped ? facts.groups : null).flatMap((group) => {
    const absent = byName(group.filter(({ noShow }) => noShow)).map(unranked);
    const present = group.filter(({ noShow }) => !noShow);
    const contenders = present.map((participant) => ({
      id: participant.id,
      lot: participant.lot,
      earlierRank: earlierRanks.get(participant.id) ?? null,
      participant,
    }));
    const byMerit = inOrder(contenders, facts.tieBreaks, tallies).map(
      ({ participant, decidedBy }, index) => ({
        participant,
        rank: index + 1,
        decidedBy,
      }),
    );
    merits.push(...byMerit);
    return [...(tallies.begun ? byMerit : byName(present).map(unranked)), ...absent];
  });
  return { ranked, merits, tallies };
}

/** The members group by group, or all as one group when the board has no groups. */
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

function byName(people: ParticipantFacts[]): ParticipantFacts[] {
  return alphabetically(people, ({ id }) => id);
}

function unranked(participant: ParticipantFacts): Ranked {
  return { participant, rank: null };
}
