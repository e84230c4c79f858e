import { readFileSync, writeFileSync } from 'node:fs';
import { claimOf } from './claims.ts';
import { markdownTable } from './markdown-table.ts';

// docs/evidence: what the commands measured, one JSON file for each, and one page with one table made from them.

interface Kept {
  proofs: Record<string, { measuredOn: string; figures: string[] }>;
  drills: Record<
    string,
    { measuredOn: string; machine: string; expected: string; met: boolean; figures: string }
  >;
  /** With all figures of each measurement beside. */
  bench: Record<string, { measuredOn: string; rows: BenchRow[]; note?: string }>;
  conformance: Record<string, Record<string, boolean>>;
}

export interface BenchRow {
  claim: string;
  figure: string;
  bar: string;
}

interface EvidenceRow extends BenchRow {
  command: string;
  measuredOn: string;
}

const folder = new URL('../docs/evidence/', import.meta.url);

/** Replaces some of what a command measured, and the page. */
export function keepEvidence<Name extends keyof Kept>(name: Name, measured: Partial<Kept[Name]>): void {
  const all = name === 'conformance' ? measured : { ...readEvidence(name), ...measured };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(new URL('README.md', folder), evidencePage());
}

export function readEvidence<Name extends keyof Kept>(name: Name): Kept[Name] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Kept[Name];
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function evidencePage(): string {
  const rows = [...proofRows(), ...drillRows(), ...benchRows()];
  const notes = Object.entries(readEvidence('bench')).flatMap(([name, { note }]) =>
    note === undefined ? [] : [`\`bench -- ${name}\`: ${note}`],
  );
  const table = markdownTable(
    ['Claim', 'Figure', 'Bar', 'Command', 'Date'],
    rows.map(({ claim, figure, bar, command, measuredOn }) => [
      claim,
      figure,
      bar,
      `\`npm run ${command}\``,
      measuredOn,
    ]),
  );
  return `# Evidence

What our commands measured last, at the stated size, on two shared cores. \`npm run generate\` makes this page from the
JSON files beside it, which have all figures. Read the ratios, not the rates: other machines have other rates. A bar that
is missed says so.

${table}
${notes.join('\n\n')}

![Answers a second of each endpoint, as multiples of PostgreSQL bare](../pictures/bench.svg)
`;
}

function proofRows(): EvidenceRow[] {
  return Object.entries(readEvidence('proofs')).map(([name, { measuredOn, figures }]) => {
    const { claim, bar = '', shown = [0] } = claimOf(name);
    return {
      claim,
      bar,
      figure: shown.map((index) => figures[index]).join(' '),
      command: `prove ${name}`,
      measuredOn,
    };
  });
}

function drillRows(): EvidenceRow[] {
  return Object.entries(readEvidence('drills')).map(([name, { measuredOn, expected, met, figures }]) => ({
    claim: expected,
    figure: figures,
    bar: met ? '' : '**missed**',
    command: `prove ${name}`,
    measuredOn,
  }));
}

function benchRows(): EvidenceRow[] {
  return Object.entries(readEvidence('bench')).flatMap(([name, { measuredOn, rows }]) =>
    rows.map((row) => ({ ...row, command: `bench -- ${name}`, measuredOn })),
  );
}
