// Decides what the screen in the hall shows. The scene follows from the facts, because nobody touches the
// screen from the morning to the prizes.
import type { Stage } from '../../contract/tournament.ts';
import {
  type BattleView,
  type BracketRound,
  type BracketView,
  type MatchView,
  type NowView,
  pairingsOf,
  standingsView,
} from '../../published/views.ts';
import { bracketMatch } from '../bracket/bracket.ts';
import { isOver, currentRoundName } from '../parts/current-round.ts';
import { crestOf } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import { name } from '../parts/names.ts';
import { dotsOf, pathDots } from '../parts/path.ts';
import { shownRank } from '../parts/shown-rank.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import type { SiteSettings } from '../site-settings.ts';
import { boardProgress } from '../tournament-parts/board-progress.ts';
import { shownRows, type ShownRow } from '../tournament-parts/board.ts';
import { participantsOfRound } from '../tournament-parts/people-of-round.ts';
import { type SignUp, signUpsOf } from '../tournament-parts/sign-ups.ts';
import type { Words } from '../words/en.ts';
import { shortCard } from '../match/card.ts';
import { battleBox } from '../match/pairing.ts';
import { shownBracket, type ShownTournament } from '../tournament-parts/tournament-frame.ts';
import {
  areShort,
  grid,
  type Grid,
  line,
  nameWithTable,
  pagesOf,
  part,
  pips,
  screenName,
  tableCard,
  withUnit,
} from './parts.ts';
import type { ScreenRow } from './statement.ts';

/** The content between the head and the foot of the screen, page by page. */
export interface Scene {
  pages: { kind: 'one' | 'duo' | 'pair'; text: Html }[];
  /** The text in the foot if there is no last result. */
  note?: Html | string | undefined;
  /** The id of the participant who is ranked first now, and was not after the last complete round. */
  newLeader?: string | undefined;
}

const signUps: Grid = { rows: 11, columns: 3, isFlush: true };
const people: Grid = { rows: 12, columns: 3, isFlush: true };
const tables: Grid = { rows: 8, columns: 2 };
const fewTables = tables.rows * tables.columns;
const fewMatches: Grid = { rows: 4, columns: 1 };
const openTables: Grid = { rows: 7, columns: 1 };
const numbers: Grid = { rows: 7, columns: 6 };
const provisional: Grid = { rows: 10, columns: 1, isFlush: true };
const standings: Grid = { rows: 10, columns: 2, isFlush: true };
const group: Grid = { rows: 8, columns: 1, isFlush: true };

export function sceneOf(site: SiteSettings, event: ShownTournament, rows: readonly ScreenRow[]): Scene {
  const stages = rows.flatMap((row) => stageOf(site, event, row) ?? []);
  if (event.status === 'planned') {
    const board = stages.find(({ id }) => id === event.defaultStage);
    return signedUp(site, signUpsOf(site, event.slug, rows[0]?.signUps ?? [], board?.rows ?? []));
  }
  const playing = (event.playing ?? []).flatMap((now) => {
    const stage = stages.find(({ id }) => id === now.stage);
    return stage ? [{ ...stage, now }] : [];
  });
  const board = playing.find((each) => each.rows !== undefined);
  const brackets = playing.filter((each) => each.bracket !== undefined);
  if (board && brackets.length > 0 && !isOver(board.now.now))
    return { pages: twoStages(site, event, brackets, board) };
  if (brackets.length > 0) return { pages: bracketPages(site, event, bracketsIn(brackets)) };
  if (board) return { pages: boardPages(site, event, board), newLeader: newLeaderIn(board.rows ?? []) };
  const last = stages.find(({ id }) => id === event.defaultStage) ?? stages.at(-1);
  if (last === undefined) return { pages: [empty(site)] };
  if (last.bracket) return { pages: bracketPages(site, event, [last.bracket]) };
  const own = standingsPages(site, event, last);
  return { pages: event.status === 'finished' ? [...podium(site, last), ...own] : own };
}

type Page = Scene['pages'][0];

