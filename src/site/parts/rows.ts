import { html, type Html } from '../html.ts';

/** A row of a list: a crest, the name with what is said about it, and what counts at the end. */
export interface ListRow {
  /** In front of all. */
  mark?: Html;
  crest: Html;
  title: Html;
  lines: readonly Html[];
  end?: Html | undefined;
  /** Says that the row counts less, such as for too few games. */
  isFew?: boolean;
}

/** `path` rows begin with a mark, `two-up` ones stand side by side where there is room. */
export function rowList(items: readonly ListRow[], ...kinds: ('path' | 'two-up')[]): Html {
  return html`<ol class="rows${kinds.map((kind) => ` ${kind}`)}">${items.map(rowItem)}
</ol>`;
}

function rowItem({ mark, crest, title, lines, end, isFew = false }: ListRow): Html {
  return html`
<li${isFew && html` class="few"`}>${mark}${crest}<span>${title}${lines.map((line) => html`<span class="sub clamp">${line}</span>`)}</span>${end !== undefined && html`<span class="num">${end}</span>`}</li>`;
}
