import { html, type Html, type HtmlValue } from '../html.ts';
import { number, record } from './numbers.ts';

export interface RecordRow {
  label: HtmlValue;
  battles: number;
  wins: number;
  draws: number;
  losses: number;
}

/** Won, drawn and lost, with a bar: as long as there are battles, coloured as far as they were won. */
export function recordTable(first: string, rows: readonly RecordRow[]): Html {
  const most = Math.max(1, ...rows.map(({ battles }) => battles));
  return html`<table>
<caption>Length: battles. Coloured part: won.</caption>
<thead><tr><th scope="col">${first}</th><th scope="col"><span class="vh">Bar</span></th><th scope="col" class="n"><abbr title="Won, drawn, lost">W–D–L</abbr></th><th scope="col" class="n">Won</th></tr></thead>
<tbody>
${rows.map((row) => html`<tr><th scope="row"><span class="clamp">${row.label}</span></th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="${percent(row.battles, most)}" height="10"/><rect class="part" width="${percent(row.wins, most)}" height="10"/></svg></td><td class="n">${record(row)}</td><td class="n">${share(row)}</td></tr>\n`)}</tbody>
</table>`;
}

/** Of the battles that are over. */
function share({ wins, draws, losses }: RecordRow): string {
  const over = wins + draws + losses;
  return over === 0 ? '–' : `${number((100 * wins) / over)}\u202f%`;
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1);
}
