import type { BoardRow } from '../../contract/standings.ts';
import type { Decider } from '../../publish/derive/now/play-shape.ts';
import { html, joined, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { starred } from './match.ts';
import { followData, type Identity, isFollowed, keyOf, name, person } from '../parts/names.ts';
import { decimalsOf, record } from '../parts/numbers.ts';
import type { BoardOrder } from './order.ts';
import { addressOf } from '../parts/pager.ts';
import type { Words } from '../words/en.ts';

/** A row, and the key of its guest. */
export type ShownRow = BoardRow & Pick<Identity, 'guest'>;

/** What a board says about single rows. */
export interface BoardMarks {
  through: ReadonlySet<ShownRow>;
  dropped: ReadonlySet<ShownRow>;
  /** Who has no result yet, and at which table. */
  playing: ReadonlyMap<ShownRow, number | null>;
  /** The key of whose row is on top, too. */
  followed: string | undefined;
  /** The path of the page with their lists, which factions link. */
  players?: string;
}

/** The rows of one stage, in one table, or in one for each group. */
export function board(
  site: SiteSettings,
  rows: readonly ShownRow[],
  marks: BoardMarks,
  order: BoardOrder,
): Html {
  const { words } = site;
  const said = words.board;
  const columns = columnsOf(words, rows, order);
  const shown = new Map(
    rows.map((row, index) => {
      const decided = deciderOf(row, order.decidedBy?.[index], rows[index - 1], columns);
      return [
        row,
        boardRow(site, row, cells(words, columns, row, index, decided), wordsFor(words, decided), marks),
      ];
    }),
  );
  const table = (caption: Html, own: readonly ShownRow[]) => html`<table class="board">
${caption}
<thead><tr><th scope="col" class="rank"><abbr title="${said.place}">#</abbr></th><th scope="col">${said.player}</th>${inThree(
    'th',
    columns.map(({ head, title }) => html`<abbr title="${title}">${head}</abbr>`),
  )}</tr></thead>
${pinned(
  words,
  own.filter((row) => isFollowed(row, marks.followed)).map((row) => shown.get(row)),
)}<tbody>${own.map((row) => shown.get(row))}
</tbody>
</table>`;
  const rule =
    order.rule &&
    html`<p class="sub">${order.rule}${order.decidedBy?.some(Boolean) && html` ${said.boldDecided}`}</p>`;
  const legend = columns.map(({ head, title }) => `${head} ${title}`).join(', ');
  const key = html`${legend}${marks.playing.size > 0 && html`. <span class="mark">${said.noResultKey}</span>`}`;
  if (rows[0]?.group === undefined) {
    return html`${rule}
${table(html`<caption>${key}</caption>`, rows)}`;
  }
  const groups = [...Map.groupBy(rows, ({ group }) => group ?? '')];
  return html`${rule}
<p class="sub">${key}</p>
<div class="columns two">${groups.map(
    ([group, own]) => html`
<section>
<h3>${name(group)}</h3>
${table(html`<caption class="vh">${name(group)}</caption>`, own)}
</section>`,
  )}
</div>`;
}

function pinned({ board: said }: Words, rows: readonly (Html | undefined)[]): Html | false {
  return (
    rows.length > 0 &&
    html`<tbody class="pinned"><tr><th colspan="5" scope="rowgroup">${said.followed}</th></tr>${rows}
</tbody>
`
  );
}

/** The rows of these people. Where a version before has published no ids of guests, a name tells that only one row has. */
export function rowsOf<Row extends Identity & { player: string | null }, One extends Sided>(
  rows: readonly Row[],
  people: Iterable<One>,
): Map<Row, One> {
  const byKey = new Map<string, One>();
  const byName = new Map<string, One>();
  for (const each of people) {
    const key = keyOf(each);
    if (key === undefined) byName.set(each.player, each);
    else byKey.set(key, each);
  }
  const ofName = Map.groupBy(rows, ({ player }) => player);
  const found = new Map<Row, One>();
  for (const row of rows) {
    const { player } = row;
    const key = keyOf(row);
    const isOnly = player !== null && ofName.get(player)?.length === 1;
    const one = key !== undefined ? byKey.get(key) : isOnly ? byName.get(player) : undefined;
    if (one) found.set(row, one);
  }
  return found;
}

interface Sided extends Identity {
  player: string;
}

/** A number of a row. */
interface Column {
  by: Decider;
  head: string;
  title: string;
  cell: (row: ShownRow, index: number) => string;
}

/** In the order of the tie-breaks, then what does not count. The opponents' points stand there only where they decided. */
function columnsOf(
  { board: said, number, signed }: Words,
  rows: readonly ShownRow[],
  { tieBreaks, decidedBy, opponents = [] }: BoardOrder,
): Column[] {
  const points = decimalsOf(rows.map((row) => row.battlePoints));
  const victory = decimalsOf(rows.map((row) => row.victoryPoints));
  const difference = decimalsOf(rows.map((row) => row.victoryPointsDiff));
  const mean = decimalsOf(opponents);
  const column = (by: Decider, head: string, title: string, cell: Column['cell']) => ({
    by,
    head,
    title,
    cell,
  });
  const all = [
    column('battlePoints', ...said.battlePoints, (row) => number(row.battlePoints, points)),
    column('wins', ...said.wins, (row) => record(row)),
    column('victoryPoints', ...said.victoryPoints, (row) => number(row.victoryPoints, victory)),
    column('victoryPointsDiff', ...said.difference, (row) => signed(row.victoryPointsDiff, difference)),
    column('opponentsBattlePoints', ...said.opponents, (_, index) => number(opponents[index] ?? 0, mean)),
  ];
  const placeOf = ({ by }: Column) => (tieBreaks.includes(by) ? tieBreaks.indexOf(by) : all.length);
  return all
    .filter(({ by }) => by !== 'opponentsBattlePoints' || decidedBy?.includes(by))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The first two have a column each, the others share the third. */
function inThree(kind: 'td' | 'th', [first, second, third, ...small]: readonly (Html | string)[]): Html {
  const open = kind === 'th' ? html`<th scope="col" class="n">` : html`<td class="n">`;
  const close = kind === 'th' ? html`</th>` : html`</td>`;
  const rest = small.map((each) => html` <span class="sub diff">${each}</span>`);
  return html`${open}${first}${close}${open}${second}${close}${open}${third}${rest}${close}`;
}

/** What put the row below the row above. */
interface DecidedRow {
  by: Decider | undefined;
  above: ShownRow | undefined;
}

/** The first row of a board, or of a group, is first by the first number. */
function deciderOf(
  { rank }: ShownRow,
  by: Decider | null | undefined,
  above: ShownRow | undefined,
  [first]: readonly Column[],
): DecidedRow {
  return { by: by ?? (by === null && rank === 1 ? first?.by : undefined), above };
}

function cells(
  { board: said }: Words,
  columns: readonly Column[],
  row: ShownRow,
  index: number,
  { by }: DecidedRow,
): Html {
  return inThree(
    'td',
    columns.map((column) => {
      const text = column.cell(row, index);
      return column.by === by ? html`<b>${text}<span class="vh"> ${said.decided}</span></b>` : text;
    }),
  );
}

/** Where no number decided. */
function wordsFor({ board: said }: Words, { by, above }: DecidedRow): string | undefined {
  if (by === 'lot') return said.byLot;
  if (by === 'earlierRank') return said.byPlaceBefore;
  return by === 'headToHead' && above?.rank ? said.lostTo(above.rank) : undefined;
}

function boardRow(
  site: SiteSettings,
  row: ShownRow,
  numbers: Html,
  why: string | undefined,
  marks: BoardMarks,
): Html {
  const { words } = site;
  const said = words.board;
  const isThrough = marks.through.has(row);
  const isDropped = marks.dropped.has(row);
  const isMine = isFollowed(row, marks.followed);
  const kinds = [isThrough && 'through', isDropped && 'dropped', isMine && 'mine'].filter(Boolean).join(' ');
  const more = [
    ...(row.faction === null ? [] : [listLink(site, row, row.faction, marks)]),
    ...(why === undefined ? [] : [html`<span class="why">${why}</span>`]),
    ...(isDropped
      ? [html`<span class="mark">${said.dropped}</span>`]
      : marks.playing.has(row)
        ? [stillOpen(words, marks.playing.get(row) ?? null)]
        : []),
  ];
  return html`
<tr${kinds !== '' && html` class="${kinds}"`}${followData(row)}><td class="rank">${isMine && starred(words)}${row.rank ?? '–'}${isThrough && html`<span class="vh">, ${said.wentThrough}</span>`}</td><th scope="row"><div class="who">${person(site, row)}${more.length > 0 && html`<span class="sub clamp">${joined(more, ' ')}</span>`}</div></th>${numbers}</tr>`;
}

function listLink(site: SiteSettings, { player }: ShownRow, faction: string, { players }: BoardMarks): Html {
  if (players === undefined || player === null) return name(faction);
  return html`<a href="${addressOf(site, players, { name: player })}">${name(faction)}</a>`;
}

function stillOpen({ board: said, rounds }: Words, table: number | null): Html {
  return table === null
    ? html`<span class="mark">${said.noResult}</span>`
    : html`<span class="mark"><span class="vh">${said.noResult}, </span>${rounds.atTable(table)}</span>`;
}
