import assert from 'node:assert/strict';
import { rule } from './rule.ts';
import type { Section } from '../../harness/conformance/sections.ts';
import {
  fieldRule,
  shapeName,
  type SpecifiedField,
  specifiedFields,
} from '../../harness/conformance/specification.ts';
import type { Row } from './world.ts';
import { openapi } from '../../harness/support/fits-the-contract.ts';

/** The values that fields must have in some of the named rows. Undefined means that the field is absent. */
export type Values = Record<string, Record<string, unknown>>;

/**
 * Adds one rule for each field in the table of the specification. It checks the type in openapi.json and in
 * every row shown, that null and absence occur where they are allowed and nowhere else, and the meaning by
 * means of the given values.
 */
export function fieldRules(
  section: Section,
  rows: ReadonlyMap<string, Row>,
  values: Values,
  isShown: (field: SpecifiedField) => boolean = () => true,
): void {
  const fields = (specifiedFields.get(section) ?? []).filter(isShown);
  const unknown = Object.keys(values).filter((name) => !fields.some(({ field }) => field === name));
  assert.deepEqual(unknown, [], `the specification has no such fields of ${section}`);
  for (const each of fields) {
    const { field } = each;
    rule(section, fieldRule(each), () => {
      checkDeclared(section, each);
      checkType([...rows.values()], each);
      for (const [name, value] of Object.entries(values[field] ?? {})) {
        const row = rows.get(name);
        assert.ok(row, `there is no ${name}`);
        assert.deepEqual(row[field], value, name);
      }
    });
  }
}

/** Returns rows by name. Two rows with the same name are a mistake in the test. */
export function byName(rows: Row[], nameOf: (row: Row, index: number) => string): Map<string, Row> {
  const named = new Map(rows.map((row, index) => [nameOf(row, index), row]));
  assert.equal(named.size, rows.length);
  return named;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: (string | null)[];
  anyOf?: Schema[];
}
interface Shape {
  properties: Record<string, Schema>;
  required: string[];
}

/**
 * Checks that openapi.json declares the same for those who generate a client from it. A member of a listing
 * may be in both shapes.
 */
function checkDeclared(section: Section, { field, kinds, isOptional }: SpecifiedField): void {
  const { schemas } = openapi.components as unknown as { schemas: Record<string, Shape> };
  const name = shapeName(section);
  const shapes = [schemas[name], schemas[`${name}Detail`]].filter((shape) => shape?.properties[field]);
  assert.ok(shapes.length > 0, 'openapi.json has it');
  for (const { properties, required } of shapes as Shape[]) {
    assert.equal(!required.includes(field), isOptional);
    // We also declare other addresses as links, which the specification calls strings.
    const declared = kindsOf(properties[field] ?? {}).map((kind) =>
      kind === 'link' && field !== 'url' ? 'string' : kind,
    );
    assert.deepEqual(declared.toSorted(), kinds.toSorted());
  }
}

function kindsOf({ $ref, anyOf, enum: values, type, format }: Schema): string[] {
  if ($ref !== undefined) return ['object'];
  if (anyOf !== undefined) return anyOf.flatMap(kindsOf);
  if (values !== undefined) return values.map((value) => JSON.stringify(value));
  const kinds: Record<string, string> = {
    integer: 'number',
    string: { date: 'date', uri: 'link' }[format ?? ''] ?? 'string',
  };
  return [type ?? []].flat().map((each) => kinds[each] ?? each);
}

function checkType(rows: Row[], { field, type, kinds, isOptional }: SpecifiedField): void {
  const given = rows.filter((row) => field in row);
  if (!isOptional) assert.equal(given.length, rows.length, 'always present');
  else assert.ok(given.length < rows.length, 'absent somewhere');
  for (const row of given) {
    const value = row[field];
    assert.ok(
      kinds.some((kind) => isOfKind(value, kind)),
      `${JSON.stringify(value)} is not ${type}`,
    );
  }
  // Each of the alternatives must occur, including null.
  for (const kind of kinds) {
    assert.ok(
      given.some((row) => isOfKind(row[field], kind)),
      `${kind} somewhere`,
    );
  }
}

export function isOfKind(value: unknown, kind: string): boolean {
  if (kind.startsWith('"')) return value === JSON.parse(kind);
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (kind === 'link') return typeof value === 'string' && /^https?:\/\/./.test(value);
  return typeof value === kind;
}
