// Derives the standings of a tournament, stage by stage, and what pages show of them and of the whole
// tournament.
import { type BoardRow, BoardStandings, BracketStandings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import type { BattleOutline, StageFacts, TournamentOutline } from '../../record/facts/facts.ts';
import { type Board, boardRows, boards, type Ranked } from './boards/board.ts';
import { finalStandings, hasRecordedPlacements } from './boards/final-standings.ts';
import type { RecordedRanks } from './boards/recorded-ranks.ts';
import { Tallies } from './boards/tally.ts';
import { bracketMatches } from './brackets/bracket.ts';
import { documentOf } from './fragments/checked-document.ts';
import { shownEntry } from './fragments/people.ts';
import { defaultStage } from './brackets/stages.ts';
import { factionRecords } from './factions/faction.ts';
import { stageNow } from './views/current-round.ts';
import { finalistsOf, leaderAfterRound, leadersOf, winnerOf } from './views/leader.ts';
import type { People } from './views/battle-view.ts';
import { compareText } from '../../text/fold.ts';
import { boardView } from './views/board-view.ts';
import { bracketView } from './views/bracket-view.ts';
import { latestResults } from './views/latest-results.ts';
import { movements } from './views/movement.ts';
import { boardNow, bracketNow } from './views/now-view.ts';
import { afterRounds } from './views/rounds.ts';
import {
  type PageOnlyRow,
  type PageOnlyStandings,
  type BoardView,
  type Leader,
  type NowView,
  type Pairings,
  type RowView,
  type StageView,
  storedPairings,
  storedStandings,
  type TournamentView,
} from '../../published/views.ts';
import { completeRounds, stageKindOf, stageView } from './views/stage-view.ts';

export interface StandingsDocuments {
  stage: string;
  /** The whole answer of the standings endpoint. */
  document: string;
  /** JSON that `standingsView` reads. */
  view: string;
  /**
   * The participants in the order of the rows of a board, with an empty string for the erased, or the
   * participants of a bracket who have an opponent.
   */
  entries: string[];
  /** The rounds that are being played, otherwise the last one that has begun. */
  rounds: number[];
  /** JSON that `pairingsOf` reads. Null if nothing of the stage is being played. */
  pairings: string | null;
}

interface Standings {
  standings: StandingsDocuments[];
  /** The `TournamentView` as JSON. */
  view: string;
  /** The winner or leader as JSON, for lists. */
  leader: string | null;
  /** The ranks and rows of the final standings. Empty before the tournament is finished. */
  ranked: Ranked[];
  rows: RowView[];
}

/** Everything that is derived from one stage. */
interface Shown {
  document: string;
  view: PageOnlyStandings;
  /** The rows of a board. Empty for a bracket. */
  rows: RowView[];
  entries: string[];
  stage: StageView;
  played: { now: NowView; pairings: Pairings } | undefined;
}

/** The data that all stages of a tournament are derived from. */
interface Context {
  facts: TournamentOutline;
  people: People;
  battles: ReadonlyMap<string, BattleOutline>;
  made: ReadonlyMap<string, Board>;
  factions: ReadonlyMap<string, string>;
}

const asBoard = documentOf(BoardStandings);
const asBracket = documentOf(BracketStandings);

export function standingsOf(
  facts: TournamentOutline,
  stages: Stage[],
  factions: ReadonlyMap<string, string>,
): Standings {
  const people = new Map(facts.participants.map((participant) => [participant.id, participant]));
  const battles = new Map(facts.battles.map((battle) => [battle.id, battle]));
  const context = { facts, people, battles, made: boards(facts), factions };
  const known = new Map(facts.stages.map((stage) => [stage.id, stage]));
  const final = facts.status === 'finished' ? finalBoard(context) : undefined;
  const shown = stages.map((each) => {
    const stage = known.get(each.id);
    if (stage?.type === 'bracket') return bracketOf(context, stage, each);
    return stage ? boardOf(context, stage, each) : mergedOf(context, each, final);
  });
  const begins = defaultStage(facts);
  const records = factionRecords(facts, factions);
  const first = facts.status === 'planned' ? undefined : shown.find(({ stage }) => stage.id === begins);
  const rows = (final && shown.find(({ stage }) => !known.has(stage.id))?.rows) ?? [];
  const [champion, another] = leadersOf(rows.slice(0, 2));
  // In the placement Swiss, the first of those who are out of the knockout leads nothing.
  const leader =
    facts.status === 'finished'
      ? winnerOf(rows)
      : first && begins !== 'placement-swiss'
        ? leaderAfterRound(first.stage)
        : undefined;
  const view: TournamentView = {
    ...(champion && !another && { champion }),
    ...(champion && !another && finalIn(shown, champion)),
    hasFactions: begins !== null && records.length > 0,
    stages: shown.map(({ stage }) => stage),
    ...(facts.status === 'ongoing' && { now: shown.flatMap(({ played }) => played?.now ?? []) }),
    latest: latestResults(facts, people),
  };
  return {
    standings: shown.map(({ document, view: own, entries, stage: { id, begun }, played }) => ({
      stage: id,
      document,
      view: storedStandings({ ...own, ...(id === begins && { factions: records }) }),
      entries,
      rounds: played
        ? [...new Set(played.now.now.map(({ round }) => round))].toSorted((a, b) => a - b)
        : [Math.max(begun, 1)],
      pairings: played ? storedPairings(played.pairings) : null,
    })),
    view: JSON.stringify(view),
    leader: leader ? JSON.stringify(leader) : null,
    ranked: final?.ranked ?? [],
    rows,
  };
}

function bracketOf(context: Context, stage: StageFacts, { id, name }: Stage): Shown {
  const { facts, people, battles } = context;
  const now = facts.status === 'ongoing' ? stageNow(facts, stage) : undefined;
  const own = stageView(facts, stage, people);
  const isPast = facts.status === 'finished' || now?.now.length === 0;
  const drawn = bracketView(facts, stage, people, { isPast, round: now?.now[0]?.round ?? own.begun });
  const pairs = facts.matches.filter((match) => match.stage === id && match.players.length === 2);
  return {
    document: asBracket(whatOf(facts, id), {
      stage: { id, name, type: 'bracket' },
      data: bracketMatches(facts, stage, people),
    }),
    view: drawn.view,
    rows: [],
    entries: [...new Set(pairs.flatMap(({ players }) => players))]
      .filter((each) => entryIn(people, each))
      .toSorted(compareText),
    stage: own,
    played: now && bracketNow(id, now, finalistsOf(stage, facts.matches, people), battles, drawn),
  };
}

function boardOf(context: Context, stage: StageFacts, { id, name }: Stage): Shown {
  const { facts, people, battles, made, factions } = context;
  const board = made.get(id);
  if (board === undefined) throw new Error(`stage ${id} of tournament ${facts.slug} has no board`);
  const now = facts.status === 'ongoing' ? stageNow(facts, stage) : undefined;
  const open = now?.now.flatMap((round) => round.open).toReversed() ?? [];
  const data = boardRows(board, factions, stage.grouped);
  const after = facts.status === 'planned' ? undefined : afterRounds(facts, stage, board, now);
  const { ranked, tallies, recorded } = board;
  const view = boardView(facts, {
    ranked,
    tallies,
    stage: id,
    ...(after && { after }),
    ...(now && after && { movement: movements(facts, stage, board, after) }),
    stages: stage.carriesOver === null ? [id] : [stage.carriesOver, id],
    isRecorded: () => recorded !== undefined,
    open: open.flatMap((battle) => battles.get(battle) ?? []),
  });
  const rows = joined(data, view.rows);
  return {
    document: asBoard(whatOf(facts, id), { stage: { id, name, type: 'board' }, data }),
    view: { ...view, ...(recorded && { isRecorded: true as const, ...asOfIn(recorded) }) },
    rows,
    entries: entriesOf(people, ranked),
    stage: { ...stageView(facts, stage, people), ...(after && completeRounds(after, rows)) },
    played: now && boardNow(id, now, battles, people),
  };
}

/** Derives the merged final table. */
function mergedOf(
  { facts, people, made, factions }: Context,
  { id, name }: Stage,
  final: Pick<Board, 'ranked' | 'tallies' | 'recorded'> = {
    ranked: [],
    tallies: new Tallies(facts, new Set()),
    recorded: undefined,
  },
): Shown {
  const data = boardRows(final, factions, false);
  const ranked = new Set([...made.values()].flatMap(({ recorded }) => [...(recorded?.ranks.keys() ?? [])]));
  const view = boardView(facts, {
    ...final,
    stages: facts.stages.map((stage) => stage.id),
    isRecorded: (participant) => hasRecordedPlacements(facts) || ranked.has(participant),
    open: [],
  });
  return {
    document: asBoard(whatOf(facts, id), { stage: { id, name, type: 'board' }, data }),
    view: {
      ...view,
      ...(hasRecordedPlacements(facts)
        ? { isRecorded: true as const }
        : final.recorded && { isSwissRecorded: true as const, ...asOfIn(final.recorded) }),
    },
    rows: joined(data, view.rows),
    entries: entriesOf(people, final.ranked),
    stage: { id, ...stageKindOf(name), begun: 0, byes: [] },
    played: undefined,
  };
}

/**
 * Finds the match of the last round that made the champion. There is none if the organiser recorded another
 * order, or if the champion is erased.
 */
function finalIn(shown: readonly Shown[], { entry }: Leader): Pick<TournamentView, 'final'> {
  const { view } = shown.find(({ stage }) => stage.id === 'knockout') ?? {};
  if (view?.type !== 'bracket' || entry === undefined) return {};
  const last = Math.max(...view.matches.map(({ round }) => round));
  const final = view.matches.find(
    ({ round, title: { kind }, sides }) =>
      round === last &&
      // The match for third place is in the last round, too.
      (kind === undefined || 'field' in kind) &&
      sides.some((side) => 'player' in side && side.entry === entry && side.outcome === 'win'),
  );
  return final ? { final } : {};
}

const asOfIn = ({ asOf }: RecordedRanks): Pick<BoardView, 'rankingAsOf'> =>
  asOf === null ? {} : { rankingAsOf: asOf };

const joined = (data: readonly BoardRow[], beside: readonly PageOnlyRow[]): RowView[] =>
  data.map((row, index) => ({ ...row, ...beside[index] }));

const whatOf = ({ slug }: TournamentOutline, stage: string) =>
  `the standings (${stage}) of tournament ${slug}`;

const entryIn = (people: People, id: string): string | null => {
  const person = people.get(id);
  return person ? shownEntry(person, id) : null;
};

const entriesOf = (people: People, ranked: readonly Ranked[]): string[] =>
  ranked.map(({ participant: { id } }) => entryIn(people, id) ?? '');

/** Merges all stages into the final standings. */
function finalBoard({ facts, made }: Context): Pick<Board, 'ranked' | 'tallies' | 'recorded'> {
  const tallies = new Tallies(facts, new Set(facts.stages.map(({ id }) => id)));
  const ranked = finalStandings(facts, made, tallies);
  const [only, another] = facts.stages;
  const recorded = made.get('swiss')?.recorded;
  if (!only || another || only.grouped || hasRecordedPlacements(facts)) return { ranked, tallies, recorded };
  // With only one board, its order is the final order, so the rows keep what decided it. With several stages,
  // the sums that a row shows did not decide the order.
  const own = new Map(made.get(only.id)?.ranked.map((entry) => [entry.participant.id, entry]));
  return {
    ranked: ranked.map((entry) => ({ ...own.get(entry.participant.id), ...entry })),
    tallies,
    recorded,
  };
}