/**
 * Returns the id of a new leader. Nobody leads while several share rank 1, and groups have no common leader.
 */
function newLeaderIn(rows: readonly ShownRow[]): string | undefined {
  const [first, ...others] = rows.filter(({ rank }) => rank === 1);
  const before = first?.ranks?.at(-1) ?? 1;
  return others.length === 0 && first?.group === undefined && before > 1 ? first?.entry : undefined;
}

interface ShownStage {
  id: string;
  stage: Stage;
  rows?: ShownRow[];
  /** The round that the recorded ranking is from, if the results of later ones do not count yet. */
  rankingAsOf?: number | undefined;
  bracket?: BracketView;
  pairings: string | null;
}

type Playing = ShownStage & { now: NowView };

function stageOf(
  site: SiteSettings,
  event: ShownTournament,
  { stage: id, standings: document, view, pairings }: ScreenRow,
): ShownStage | undefined {
  const stage = event.stages.find((each) => each.id === id);
  if (stage === undefined || view === null) return undefined;
  const shown = standingsView(document ?? '', view);
  if (shown.type === 'bracket') return { id: stage.id, stage, bracket: shownBracket(event, shown), pairings };
  const rows = shownRows(site, event, shown);
  return { id: stage.id, stage, rows, rankingAsOf: shown.rankingAsOf, pairings };
}

const empty = ({ words }: SiteSettings): Page => ({
  kind: 'one',
  text: html`<p class="empty">${words.event.noStandings}</p>`,
});

/**
 * Makes the pages of one list under its title. The last argument says how many pages of the scene come before
 * and after them.
 */
function listPages(
  words: Words,
  title: Html | string,
  of: Grid,
  items: readonly Html[],
  [before, after]: readonly [number, number] = [0, 0],
): Page[] {
  const pages = pagesOf(items, of);
  const count = before + pages.length + after;
  return pages.map((own, page) => ({
    kind: 'one',
    text: part(title, pips(words, before + page, count), grid(of, own)),
  }));
}

function signedUp(site: SiteSettings, all: readonly SignUp[]): Scene {
  const { words } = site;
  const isShort = areShort(all);
  const items = all.map(
    ({ faction, player }) => html`
<li class="sign">${crestOf(faction)}${screenName(words, player, isShort)}</li>`,
  );
  return {
    pages: listPages(words, words.events.signedUp(all.length), signUps, items),
    note: words.screen.pairingsHere,
  };
}

/**
 * Shows the pairings until the first result, then the open tables beside the standings, and after the round
 * the standings alone.
 */
function boardPages(site: SiteSettings, event: ShownTournament, shown: Playing): Page[] {
  const { now, rows = [] } = shown;
  if (isOver(now.now)) return standingsPages(site, event, shown);
  if (rows[0]?.group !== undefined && now.total.results > 0) return groupPages(site, shown);
  return now.total.results === 0 ? pairingPages(site, event, shown) : roundPages(site, event, shown);
}

function pairingPages(
  site: SiteSettings,
  { slug, played }: ShownTournament,
  { id, pairings }: Playing,
): Page[] {
  const { words } = site;
  const rounds = pairingsOf(pairings ?? '[]');
  const battles = rounds.flatMap(({ open, done, stage }) =>
    [...open, ...done].map((battle) => battleBox(site, slug, { ...battle, stage })),
  );
  const byes = (played.find((each) => each.id === id)?.byes ?? []).filter((bye) =>
    rounds.some(({ round, group: of }) => round === bye.round && (of === undefined || of === bye.group)),
  );
  const byTable = battles.length > fewTables ? [] : battles.map((match) => tableCard(words, match));
  const everybody = participantsOfRound(battles, byes);
  const isShort = areShort(everybody);
  const names = everybody.map(({ player, match }) => nameWithTable(words, player, match?.table, isShort));
  const before = byTable.length > 0 ? pagesOf(byTable, tables).length : 0;
  return [
    ...(before > 0
      ? listPages(words, words.screen.byTable, tables, byTable, [0, pagesOf(names, people).length])
      : []),
    ...listPages(words, words.screen.findTable, people, names, [before, 0]),
  ];
}

