import { readFileSync } from 'node:fs';
import type { Section } from './sections.ts';

/** Our copy of the specification. It changes only when the specification does. */
export const specification = readFileSync(
  new URL('../../test/conformance/specification.md', import.meta.url),
  'utf8',
);

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

/** A row in a table of fields. */
export interface SpecifiedField {
  field: string;
  /** The type as the specification writes it, such as `string (YYYY-MM-DD) | null`. */
  type: string;
  /** What its value may be: `date`, `link`, `array`, `object`, a literal in quotes or a type of JSON. */
  kinds: string[];
  isOptional: boolean;
  /** True if listings leave it out, and only the response about a single battle has it. */
  isOnlyInFull: boolean;
  /** The heading above the table, and the row as `statementsOf` returns it. */
  heading: string;
  statement: string;
}

/** The fields of each resource, from the tables of the specification. */
export const specifiedFields: ReadonlyMap<Section, SpecifiedField[]> = fieldTables();

function fieldTables(): Map<Section, SpecifiedField[]> {
  const found = new Map<Section, SpecifiedField[]>();
  const statements = statementsOf(specification);
  for (const [, heading = '', table = ''] of specification.matchAll(
    /^### (.+)\n\n\| Field .*\n\|[ |-]+\|\n((?:\|.*\n)+)/gm,
  )) {
    const fields = table.matchAll(/^\| (\w+) +\| (.*?) *(?<!\\)\|/gm);
    const rows = statements.get(heading) ?? [];
    found.set(
      heading.replace(/ \(.*/, '') as Section,
      [...fields].map(([, field = '', written = '']) => {
        const type = written.replaceAll('\\|', '|');
        const statement = rows.find((row) => row.startsWith(`${field} | `)) ?? '';
        return {
          field,
          type,
          isOnlyInFull: statement.includes('Only in the battle-by-id response.'),
          kinds: type
            .replace(', optional', '')
            .split(' | ')
            .map((each) => kindOf(field, each)),
          isOptional: type.endsWith(', optional'),
          heading,
          statement,
        };
      }),
    );
  }
  return found;
}

function kindOf(field: string, type: string): string {
  if (type === 'string (YYYY-MM-DD)') return 'date';
  if (type.startsWith('array of ') || type.endsWith('[]')) return 'array';
  if (/^[A-Z]/.test(type)) return 'object';
  // Links are given in fields of this name, as absolute addresses.
  return field === 'url' ? 'link' : type.replace(/ \(.*\)$/, '');
}

/** The name of a resource in openapi.json and in the client. */
export const shapeName = (section: Section): string =>
  section.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** The rule that checks a field against its row. */
export const fieldRule = ({ field, type }: SpecifiedField) => `\`${field}\`: ${type}`;

/**
 * The rules that test each statement (`Section · statement`), or the pages that decide what it leaves open,
 * by heading and statement. Rows of fields have a rule of their own, and specification.json only names more.
 */
export const testsOfStatements: Record<string, Record<string, string[]>> = withFieldRules(
  JSON.parse(
    readFileSync(new URL('../../test/conformance/specification.json', import.meta.url), 'utf8'),
  ) as Record<string, Record<string, string[]>>,
);

function withFieldRules(written: Record<string, Record<string, string[]>>): typeof written {
  const rulesOf = new Map(
    [...specifiedFields].flatMap(([section, fields]) =>
      fields.map((each) => [`${each.heading} · ${each.statement}`, `${section} · ${fieldRule(each)}`]),
    ),
  );
  const unknown = new Set(
    Object.entries(written).flatMap(([heading, below]) =>
      Object.keys(below).map((statement) => `${heading} · ${statement}`),
    ),
  );
  const all = [...statementsOf(specification)].map(([heading, statements]) => {
    const below = statements.flatMap((statement): [string, string[]][] => {
      unknown.delete(`${heading} · ${statement}`);
      const own = rulesOf.get(`${heading} · ${statement}`);
      const named = written[heading]?.[statement];
      if (own === undefined && named === undefined) return [];
      return [[statement, [...(own === undefined ? [] : [own]), ...(named ?? [])]]];
    });
    return [heading, Object.fromEntries(below)];
  });
  if (unknown.size > 0)
    throw new Error(`specification.json has what the specification has not: ${[...unknown].join('; ')}`);
  return Object.fromEntries(all) as typeof written;
}
