import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { claims } from './claims.ts';
import { markdownTable } from './markdown-table.ts';

// Writes docs/evidence: what the commands measured, in one JSON file for each, and one page with one table
// made from them.

interface Measured {
  measuredOn: string;
  /** The commit that was measured. Older entries have none. */
  commit?: string;
}

interface Kept {
  /** The results of the proofs. The first figure goes into the table. */
  proofs: Record<string, Measured & { figures: string[] }>;
  /** The results of the measurements, each with all its figures. */
  bench: Record<string, Measured & { flags?: string; rows: BenchRow[] }>;
  conformance: Record<string, Record<string, boolean>>;
}

/**
 * A row of the table, with about twelve words in each column. A claim contains its bar, and the command fails
 * if the bar is missed.
 */
export interface BenchRow {
  claim: string;
  figure: string;
}

const folder = new URL('../../docs/evidence/', import.meta.url);

/** Replaces part of what a command measured, and writes the page again. */
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

/** Returns the first members of an entry that is written now. */
export function measuredNow(): Measured {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  return { measuredOn: today(), commit: commit.trim() };
}

export function evidencePage(): string {
  const head = ['Claim', 'Figure', 'Name, date, commit'];
  return `# Evidence

Each row is a claim about Wartable, with the figure from the last run of the command that measures it. The command fails
if the claim doesn't hold. The commands ran on two shared cores, so rely on the ratios and not on the rates. The JSON
files beside this page have all figures; \`npm run generate\` makes the page from them.

## \`npm run prove NAME\`

These commands prove a property. \`npm run prove -- --help\` says who relies on each of them.

${markdownTable(head, rowsOfProofs())}
## \`npm run bench -- NAME\`

These commands measure speed and memory.

${markdownTable(head, rowsOfBench())}`;
}

function rowsOfProofs(): string[][] {
  const kept = readEvidence('proofs');
  return Object.entries(claims).flatMap(([name, { claim }]) => {
    const { measuredOn, commit = '', figures = [] } = kept[name] ?? {};
    const [figure = ''] = figures;
    return measuredOn === undefined ? [] : [[claim, figure, `\`${name}\` ${measuredOn} ${commit}`.trim()]];
  });
}

function rowsOfBench(): string[][] {
  return Object.entries(readEvidence('bench')).flatMap(
    ([name, { measuredOn, commit = '', flags = '', rows }]) =>
      rows.map(({ claim, figure }) => [claim, figure, `\`${name}${flags}\` ${measuredOn} ${commit}`.trim()]),
  );
}
