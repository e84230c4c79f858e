import { html, type Html, type HtmlValue } from '../parts/html.ts';
import { record } from '../parts/numbers.ts';
import type { Words } from '../words/en.ts';

export interface RecordRow {
  label: HtmlValue;
  battles: number;
  wins: number;
  draws: number;
  losses: number;
}

/** Won, drawn and lost, with a bar: as long as there are battles, coloured as far as they were won. */
export function recordTable(words: Words, first: string, rows: readonly RecordRow[]): Html {
  const said = words.player;
  const most = Math.max(1, ...rows.map(({ battles }) => battles));
  return html`<table>
<caption>${said.bars}</caption>
<thead><tr><th scope="col">${first}</th><th scope="col"><span class="vh">${words.event.bar}</span></th><th scope="col" class="n"><abbr title="${said.recordTitle}">${said.record}</abbr></th><th scope="col" class="n">${said.won}</th></tr></thead>
<tbody>
${rows.map((row) => html`<tr><th scope="row"><span class="clamp">${row.label}</span></th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="${percent(row.battles, most)}" height="10"/><rect class="part" width="${percent(row.wins, most)}" height="10"/></svg></td><td class="n">${record(row)}</td><td class="n">${share(words, row)}</td></tr>\n`)}</tbody>
</table>`;
}

/** Of the battles that are over. */
function share(words: Words, { wins, draws, losses }: RecordRow): string {
  const over = wins + draws + losses;
  return over === 0 ? '–' : words.percent((100 * wins) / over, 0);
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1);
}

/** The sum of some rows. */
export function summed(label: RecordRow['label'], parts: readonly Omit<RecordRow, 'label'>[]): RecordRow {
  const total = { label, battles: 0, wins: 0, draws: 0, losses: 0 };
  for (const { battles, wins, draws, losses } of parts) {
    total.battles += battles;
    total.wins += wins;
    total.draws += draws;
    total.losses += losses;
  }
  return total;
}

/** Most battles first. What is left over is added up in the last row. */
export function longest(words: Words, rows: readonly RecordRow[], most: number): RecordRow[] {
  const sorted = rows.toSorted((a, b) => b.battles - a.battles);
  const others = sorted.slice(most);
  return others.length === 0
    ? sorted
    : [...sorted.slice(0, most), summed(words.player.others(others.length), others)];
}
