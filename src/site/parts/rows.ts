import { html, type Html } from '../html.ts';

/** A row of a list: a crest, the name with details, and the most important fact at the end. */
export interface ListRow {
  /** A symbol before the crest. */
  mark?: Html;
  crest: Html;
  title: Html;
  lines: readonly Html[];
  end?: Html | undefined;
  /** True if the row counts less, for example because of too few battles. */
  isFew?: boolean;
}

/**
 * Draws a list. Rows of the kind `path` begin with a symbol, and those of the kind `two-up` are side by side
 * if there is room.
 */
export function rowList(items: readonly ListRow[], ...kinds: ('path' | 'two-up')[]): Html {
  return html`<ol class="rows${kinds.map((kind) => ` ${kind}`)}">${items.map(rowItem)}
</ol>`;
}

function rowItem({ mark, crest, title, lines, end, isFew = false }: ListRow): Html {
  return html`
<li${isFew && html` class="few"`}>${mark}${crest}<span>${title}${lines.map((line) => html`<span class="sub clamp">${line}</span>`)}</span>${end !== undefined && html`<span class="num">${end}</span>`}</li>`;
}
