import type { AdjustmentView, Decider, RowView, StrengthOfOpponents } from '../../published/views.ts';
import { crestOf } from '../parts/crest.ts';
import { html, joined, type Html } from '../html.ts';
import { dot, dotKey, dotsOf, pathDots, unbeatenKey } from '../parts/path.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { type Identity, withGuest } from '../parts/guests.ts';
import { followData, name, participantLink } from '../parts/names.ts';
import { decimalsOf, winsDrawsLosses } from '../parts/numbers.ts';
import { penaltyWords, pointsOf } from '../parts/penalty.ts';
import { hasPlayed, shownRank } from '../parts/shown-rank.ts';
import type { BoardOrder } from './order.ts';
import type { Words } from '../words/en.ts';

/** A row, with the key of a guest and the participant's page. */
export type ShownRow = RowView & Pick<Identity, 'guest' | 'page'>;

/**
 * Returns the rows with the keys of guests and the participants' pages. Nobody is at a table if the
 * tournament is not being played.
 */
export function shownRows(
  site: SiteSettings,
  { slug, isRunning }: { slug: string; isRunning: boolean },
  { rows }: { rows: readonly RowView[] },
): ShownRow[] {
  return rows.map(({ playing, ...row }) =>
    withGuest(site, slug, isRunning && playing ? { ...row, playing } : row),
  );
}

export interface BoardMarks {
  /** While the tournament is running, those who dropped out are listed under "Not playing". */
  isRunning: boolean;
  /** The number of rounds in the stage, which is the number of dots in each row. */
  rounds: number;
  /** How many rows are on the pages before this one. */
  after?: number;
  /** The round that movement compares with. */
  movedSince?: number | undefined;
  /** Returns the text beside the name of a group, for a board with groups. */
  besideGroup?: ((group: string) => string | undefined) | undefined;
}

/** Draws the rows of one stage in one table, or in one table for each group. */
export function board(
  site: SiteSettings,
  rows: readonly ShownRow[],
  given: BoardMarks,
  order: BoardOrder,
): Html {
  const { words } = site;
  const t = words.board;
  const marks = { ...given, rounds: dotsOf(rows, given.rounds) };
  const columns = columnsOf(words, rows, order);
  const above = new Map(rows.map((row, index) => [row, rows[index - 1]]));
  const shown = onPage(rows, marks);
  const htmlOf = (own: readonly ShownRow[]) =>
    own.map((row) => boardRow(site, row, columns, deciderOf(row, above.get(row), columns), marks));
  const table = (caption: string, own: readonly ShownRow[]) => {
    const gone = own.filter((row) => isGone(row, marks));
    return html`<table class="board">
<caption class="vh">${name(caption)}</caption>
${tableHead(words, columns)}
<tbody>${htmlOf(own.filter((row) => !gone.includes(row)))}
</tbody>
${heading(t.notPlaying, 'out', columns, htmlOf(gone))}</table>`;
  };
  const longest = (own: readonly ShownRow[]) => {
    const games = Math.ceil(own.length / 2);
    return marks.isRunning
      ? `${words.rounds.round(marks.rounds)} · ${words.rounds.resultsOfIn(games, games)}`
      : undefined;
  };
  const groups = Map.groupBy(shown, ({ group }) => group ?? '');
  if (rows[0]?.group === undefined)
    return html`${table(words.event.standings, shown)}
${legend(site, shown, columns, marks, order)}`;
  return html`<div class="groups">${[...groups].map(
    ([group, own], index) => html`
<section aria-labelledby="g${index}">
<div class="h2row"><h3 id="g${index}">${name(group)}</h3>${beside(marks.besideGroup?.(group) ?? '', longest(own))}</div>
${table(group, own)}
</section>`,
  )}
</div>
${legend(site, shown, columns, marks, order)}`;
}

/**
 * Writes text beside the heading of a board. The longest text that may come there is hidden behind it, so that
 * the row has as many lines from the beginning and the board stays where it is.
 */
export const beside = (text: string, longest: string | undefined): Html =>
  html`<span class="sub"${longest !== undefined && html` data-longest="${longest}"`}>${text}</span>`;

/**
 * The number of rows on one page. A phone fetches the page again for every result, so a board of 1,000
 * players on one page would cost it 17 MB in the hour in which a round ends.
 */
export const boardSize = 200;

/**
 * Returns the rows on this page. If there are several pages, those who are not playing are on the last ones.
 */
function onPage(rows: readonly ShownRow[], marks: BoardMarks): readonly ShownRow[] {
  if (rows.length <= boardSize) return rows;
  const { true: gone = [], false: others = [] } = Object.groupBy(
    rows,
    (row) => `${isGone(row, marks)}` as const,
  );
  const { after = 0 } = marks;
  return [...others, ...gone].slice(after, after + boardSize);
}

/** The rank, the player and the dots. */
const besidesNumbers = 3;