function roundPages(site: SiteSettings, event: ShownTournament, shown: Playing): Page[] {
  const { words } = site;
  const { id, rows = [], now } = shown;
  const left = openPages(site, event, shown);
  const draw = (row: ShownRow) => lineOf(site, shown, row);
  const t = words.screen;
  // The organiser may have ranked a round although one of its results is missing.
  const [after] = event.played.find((each) => each.id === id)?.complete ?? [];
  const isRanked = after !== undefined && now.now.every(({ round }) => round <= after.round);
  const current = isRanked ? t.standingsAfter(after.round) : t.provisional;
  const heading = withUnit(words, standingsTitle(words, shown, current));
  // In some sheets a game appears only once it has a result.
  if (left.length === 0) return listPages(words, heading, standings, playersOf(rows).map(draw));
  const right = pagesOf(playersOf(rows), provisional);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, page) => ({
    kind: 'duo',
    text: html`${left[page % left.length]}${part(
      heading,
      pips(words, page % right.length, right.length),
      grid(provisional, (right[page % right.length] ?? []).map(draw)),
    )}`,
  }));
}

/**
 * Shows the tables that are still playing, as cards, or only as numbers if there are many. There is no page
 * if no such table is known.
 */
function openPages(site: SiteSettings, { slug }: ShownTournament, { pairings }: Playing): Html[] {
  const { words } = site;
  const open = pairingsOf(pairings ?? '[]')
    .flatMap((round) => round.open.map((battle) => ({ ...battle, stage: round.stage })))
    .toSorted((a, b) => (a.table ?? Infinity) - (b.table ?? Infinity));
  if (open.length === 0) return [];
  const beside = words.screen.tables(open.length);
  if (open.length <= openTables.rows || open.some(({ table }) => table === null)) {
    return pagesOf(open, openTables).map((own) =>
      part(
        words.screen.stillPlaying,
        beside,
        grid(
          openTables,
          own.map((battle) => tableCard(words, battleBox(site, slug, battle))),
        ),
      ),
    );
  }
  return pagesOf(open, numbers).map((own) =>
    part(
      words.screen.stillPlaying,
      beside,
      html`<ol class="nums">${own.map(
        ({ table }) => html`
<li><span class="vh">${words.match.table} </span>${table}</li>`,
      )}
</ol>`,
    ),
  );
}

/**
 * Shows two groups on a page, each with its standings. A row shows the table of somebody who is still
 * playing.
 */
function groupPages(site: SiteSettings, shown: Playing): Page[] {
  const { words } = site;
  const { rows = [], now } = shown;
  const parts = [...Map.groupBy(playersOf(rows), (row) => row.group ?? '')].flatMap(([title, own]) => {
    const round = now.now.find((each) => each.group === title);
    const t =
      round === undefined || round.expected === null
        ? undefined
        : words.rounds.resultsOfIn(round.results, round.expected);
    return pagesOf(own, group).map((some) =>
      part(
        name(title),
        t,
        grid(
          group,
          some.map((row) => lineOf(site, shown, row)),
        ),
      ),
    );
  });
  return pagesOf(parts, { rows: 1, columns: 2 }).map((two) => ({ kind: 'pair', text: html`${two}` }));
}

function standingsPages(
  site: SiteSettings,
  { played }: ShownTournament,
  shown: ShownStage & { now?: NowView },
): Page[] {
  const { words } = site;
  const { id, rows = [], stage, now } = shown;
  const own = played.find((each) => each.id === id);
  // If the rows count a bye of the next round already, they aren't the standings after any round.
  const isAfterRound = now && own && boardProgress(words, now.now, own) !== '';
  const title = isAfterRound
    ? words.screen.standingsAfter(Math.max(...now.now.map(({ round }) => round)))
    : name(stage.name);
  const groups = [...Map.groupBy(playersOf(rows), (row) => row.group ?? '').values()];
  if (groups.length > 1 && now) return groupPages(site, { ...shown, now });
  const draw = (row: ShownRow) => lineOf(site, shown, row);
  return listPages(
    words,
    withUnit(words, standingsTitle(words, shown, title)),
    standings,
    playersOf(rows).map(draw),
  );
}

