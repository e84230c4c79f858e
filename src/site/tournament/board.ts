import type { BoardRow } from '../../contract/standings.ts';
import type { Decider } from '../../publish/derive/now/play-shape.ts';
import { html, joined, type Html } from '../parts/html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { starred } from './match.ts';
import { name, person } from '../parts/names.ts';
import { decimalsOf, number, ordinal, record, signed } from '../parts/numbers.ts';
import type { BoardOrder } from './order.ts';
import { addressOf } from '../parts/pager.ts';

/** What a board says about single rows. */
export interface BoardMarks {
  through: ReadonlySet<BoardRow>;
  dropped: ReadonlySet<BoardRow>;
  /** Who has no result yet, and at which table. */
  playing: ReadonlyMap<BoardRow, number | null>;
  /** The id of a player whose row is on top, too. */
  followed: string | undefined;
  /** The path of the page with their lists, which factions link. */
  players?: string;
}

/** The rows of one stage, in one table, or in one for each group. */
export function board(
  site: SiteSettings,
  rows: readonly BoardRow[],
  marks: BoardMarks,
  order: BoardOrder,
): Html {
  const columns = columnsOf(rows, order);
  const shown = new Map(
    rows.map((row, index) => {
      const decided = deciderOf(row, order.decidedBy?.[index], rows[index - 1], columns);
      return [row, boardRow(site, row, cells(columns, row, index, decided), wordsFor(decided), marks)];
    }),
  );
  const table = (caption: Html, own: readonly BoardRow[]) => html`<table class="board">
${caption}
<thead><tr><th scope="col" class="rank"><abbr title="Place">#</abbr></th><th scope="col">Player</th>${inThree(
    'th',
    columns.map(({ head, title }) => html`<abbr title="${title}">${head}</abbr>`),
  )}</tr></thead>
${pinned(own.filter((row) => isFollowed(row, marks)).map((row) => shown.get(row)))}<tbody>${own.map((row) => shown.get(row))}
</tbody>
</table>`;
  const rule =
    order.rule &&
    html`<p class="sub">${order.rule}${order.decidedBy?.some(Boolean) && html` <b>Bold</b> decided.`}</p>`;
  const legend = columns.map(({ head, title }) => `${head} ${title}`).join(', ');
  const key = html`${legend}${marks.playing.size > 0 && html`. <span class="mark">No result yet</span>`}`;
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

const isFollowed = ({ playerId }: BoardRow, { followed }: BoardMarks) =>
  followed !== undefined && playerId === followed;

function pinned(rows: readonly (Html | undefined)[]): Html | false {
  return (
    rows.length > 0 &&
    html`<tbody class="pinned"><tr><th colspan="5" scope="rowgroup">Followed</th></tr>${rows}
</tbody>
`
  );
}

/** The rows of these players. Guests have no id: then the name tells, where only one row has it. */
export function rowsOf<One extends Sided>(
  rows: readonly BoardRow[],
  people: Iterable<One>,
): Map<BoardRow, One> {
  const byId = new Map<string, One>();
  const byName = new Map<string, One>();
  for (const each of people) {
    if (each.playerId === null) byName.set(each.player, each);
    else byId.set(each.playerId, each);
  }
  const ofName = Map.groupBy(rows, ({ player }) => player);
  const found = new Map<BoardRow, One>();
  for (const row of rows) {
    const { player, playerId } = row;
    const isOnly = player !== null && ofName.get(player)?.length === 1;
    const one = playerId !== null ? byId.get(playerId) : isOnly ? byName.get(player) : undefined;
    if (one) found.set(row, one);
  }
  return found;
}

interface Sided {
  player: string;
  playerId: string | null;
}

/** A number of a row. */
interface Column {
  by: Decider;
  head: string;
  title: string;
  cell: (row: BoardRow, index: number) => string;
}

/** In the order of the tie-breaks, then what does not count. The opponents' points stand there only where they decided. */
function columnsOf(
  rows: readonly BoardRow[],
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
    column('battlePoints', 'BP', 'battle points', (row) => number(row.battlePoints, points)),
    column('wins', 'W–D–L', 'won–drawn–lost', (row) => record(row)),
    column('victoryPoints', 'VP', 'victory points', (row) => number(row.victoryPoints, victory)),
    column('victoryPointsDiff', '±', 'victory-point difference', (row) =>
      signed(row.victoryPointsDiff, difference),
    ),
    column('opponentsBattlePoints', 'OBP', 'opponents’ battle points', (_, index) =>
      number(opponents[index] ?? 0, mean),
    ),
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
  above: BoardRow | undefined;
}

/** The first row of a board, or of a group, is first by the first number. */
function deciderOf(
  { rank }: BoardRow,
  by: Decider | null | undefined,
  above: BoardRow | undefined,
  [first]: readonly Column[],
): DecidedRow {
  return { by: by ?? (by === null && rank === 1 ? first?.by : undefined), above };
}

function cells(columns: readonly Column[], row: BoardRow, index: number, { by }: DecidedRow): Html {
  return inThree(
    'td',
    columns.map((column) => {
      const text = column.cell(row, index);
      return column.by === by ? html`<b>${text}<span class="vh"> decided</span></b>` : text;
    }),
  );
}

/** Where no number decided. */
function wordsFor({ by, above }: DecidedRow): string | undefined {
  if (by === 'lot') return 'by lot';
  if (by === 'earlierRank') return 'by the place before';
  return by === 'headToHead' && above?.rank ? `lost to ${ordinal(above.rank)}` : undefined;
}

function boardRow(
  site: SiteSettings,
  row: BoardRow,
  numbers: Html,
  why: string | undefined,
  marks: BoardMarks,
): Html {
  const isThrough = marks.through.has(row);
  const isDropped = marks.dropped.has(row);
  const isMine = isFollowed(row, marks);
  const kinds = Object.entries({ through: isThrough, dropped: isDropped, mine: isMine })
    .flatMap(([kind, isSo]) => (isSo ? [kind] : []))
    .join(' ');
  const more = [
    ...(row.faction === null ? [] : [listLink(site, row, row.faction, marks)]),
    ...(why === undefined ? [] : [html`<span class="why">${why}</span>`]),
    ...(isDropped ? [dropped] : marks.playing.has(row) ? [stillOpen(marks.playing.get(row) ?? null)] : []),
  ];
  return html`
<tr${kinds !== '' && html` class="${kinds}"`}><td class="rank">${isMine && starred}${row.rank ?? '–'}${isThrough && wentThrough}</td><th scope="row"><div class="who">${person(site, row)}${more.length > 0 && html`<span class="sub clamp">${joined(more, ' ')}</span>`}</div></th>${numbers}</tr>`;
}

function listLink(site: SiteSettings, { player }: BoardRow, faction: string, { players }: BoardMarks): Html {
  if (players === undefined || player === null) return name(faction);
  return html`<a href="${addressOf(site, players, { name: player })}">${name(faction)}</a>`;
}

const wentThrough = html`<span class="vh">, went through</span>`;
const dropped = html`<span class="mark">dropped</span>`;

function stillOpen(table: number | null): Html {
  return table === null
    ? html`<span class="mark">no result yet</span>`
    : html`<span class="mark"><span class="vh">no result yet, </span>table ${table}</span>`;
}
