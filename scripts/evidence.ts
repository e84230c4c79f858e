import { readFileSync, writeFileSync } from 'node:fs';
import { claims } from './claims.ts';
import { markdownTable } from './markdown-table.ts';

// docs/evidence: what the commands measured, one JSON file for each, and one page with one table made from them.

interface Kept {
  /** The first figure is for the table. */
  proofs: Record<string, { measuredOn: string; figures: string[] }>;
  /** With all figures of each measurement beside. */
  bench: Record<string, { measuredOn: string; flags?: string; rows: BenchRow[] }>;
  conformance: Record<string, Record<string, boolean>>;
}

/** About twelve words each. A claim has its bar, and the command fails when it is missed. */
export interface BenchRow {
  claim: string;
  figure: string;
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
  const table = markdownTable(['Claim', 'Figure', 'Command', 'Date'], evidenceRows());
  return `# Evidence

What our commands measured last, at the stated size, on two shared cores. \`npm run generate\` makes this page from the
JSON files beside it, which have all figures. A command fails when its claim does not hold. Read the ratios, not the
rates: other machines have other rates. \`npm run prove -- --help\` says who relies on each proof. With an asterisk:
measured by the proofs that were merged into this one.

${table}`;
}

function evidenceRows(): string[][] {
  const kept = readEvidence('proofs');
  const ofProofs = Object.entries(claims).flatMap(([name, { claim }]) => {
    const { measuredOn, figures = [] } = kept[name] ?? {};
    const [figure = ''] = figures;
    const isMerged = figures.some((each) =>
      each.startsWith('Measured by the proofs before they were merged'),
    );
    const date = isMerged ? `${measuredOn} *` : measuredOn;
    return date === undefined ? [] : [[claim, figure, `\`npm run prove ${name}\``, date]];
  });
  const ofBench = Object.entries(readEvidence('bench')).flatMap(([name, { measuredOn, flags = '', rows }]) =>
    rows.map(({ claim, figure }) => [claim, figure, `\`npm run bench -- ${name}${flags}\``, measuredOn]),
  );
  return [...ofProofs, ...ofBench];
}
