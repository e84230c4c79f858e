import { shapeName, specifiedFields } from '../harness/conformance/specification.ts';
import { openapiDocument } from './openapi/document.ts';

interface Member {
  description?: string;
  type?: string | string[];
  anyOf?: { type?: string }[];
}
interface Shape {
  properties: Record<string, Member>;
  required: string[];
}
/** A member of a shape, and when it is null or absent. */
interface Row {
  word: string;
  name: string;
  when: string;
}

/** Returns docs/api/nulls.md with the tables of members that may be null, and of those that may be absent. */
export function nullsPage(page: string): string {
  const { schemas } = openapiDocument().components as unknown as { schemas: Record<string, Shape> };
  const shapes = [...specifiedFields.keys()].flatMap((section): [word: string, shape: Shape][] =>
    [schemas[shapeName(section)], schemas[`${shapeName(section)}Detail`]].flatMap((shape) =>
      shape === undefined ? [] : [[section, shape]],
    ),
  );
  const lists: [word: string, shape: Shape][] = [['', schemas['TournamentList'] as Shape]];
  const nulls = [...shapes, ...lists].flatMap(([word, { properties }]) =>
    Object.entries(properties).flatMap(([name, member]) =>
      acceptsNull(member) ? [{ word, name, when: sentence('Null', word, name, member) }] : [],
    ),
  );
  const absences = shapes.flatMap(([word, { properties, required }]) => {
    const listed = shapes.find(([each]) => each === word)?.[1].properties ?? {};
    return Object.entries(properties).flatMap(([name, member]): Row[] => {
      if (!(name in listed)) return [{ word, name, when: 'in lists; request the battle by its id' }];
      return required.includes(name) ? [] : [{ word, name, when: sentence('Absent', word, name, member) }];
    });
  });
  const tables = [table('It is null', nulls), table('It is absent', absences)];
  const parts = page.split(/(?:^\|.*\n)+/m);
  if (parts.length !== 3) throw new Error('docs/api/nulls.md has lost one of its two tables.');
  return parts.map((part, index) => part + (tables[index] ?? '')).join('');
}

function acceptsNull({ type, anyOf = [] }: Member): boolean {
  return [type, ...anyOf.map((each) => each.type)].flat().includes('null');
}

/** Returns the rest of the sentence that begins with this word in the description of a member. */
function sentence(
  begin: 'Null' | 'Absent',
  shape: string,
  name: string,
  { description = '' }: Member,
): string {
  const [, when] = new RegExp(`(?:^|\\. )${begin} ([^.]*)\\.`).exec(description) ?? [];
  if (when === undefined)
    throw new Error(`The description of ${shape} \`${name}\` in src/contract needs a sentence "${begin} …".`);
  return when;
}

/** Puts members of a shape that are null at the same time into one row, and then the same row of several shapes. */
function table(head: string, rows: readonly Row[]): string {
  const names = Map.groupBy(rows, ({ word, when }) => `${word}|${when}`)
    .values()
    .map((same) => {
      const [{ word, when } = { word: '', when: '' }] = same;
      return { word, when, name: [...new Set(same.map(({ name }) => `\`${name}\``))].join(', ') };
    });
  const cells = Map.groupBy(names, ({ name, when }) => `${name}|${when}`)
    .values()
    .map((same) => {
      const [{ name, when } = { name: '', when: '' }] = same;
      return [`${same.map(({ word }) => word).join(', ')} ${name}`.trim(), when] as const;
    });
  const lines = [['Where', head] as const, ...cells];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const [top = '', ...below] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  );
  return [top, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`, ...below].join('');
}
