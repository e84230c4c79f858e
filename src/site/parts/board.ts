import type { BoardRow } from '../../contract/standings.ts';
import { html, joined, type Html } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { starred } from './match.ts';
import { name, person } from './names.ts';
import { decimalsOf, number, record, signed } from './numbers.ts';

/** What a board says about single rows. */
export interface BoardMarks {
  through: ReadonlySet<BoardRow>;
  dropped: ReadonlySet<BoardRow>;
  /** Who has no result yet, and at which table. */
  playing: ReadonlyMap<BoardRow, number | null>;
  /** The id of a player whose row is on top, too. */
  followed: string | undefined;
}

/** The rows of one stage, in one table, or in one for each group. */
export function board(site: SiteSettings, rows: readonly BoardRow[], marks: BoardMarks): Html {
  const decimals: Decimals = {
    points: decimalsOf(rows.map(({ battlePoints }) => battlePoints)),
    victory: decimalsOf(rows.map(({ victoryPoints }) => victoryPoints)),
    difference: decimalsOf(rows.map(({ victoryPointsDiff }) => victoryPointsDiff)),
  };
  const table = (caption: Html, own: readonly BoardRow[]) => html`<table class="board">
${caption}
${head}
${pinned(own.filter((row) => isFollowed(row, marks)).map((row) => boardRow(site, row, decimals, marks)))}<tbody>${own.map((row) => boardRow(site, row, decimals, marks))}
</tbody>
</table>`;
  const key = html`${legend}${marks.playing.size > 0 && html`. <span class="mark">No result yet</span>`}`;
  if (rows[0]?.group === undefined) return table(html`<caption>${key}</caption>`, rows);
  const groups = [...Map.groupBy(rows, ({ group }) => group ?? '')];
  return html`<p class="sub">${key}</p>
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

function pinned(rows: readonly Html[]): Html | false {
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

interface Decimals {
  points: number;
  victory: number;
  difference: number;
}

const legend = 'BP battle points, W–D–L won–drawn–lost, VP victory points, ± victory-point difference';

const head = html`<thead><tr><th scope="col" class="rank"><abbr title="Place">#</abbr></th><th scope="col">Player</th><th scope="col" class="n"><abbr title="Battle points">BP</abbr></th><th scope="col" class="n"><abbr title="Won, drawn, lost">W–D–L</abbr></th><th scope="col" class="n"><abbr title="Victory points">VP</abbr> <span class="sub diff"><abbr title="Difference">±</abbr></span></th></tr></thead>`;

function boardRow(site: SiteSettings, row: BoardRow, decimals: Decimals, marks: BoardMarks): Html {
  const isThrough = marks.through.has(row);
  const isDropped = marks.dropped.has(row);
  const isMine = isFollowed(row, marks);
  const kinds = Object.entries({ through: isThrough, dropped: isDropped, mine: isMine })
    .flatMap(([kind, isSo]) => (isSo ? [kind] : []))
    .join(' ');
  const more = [
    ...(row.faction === null ? [] : [html`<bdi>${row.faction}</bdi>`]),
    ...(isDropped ? [dropped] : marks.playing.has(row) ? [stillOpen(marks.playing.get(row) ?? null)] : []),
  ];
  return html`
<tr${kinds !== '' && html` class="${kinds}"`}><td class="rank">${isMine && starred}${row.rank ?? '–'}${isThrough && wentThrough}</td><th scope="row"><div class="who">${person(site, row)}${more.length > 0 && html`<span class="sub clamp">${joined(more, ' ')}</span>`}</div></th><td class="n strong">${number(row.battlePoints, decimals.points)}</td><td class="n">${record(row)}</td><td class="n">${number(row.victoryPoints, decimals.victory)} <span class="sub diff">${signed(row.victoryPointsDiff, decimals.difference)}</span></td></tr>`;
}

const wentThrough = html`<span class="vh">, went through</span>`;
const dropped = html`<span class="mark">dropped</span>`;

function stillOpen(table: number | null): Html {
  return table === null
    ? html`<span class="mark">no result yet</span>`
    : html`<span class="mark"><span class="vh">no result yet, </span>table ${table}</span>`;
}