/** A recorded ranking may be older than the results that are in. */
function standingsTitle({ screen }: Words, { stage, rankingAsOf }: ShownStage, current: Html | string): Html {
  if (rankingAsOf === undefined) return html`${current}`;
  return rankingAsOf === 0 ? name(stage.name) : html`${screen.standingsAfter(rankingAsOf)}`;
}

function lineOf(site: SiteSettings, { rows = [], stage }: ShownStage, row: ShownRow): Html {
  const dots = dotsOf(rows, stage.rounds ?? 0);
  return line(site, row, { dots, points: rows.map(({ battlePoints }) => battlePoints) });
}

/** Leaves out no-shows. */
const playersOf = (rows: readonly ShownRow[]): ShownRow[] => rows.filter(({ isNoShow }) => !isNoShow);

function podium(site: SiteSettings, { rows = [], stage }: ShownStage): Page[] {
  const { words } = site;
  const best = rows.filter((row) => (shownRank(row) ?? Infinity) <= 3).slice(0, 3);
  const [first, second, third] = best;
  if (first === undefined) return [];
  const step = (row: ShownRow | undefined, position: number) =>
    row &&
    html`
<li class="p${position}"><span class="no">${row.rank}</span>${crestOf(row.faction)}${screenName(words, row.player)}<span class="sub">${row.faction}</span>${pathDots(words, row, 0)}${row.path ? html`<span class="sub">${winsDrawsLosses(row)}</span>` : ''}</li>`;
  return [
    {
      kind: 'one',
      text: part(
        name(stage.name),
        undefined,
        html`<ol class="steps3">${step(second, 2)}${step(first, 1)}${step(third, 3)}
</ol>`,
      ),
    },
  ];
}

/**
 * How many rounds of a bracket are side by side, and how many matches of the first of them are on one page.
 */
const shownRounds = 3;
const shownMatches = 8;

const bracketsIn = (stages: readonly ShownStage[]): BracketView[] =>
  stages.flatMap(({ bracket }) => bracket ?? []);

/** Shows all trees, and then the matches that are in none of them, such as the one for third place. */
function bracketPages(site: SiteSettings, event: ShownTournament, brackets: readonly BracketView[]): Page[] {
  // Before the draw, a bracket has rounds without matches.
  const isDrawn = (rounds: readonly BracketRound[]) => rounds.some(({ matches }) => matches.length > 0);
  const trees = brackets.flatMap((bracket) =>
    bracket.trees.flatMap((rounds) => (isDrawn(rounds) ? [{ bracket, rounds }] : [])),
  );
  const [first, ...others] = trees;
  // A single match needs no page of its own.
  const isTree = ({ rounds }: (typeof trees)[0]) => rounds.length > 1;
  const shown = trees.filter((tree) => tree === first || isTree(tree));
  const apart = [
    ...others.filter((tree) => !isTree(tree)),
    ...brackets.map((bracket) => ({ bracket, rounds: bracket.apart })),
  ];
  const drawn = [
    ...shown.flatMap(({ bracket, rounds }) => treePages(site, event, bracket, rounds)),
    ...matchPages(site, event, apart),
  ];
  if (drawn.length === 0) return [empty(site)];
  return drawn.map(({ kind, text }, page) => ({
    kind,
    text: html`${text}${pips(site.words, page, drawn.length)}`,
  }));
}

/**
 * Shows the whole tree for up to eight players. If it is larger, three rounds are shown, beginning with the
 * current one as long as two more follow.
 */
