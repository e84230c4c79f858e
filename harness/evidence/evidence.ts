import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { claims } from './claims.ts';
import { markdownTable } from './markdown-table.ts';

// docs/evidence: what the commands measured, one JSON file for each, and one page with one table made from them.

interface Measured {
  measuredOn: string;
  /** The commit that was measured. Older entries have none. */
  commit?: string;
}

interface Kept {
  /** The first figure is for the table. */
  proofs: Record<string, Measured & { figures: string[] }>;
  /** With all figures of each measurement beside. */
  bench: Record<string, Measured & { flags?: string; rows: BenchRow[] }>;
  conformance: Record<string, Record<string, boolean>>;
}

/** About twelve words each. A claim has its bar, and the command fails when it is missed. */
export interface BenchRow {
  claim: string;
  figure: string;
}

const folder = new URL('../../docs/evidence/', import.meta.url);

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

/** What an entry of today begins with. */
export function measuredNow(): Measured {
  const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  return { measuredOn: today(), commit: commit.trim() };
}

export function evidencePage(): string {
  const head = ['Claim', 'Figure', 'Name, date, commit'];
  return `# Evidence

What our commands measured last, on two shared cores: read the ratios, not the rates. A command fails when its claim does
not hold. The JSON files beside this page have all figures; \`npm run generate\` makes the page from them.

## \`npm run prove NAME\`

\`--help\` says who relies on each.

${markdownTable(head, rowsOfProofs())}
## \`npm run bench -- NAME\`

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
