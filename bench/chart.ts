import { ratioOf } from './bars.ts';
import type { Column, MeasuredEndpoint } from './columns.ts';

const shown: { column: Column; colour: string; meaning: string }[] = [
  { column: 'cold', colour: '#9aa5b1', meaning: 'cold' },
  { column: 'hot', colour: '#1f6feb', meaning: 'hot' },
  { column: '304', colour: '#2da44e', meaning: '304' },
  { column: 'gzip', colour: '#a371f7', meaning: 'hot, gzip' },
  { column: 'br', colour: '#d29922', meaning: 'hot, br' },
  { column: 'map', colour: '#57606a', meaning: 'map (node:http)' },
];

const width = 860;
const left = 150;
const right = 60;
const top = 70;
const bar = 9;
const gap = 16;

/** One group of bars for each endpoint: rates as multiples of `pg`, or of `map` where there was no pgbench. */
export function chart(measured: MeasuredEndpoint[], caption: string): string {
  const base: Column = measured.every(({ columns }) => columns.pg !== undefined) ? 'pg' : 'map';
  const ratio = (each: MeasuredEndpoint, column: Column) => ratioOf(each, column, base) ?? 0;
  const most = Math.max(1, ...measured.flatMap((each) => shown.map(({ column }) => ratio(each, column))));
  const x = (value: number) => round(left + (value / most) * (width - left - right));
  const group = shown.length * bar + gap;
  const height = top + measured.length * group + 30;
  const lines: string[] = [];

  const step = most > 12 ? 4 : most > 6 ? 2 : most > 2 ? 1 : 0.5;
  for (let tick = 0; tick <= most; tick += step) {
    const isBase = tick === 1;
    lines.push(
      `<line x1="${x(tick)}" y1="${top - 6}" x2="${x(tick)}" y2="${height - 28}" stroke="${isBase ? '#cf222e' : '#e3e6ea'}"/>`,
      `<text x="${x(tick)}" y="${height - 12}" text-anchor="middle">${tick}${isBase ? ` = ${base}` : ''}</text>`,
    );
  }
  if (step > 1)
    lines.push(`<line x1="${x(1)}" y1="${top - 6}" x2="${x(1)}" y2="${height - 28}" stroke="#cf222e"/>`);
  for (const [i, each] of measured.entries()) {
    const y = top + i * group;
    lines.push(
      `<text x="${left - 8}" y="${y + (group - gap) / 2 + 4}" text-anchor="end">${escape(each.endpoint)}</text>`,
    );
    for (const [j, { column, colour }] of shown.entries()) {
      const value = ratio(each, column);
      const at = y + j * bar;
      lines.push(
        `<rect x="${left}" y="${at}" width="${round(x(value) - left)}" height="${bar - 2}" fill="${colour}"/>`,
        `<text x="${round(x(value) + 4)}" y="${at + bar - 2}" font-size="8">${value.toFixed(2)}</text>`,
      );
    }
  }
  const legend = shown.map(
    ({ colour, meaning }, i) =>
      `<rect x="${left + i * 105}" y="42" width="10" height="10" fill="${colour}"/>` +
      `<text x="${left + 14 + i * 105}" y="51">${escape(meaning)}</text>`,
  );
  const title =
    base === 'pg'
      ? 'Answers a second, as multiples of PostgreSQL bare (pgbench = 1)'
      : 'Answers a second, as shares of a plain node:http server (map = 1)';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${left}" y="18" font-size="14" font-weight="bold">${title}</text>
<text x="${left}" y="34" fill="#57606a">${escape(caption)}</text>
${[...legend, ...lines].join('\n')}
</svg>
`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
