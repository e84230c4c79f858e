import { readFileSync } from 'node:fs';

/** Returns each row and each sentence of specification.md by the heading above it. */
export function statementsOf(text: string): Map<string, string[]> {
  const statements = new Map<string, string[]>();
  let below: string[] = [];
  for (const block of text.replaceAll(tableHead, '').split(/\n(?=\n|#|\|| *- |\d+\. )/)) {
    const line = block.trim().replaceAll(/\s+/g, ' ');
    if (line.startsWith('#')) {
      below = [];
      statements.set(line.replace(/^#+ /, ''), below);
    } else if (line.startsWith('|')) {
      const [row = '', ...more] = line.slice(2, -2).split(sentenceEnd);
      below.push(row, ...more.map((sentence) => `${row.split(' | ', 1)[0]}: ${sentence}`));
    } else if (line !== '') below.push(...line.replace(/^(- |\d+\. )/, '').split(sentenceEnd));
  }
  return statements;
}

const sentenceEnd = /(?<=(?<!e\.g)\.) (?=[A-Z`"])/;
const tableHead = /^\|.*\|\n\|[ |-]+\|$/gm;

/** Our copy of the specification. It changes only when the specification does. */
export const specification = readFileSync(
  new URL('../../test/conformance/specification.md', import.meta.url),
  'utf8',
);

/**
 * The rules that test each statement (`Section · statement`), or the pages that decide what it leaves open,
 * by heading and statement.
 */
export const testsOfStatements = JSON.parse(
  readFileSync(new URL('../../test/conformance/specification.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string[]>>;