function treePages(
  site: SiteSettings,
  event: ShownTournament,
  bracket: BracketView,
  rounds: readonly BracketRound[],
): Page[] {
  const current = Math.max(
    0,
    rounds.findIndex(({ round }) => round === bracket.round),
  );
  const from = Math.max(0, Math.min(current, rounds.length - shownRounds));
  const shown = rounds.slice(from, from + shownRounds);
  const first = shown[0]?.matches.length ?? 0;
  return Array.from({ length: Math.max(1, Math.ceil(first / shownMatches)) }, (_, page) => ({
    kind: 'one',
    text: html`<ol class="tree${first > 4 && ' eight'}">${shown.map((round, depth) => {
      const size = Math.max(1, shownMatches >> depth);
      const own = round.matches.slice(page * size, (page + 1) * size);
      return html`
<li><h2${round.round === bracket.round && html` class="cur"`}>${roundName(site.words, round)}</h2>
<ol>${own.map(
        (number) => html`
<li>${number !== null && matchCard(site, event, bracket.matches[number - 1])}</li>`,
      )}
</ol></li>`;
    })}
</ol>`,
  }));
}

/** Shows the matches of these rounds as lists, two of them on a page. */
function matchPages(
  site: SiteSettings,
  event: ShownTournament,
  all: readonly { bracket: BracketView; rounds: readonly BracketRound[] }[],
): Page[] {
  const parts = all.flatMap(({ bracket, rounds }) =>
    rounds.flatMap((round) => {
      const cards = round.matches.flatMap((number) => {
        const match = number === null ? undefined : bracket.matches[number - 1];
        return match === undefined ? [] : tableCard(site.words, bracketMatch(site, event.slug, match));
      });
      return pagesOf(cards, fewMatches).map((own) =>
        part(roundName(site.words, round), undefined, grid(fewMatches, own)),
      );
    }),
  );
  if (parts.length === 0) return [];
  return pagesOf(parts, { rows: 1, columns: 2 }).map((two) => ({ kind: 'pair', text: html`${two}` }));
}

const roundName = (words: Words, { round, title, matches }: BracketRound): string =>
  title === undefined ? words.rounds.round(round) : currentRoundName(words, [title], matches.length);

function matchCard(
  site: SiteSettings,
  { slug }: ShownTournament,
  match: MatchView | undefined,
): Html | false {
  if (match === undefined) return false;
  const box = bracketMatch(site, slug, match);
  const { table, state, number } = match;
  // The winner of a match is announced by its number, whereas its players look for the table. Everywhere else
  // on the screen a large number is a table, so the word says what this one is.
  const lead = { word: site.words.match.match, number };
  const isAtTable = table !== null && state === 'open';
  const below = html`${site.words.match.match}${isAtTable && html` <span class="at">${site.words.board.shortTable(table)}</span>`}`;
  return shortCard(site.words, { ...box, address: undefined, lead }, below);
}

/** Shows the brackets on the left, one after the other, and the other stage on the right. */
function twoStages(
  site: SiteSettings,
  event: ShownTournament,
  brackets: readonly Playing[],
  right: Playing,
): Page[] {
  const { words } = site;
  const left = brackets.flatMap((bracket) => matchesOf(site, event, bracket));
  const rows = pagesOf(playersOf(right.rows ?? []), provisional);
  return Array.from({ length: Math.max(left.length, rows.length) }, (_, page) => ({
    kind: 'duo',
    text: html`${left[page % left.length]}${part(
      withUnit(words, name(right.stage.name)),
      pips(words, page % rows.length, rows.length),
      grid(
        provisional,
        (rows[page % rows.length] ?? []).map((row) => lineOf(site, right, row)),
      ),
    )}`,
  }));
}

/** Draws the matches of a bracket that are being played now as lists, and those that are over after them. */
function matchesOf(site: SiteSettings, { slug }: ShownTournament, { stage, now }: Playing): Html[] {
  const { words } = site;
  const { results, expected } = now.total;
  const played: (BattleView | MatchView)[] = [...now.open, ...now.done];
  const cards = played.map((match) =>
    tableCard(words, 'number' in match ? bracketMatch(site, slug, match) : battleBox(site, slug, match)),
  );
  return pagesOf(cards, fewMatches).map((own) =>
    part(
      name(stage.name),
      expected === null ? undefined : words.rounds.resultsOfIn(results, expected),
      grid(fewMatches, own),
    ),
  );
}
