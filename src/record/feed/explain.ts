// Finds the paths at which a value does not fit its shape, and describes the problems in our words. The
// compiled check is faster but answers only yes or no, so this runs only for the few records that it refuses.
import type { TSchema } from 'typebox';
import { expected, member, type Problem } from './problem.ts';

interface Node {
  type?: string | string[];
  description?: string;
  enum?: (string | null)[];
  const?: unknown;
  properties?: Record<string, Node>;
  required?: string[];
  patternProperties?: Record<string, Node>;
  items?: Node;
  maxItems?: number;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/**
 * Maximum number of problems that are reported for a line. A hostile line can have millions, which would not
 * fit into memory, and a reader needs only the first.
 */
export const maxExplained = 1000;

export function explain(schema: TSchema, value: unknown): Problem[] {
  const problems: Problem[] = [];
  for (const problem of walk(schema, value, '')) {
    if (problems.length === maxExplained) break;
    problems.push(problem);
  }
  return problems.length > 0 ? problems : [{ path: '', message: 'does not fit the shape of the feed' }];
}

function* walk(node: Node, value: unknown, path: string): Generator<Problem, void> {
  if (!fits(node, value)) yield expected(path, describe(node), value);
  else if (Array.isArray(value)) yield* walkArray(node, value, path);
  else if (typeof value === 'object' && value !== null) yield* walkObject(node, value, path);
}

function* walkArray(node: Node, values: unknown[], path: string): Generator<Problem, void> {
  if (node.maxItems !== undefined && values.length > node.maxItems) {
    yield { path, message: `expected at most ${node.maxItems} elements, found ${values.length}` };
    return;
  }
  for (const [index, value] of values.entries()) yield* walk(node.items ?? {}, value, `${path}[${index}]`);
}

function* walkObject(node: Node, value: object, path: string): Generator<Problem, void> {
  const members = new Map(Object.entries(value));
  const any = Object.values(node.patternProperties ?? {})[0];
  const known = new Map(Object.entries(node.properties ?? {}));
  for (const [key, inner] of members) {
    const shape = any ?? known.get(key);
    if (shape) yield* walk(shape, inner, member(path, key));
    else yield { path: member(path, key), message: 'expected no member of this name' };
  }
  for (const key of node.required ?? []) {
    if (!members.has(key)) yield expected(member(path, key), describe(known.get(key) ?? {}), undefined);
  }
}

function fits(node: Node, value: unknown): boolean {
  if (node.const !== undefined) return value === node.const;
  if (node.type !== undefined && ![node.type].flat().some((type) => hasType(type, value))) return false;
  if (node.enum && !node.enum.includes(value as string | null)) return false;
  if (typeof value === 'string') {
    if (value.length > (node.maxLength ?? Infinity) || value.length < (node.minLength ?? 0)) return false;
    return node.pattern === undefined || new RegExp(node.pattern, 'u').test(value);
  }
  if (typeof value === 'number') {
    return value <= (node.maximum ?? Infinity) && value >= (node.minimum ?? -Infinity);
  }
  return true;
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function describe(node: Node): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  const types = [node.type ?? 'a value'].flat();
  const plain =
    node.description ??
    (node.enum
      ? `one of ${node.enum.filter((each) => each !== null).join(', ')}`
      : types
          .filter((type) => type !== 'null')
          .map((type) => names[type] ?? type)
          .join(' or '));
  return types.includes('null') ? `${plain}, or null` : plain;
}

const names: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};
