import { crestOf } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import { erasedName } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import { pathDots } from '../parts/path.ts';
import { shownRank } from '../parts/shown-rank.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { ShownRow } from '../tournament-parts/board.ts';
import { shortCard, type ShownMatch } from '../match/card.ts';
import type { Words } from '../words/en.ts';

/** The shape of a list on the screen. Its rows fill the height of each column. */
export interface Grid {
  rows: number;
  columns: number;
  /** True for rows with a line below them, instead of cards with space between them. */
  isFlush?: boolean;
}

export function grid({ rows, isFlush }: Grid, items: readonly Html[]): Html {
  return html`<ol class="fill r${rows}${isFlush === true && ' flush'}">${items}
</ol>`;
}

/** Draws a part of the screen with its heading. `beside` comes at the end of the heading. */
export function part(title: Html | string, beside: Html | string | undefined, inside: Html): Html {
  return html`<section>
<h2><span>${title}</span><b>${beside}</b></h2>
${inside}
</section>
`;
}

/** Draws the heading of standings, which says what the large numbers are. */
export const withUnit = ({ board }: Words, title: Html | string): Html =>
  html`${title} <small>· ${board.battlePoints[1]}</small>`;

/** Splits the items into pages with as many as the grid holds. There is at least one page. */
export function pagesOf<One>(items: readonly One[], { rows, columns }: Grid): One[][] {
  const size = rows * columns;
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, page) => items.slice(page * size, (page + 1) * size));
}

/** Shows the number of the page, as dots and as text for screen readers. */
export function pips({ screen }: Words, page: number, count: number): Html | undefined {
  if (count < 2) return undefined;
  if (count > mostPips) return html`<span class="sub">${page + 1} / ${count}</span>`;
  return html`<span class="pips"><span class="vh">${screen.page(page + 1, count)}</span>${Array.from({ length: count }, (_, each) => (each === page ? html`<i class="on"></i>` : html`<i></i>`))}</span>`;
}

const mostPips = 10;

/** What all rows of one list have in common. */
interface Rows {
  /** How many dots a row has. */
  dots: number;
  /** The points of every row. */
  points: readonly number[];
}

/** Draws one row of standings: rank, movement or table, crest, name, path and points. */
export function line(site: SiteSettings, row: ShownRow, { dots, points }: Rows): Html {
  const { words } = site;
  const { board: t } = words;
  const { moved, playing, battlePoints } = row;
  const rank = shownRank(row);
  const decimals = decimalsOf(points);
  // Spaces as wide as a digit make all numbers equally wide, so that the dots beside them stand in columns.
  const width = Math.max(...points.map((each) => words.number(each, decimals).length));
  const shownPoints = words.number(battlePoints, decimals).padStart(width, '\u2007');
  const beside =
    playing !== undefined && playing.table !== null
      ? html`<span class="at"><span class="vh">${t.playingNow}, </span>${t.shortTable(playing.table)}</span>`
      : moved !== undefined &&
        rank !== null &&
        (moved > 0
          ? html`<span class="up"><span class="vh">${t.up(moved)}</span><span aria-hidden="true">▲${moved}</span></span>`
          : html`<span class="down"><span class="vh">${t.down(-moved)}</span><span aria-hidden="true">▼${-moved}</span></span>`);
  return html`
<li class="line"><b>${rank ?? '–'}</b><span class="mv">${beside}</span>${crestOf(row.faction)}${screenName(words, row.player)}${pathDots(words, row, dots, mostDots)}<span class="pts">${shownPoints}</span></li>`;
}

/** More would leave no room for the name. */
const mostDots = 5;

/**
 * Writes a name. All names of a list have one size, so that none looks more important: the larger one of two
 * if `areShort`. Only where two lines of that size have no room is a long name smaller.
 */
export function screenName(
  { stored }: Words,
  player: string | null | undefined,
  areShort: boolean = false,
): Html {
  const shown = !player || player === erasedName ? stored.erased : player;
  const size = areShort ? 'short' : shown.length > longName && 'long';
  return html`<bdi${size !== false && html` class="${size}"`}>${shown}</bdi>`;
}

/** Returns true if every name of a list is short enough for the larger size. */
export const areShort = (people: readonly { player: string }[]): boolean =>
  people.every(({ player }) => player.length <= shortName);

/** How many letters a third of the screen has room for, at either size. */
const shortName = 18;
const longName = 23;

export const tableCard = (words: Words, match: ShownMatch): Html => html`
<li>${shortCard(words, { ...match, address: undefined })}</li>`;

/** Draws a participant in the list by name. The large number is the table. */
export function nameWithTable(
  words: Words,
  player: string,
  table: number | null | undefined,
  isShort: boolean,
): Html {
  return html`
<li class="az">${screenName(words, player, isShort)}<b>${table ?? words.rounds.hasBye}</b></li>`;
}