/** Draws rows under a heading of their own. */
function heading(
  text: string,
  kind: string,
  columns: readonly Column[],
  rows: readonly (Html | undefined)[],
): Html | false {
  return (
    rows.length > 0 &&
    html`<tbody class="${kind}"><tr class="head"><th colspan="${columns.length + besidesNumbers}" scope="rowgroup">${text}</th></tr>${rows}
</tbody>
`
  );
}

/**
 * Returns true for those who no longer play, or never did. A finished tournament ranks those who dropped out
 * by their final placement.
 */
const isGone = (row: ShownRow, { isRunning }: BoardMarks): boolean =>
  row.isNoShow === true || (row.isDropped === true && isRunning);

/** A column that has a number for each row. */
interface Column {
  by: Decider;
  head: string;
  title: string;
  cell: (row: ShownRow) => string;
}

/**
 * Returns the columns in the order of the tie-breaks, and then those that do not count. The first is the
 * large number. The dots already show the record, so it has a column only if it is the first or if it
 * decided. The strength of opponents has a column under the same condition.
 */
function columnsOf(
  { board: t, number, signed }: Words,
  rows: readonly ShownRow[],
  { tieBreaks }: BoardOrder,
): Column[] {
  const points = decimalsOf(rows.map((row) => row.battlePoints));
  const victory = decimalsOf(rows.map((row) => row.victoryPoints));
  const difference = decimalsOf(rows.map((row) => row.victoryPointsDiff));
  const column = (by: Decider, head: string, title: string, cell: Column['cell']) => ({
    by,
    head,
    title,
    cell,
  });
  const mean = (by: Decider, head: readonly [string, string], key: keyof StrengthOfOpponents) => {
    const decimals = decimalsOf(rows.map((row) => row[key] ?? 0));
    return column(by, ...head, (row) => number(row[key] ?? 0, decimals));
  };
  const all = [
    column('battlePoints', ...t.battlePoints, (row) => number(row.battlePoints, points)),
    column('victoryPointsDiff', ...t.difference, (row) => signed(row.victoryPointsDiff, difference)),
    column('victoryPoints', ...t.victoryPoints, (row) => number(row.victoryPoints, victory)),
    column('wins', ...t.wins, (row) => winsDrawsLosses(row)),
    mean('opponentsBattlePoints', t.opponents, 'opponents'),
    mean('opponentsWins', t.opponentsWins, 'opponentsWins'),
    mean('opponentsWinRate', t.opponentsWinRate, 'opponentsWinRate'),
  ];
  const columnOrder = ({ by }: Column) => (tieBreaks.includes(by) ? tieBreaks.indexOf(by) : all.length);
  const isSeldom = ({ by }: Column) => by === 'wins' || by.startsWith('opponents');
  return all
    .toSorted((a, b) => columnOrder(a) - columnOrder(b))
    .filter(
      (each, index) => index === 0 || !isSeldom(each) || rows.some(({ decidedBy }) => decidedBy === each.by),
    );
}

function tableHead({ board: t }: Words, [first, second, ...others]: readonly Column[]): Html {
  const abbr = ({ head, title }: Column) => html`<abbr title="${title}">${head}</abbr>`;
  return html`<thead><tr><th class="pl" scope="col"><abbr title="${t.rank}">#</abbr></th><th class="who" scope="col">${t.player}</th><th scope="col"><span class="vh">${t.wins[1]} </span>${second && html`<span class="narrow">${abbr(second)}</span>`}</th>${[second, ...others].map((each) => each && html`<th class="wide" scope="col">${abbr(each)}</th>`)}<th scope="col">${first && abbr(first)}</th></tr></thead>`;
}

/** The tie-break that put a row below the one above. */
interface DecidedRow {
  by: Decider | undefined;
  above: ShownRow | undefined;
}

/**
 * Returns what decided the rank of a row. For the first row of a board or a group, that is the first number.
 */
function deciderOf(
  { rank, decidedBy: by }: ShownRow,
  above: ShownRow | undefined,
  [first]: readonly Column[],
): DecidedRow {
  return { by: by ?? (by === null && rank === 1 ? first?.by : undefined), above };
}

/** Returns the reason for a rank that was not decided by a number. */
function wordsFor({ board: t }: Words, { by, above }: DecidedRow): string | undefined {
  if (by === 'lot') return t.byLot;
  if (by === 'earlierRank') return t.byRankBefore;
  return by === 'headToHead' && above?.rank ? t.lostTo(above.rank) : undefined;
}

function boardRow(
  site: SiteSettings,
  row: ShownRow,
  columns: readonly Column[],
  decided: DecidedRow,
  marks: BoardMarks,
): Html {
  const { words } = site;
  const isOut = isGone(row, marks);
  const kinds = [row.isThrough && 'thru', isOut && 'gone'].filter(Boolean).join(' ');
  const rank = shownRank(row);
  const why = rank !== null && hasPlayed(row) ? wordsFor(words, decided) : undefined;
  const below = [
    ...(row.faction === null ? [] : [listLink(site, row, row.faction)]),
    ...(why === undefined ? [] : [html`<span class="why">${why}</span>`]),
    ...(isOut
      ? [html`<span class="tag">${row.isNoShow ? words.board.noShow : words.board.droppedOut}</span>`]
      : []),
  ];
  return html`
<tr${kinds !== '' && html` class="${kinds}"`}${followData(row)}>${rankCell(words, row, rank)}<th scope="row" class="who"><div>${crestOf(row.faction)}<span>${participantLink(site, row)}${below.length > 0 && html`<span class="sub">${joined(below, ' ')}</span>`}</span></div></th>${row.isNoShow ? html`<td colspan="${columns.length + 1}"></td>` : numbers(words, row, columns, decided, marks)}</tr>`;
}

