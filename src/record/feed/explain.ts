// Finds the first place where a value does not fit its shape, and describes it in our words. The compiled check is
// faster but answers only yes or no, so this runs only for the few records that it refuses.
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

export const explain = (schema: TSchema, value: unknown): Problem =>
  walk(schema, value, '') ?? { path: '', message: 'does not fit the shape of the feed' };

function walk(node: Node, value: unknown, path: string): Problem | undefined {
  if (!fits(node, value)) return expected(path, describe(node), value);
  if (Array.isArray(value)) return walkArray(node, value, path);
  if (typeof value === 'object' && value !== null) return walkObject(node, value, path);
  return undefined;
}

function walkArray(node: Node, values: unknown[], path: string): Problem | undefined {
  if (node.maxItems !== undefined && values.length > node.maxItems) {
    return { path, message: `expected at most ${node.maxItems} elements, found ${values.length}` };
  }
  for (const [index, value] of values.entries()) {
    const problem = walk(node.items ?? {}, value, `${path}[${index}]`);
    if (problem) return problem;
  }
  return undefined;
}

function walkObject(node: Node, value: object, path: string): Problem | undefined {
  const members = new Map(Object.entries(value));
  const any = Object.values(node.patternProperties ?? {})[0];
  const known = new Map(Object.entries(node.properties ?? {}));
  for (const [key, inner] of members) {
    const shape = any ?? known.get(key);
    if (!shape) return { path: member(path, key), message: 'expected no member of this name' };
    const problem = walk(shape, inner, member(path, key));
    if (problem) return problem;
  }
  const missing = node.required?.find((key) => !members.has(key));
  if (missing === undefined) return undefined;
  return expected(member(path, missing), describe(known.get(missing) ?? {}), undefined);
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