/** Draws the rank, with the table below it during a battle, otherwise with the movement. */
function rankCell(words: Words, row: ShownRow, rank: number | null): Html {
  const t = words.board;
  const { playing, moved } = row;
  return html`<td class="pl${playing !== undefined && ' on'}"><b>${rank ?? '–'}</b>${row.isThrough && html`<span class="vh">, ${t.wentThrough}</span>`}${
    playing === undefined
      ? moved !== undefined && rank !== null && movement(words, moved)
      : playing.table === null
        ? html`<small class="at vh">, ${t.playingNow}</small>`
        : html`<small class="at"><span class="vh">, ${t.playingNow}, </span>${t.shortTable(playing.table)}</small>`
  }</td>`;
}

function movement({ board: t }: Words, ranks: number): Html {
  return ranks > 0
    ? html`<small class="up"><span class="vh">, ${t.up(ranks)}</span><span aria-hidden="true">▲${ranks}</span></small>`
    : html`<small class="down"><span class="vh">, ${t.down(-ranks)}</span><span aria-hidden="true">▼${-ranks}</span></small>`;
}

/** Draws the dots, the numbers in columns of their own where there is room, and the large number last. */
function numbers(
  words: Words,
  row: ShownRow,
  [first, second, ...others]: readonly Column[],
  { by }: DecidedRow,
  marks: BoardMarks,
): Html {
  const decides = (column: Column | undefined) => column !== undefined && column.by === by && hasPlayed(row);
  const spoken = html`<span class="vh"> ${words.board.decided}</span>`;
  // A phone has room for only one number below the dots, so it shows the one that decided.
  const other = others.find(decides);
  const narrow = other ?? second;
  const text = (column: Column) => html`${column.cell(row)}${decides(column) && spoken}`;
  return html`<td class="two">${pathDots(words, row, marks.rounds)}${narrow && html`<span class="sub${decides(narrow) && ' dec'}">${other && `${other.head} `}${text(narrow)}</span>`}</td>${[
    second,
    ...others,
  ].map(
    (each, index) =>
      each &&
      html`<td class="wide${index > 0 && !decides(each) && ' sub'}${decides(each) && ' dec'}">${text(each)}</td>`,
  )}<td class="pts${decides(first) && ' dec'}">${first && text(first)}${row.adjustments && penalty(words, row.adjustments)}</td>`;
}

/** Draws the points that an organiser took or gave, below the points. The reason comes below the board. */
function penalty(words: Words, adjustments: readonly AdjustmentView[]): Html {
  return html`${adjustments.map((each) => html`<small class="warn">${pointsOf(words, each)}</small>`)}`;
}

/** Explains the symbols that occur on the board, and why points were taken or given. */
function legend(
  site: SiteSettings,
  rows: readonly ShownRow[],
  columns: readonly Column[],
  { movedSince }: BoardMarks,
  { rule }: BoardOrder,
): Html {
  const { words } = site;
  const t = words.board;
  const letters = new Set(rows.flatMap(({ path = '' }) => path.split('')));
  const table = rows.find(({ playing }) => playing?.table)?.playing?.table;
  const items = [
    ...dotKey(words, (letter) => letters.has(letter)),
    ...unbeatenKey(
      words,
      rows.map(({ path }) => path),
    ),
    ...(rows.some(({ playing }) => playing) ? [html`${dot('P')} ${t.playingNow}`] : []),
    ...(table ? [html`${t.shortTable(table)} ${t.atTable(table)}`] : []),
    ...(movedSince !== undefined ? [html`▲▼ ${t.sinceRound(movedSince)}`] : []),
    ...columns.map(({ head, title }) => html`${head} ${title}`),
    ...(rows.some((row) => hasPlayed(row) && columns.some(({ by }) => by === row.decidedBy))
      ? [t.boldDecided]
      : []),
  ];
  const penalties = rows.flatMap(({ player, adjustments = [] }) =>
    adjustments.map((each) => ({ player: player ?? words.stored.erased, ...each })),
  );
  return html`<ul class="board-key sub"><li class="rule">${rule}</li>${items.map(
    (each) => html`
<li>${each}</li>`,
  )}${penalties.map(
    ({ player, ...adjustment }) => html`
<li class="warn">${name(player)} ${penaltyWords(words, adjustment)}</li>`,
  )}
</ul>`;
}

function listLink(site: SiteSettings, { page }: ShownRow, faction: string): Html {
  return page === undefined ? name(faction) : html`<a href="${pathTo(site, page)}#list">${name(faction)}</a>`;
}
