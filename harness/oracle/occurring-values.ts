// Finds out which parts of the contract occur in documents: compares them with openapi.json and notes every
// null, every optional key, both present and absent, and every value of an enum.
import { readFile } from 'node:fs/promises';

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

export class OccurringValues {
  /** The values that the contract allows, such as `Battle.date: null`, and how often each was seen. */
  readonly counts = new Map<string, number>();
  readonly #schemas: Record<string, Schema>;

  /** `roots` are the names of the schemas for which documents will be given. */
  constructor(schemas: Record<string, Schema>, roots: string[]) {
    this.#schemas = schemas;
    const expected = new Set<string>();
    for (const root of roots) this.#expect(root, expected);
  }

  see(root: string, document: unknown): void {
    this.#walk({ $ref: `#/components/schemas/${root}` }, document, root);
  }

  missing(): string[] {
    return [...this.counts].filter(([, number]) => number === 0).map(([value]) => value);
  }

  #expect(name: string, done: Set<string>): void {
    if (done.has(name)) return;
    done.add(name);
    const schema = this.#named(name);
    for (const branch of schema.anyOf ?? []) this.#expectBelow(branch, name, done);
    for (const [key, member] of Object.entries(schema.properties ?? {})) {
      const place = `${name}.${key}`;
      if (!schema.required?.includes(key)) this.#allow(`${place}: present`, `${place}: absent`);
      this.#expectBelow(member, place, done);
    }
  }

  #expectBelow(schema: Schema, place: string, done: Set<string>): void {
    if (schema.$ref) this.#expect(nameOf(schema.$ref), done);
    for (const value of this.#valuesOf(schema)) this.#allow(`${place}: ${JSON.stringify(value)}`);
    for (const branch of schema.anyOf ?? []) this.#expectBelow(branch, place, done);
    if (schema.items) this.#expectBelow(schema.items, place, done);
  }

  #allow(...values: string[]): void {
    for (const value of values) this.counts.set(value, 0);
  }

  #walk(schema: Schema, value: unknown, place: string): void {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      this.#walk(this.#named(name), value, name);
      return;
    }
    if (this.#valuesOf(schema).includes(value)) this.#note(`${place}: ${JSON.stringify(value)}`);
    const branch = schema.anyOf?.find((each) => this.#fits(each, value));
    if (branch) this.#walk(branch, value, place);
    if (Array.isArray(value)) {
      for (const each of value) if (schema.items) this.#walk(schema.items, each, place);
    } else if (value !== null && typeof value === 'object') {
      this.#walkMembers(schema, value as Record<string, unknown>, place);
    }
  }

  #walkMembers(
    { properties = {}, required = [] }: Schema,
    value: Record<string, unknown>,
    place: string,
  ): void {
    for (const [key, member] of Object.entries(properties)) {
      const present = Object.hasOwn(value, key);
      if (!required.includes(key)) this.#note(`${place}.${key}: ${present ? 'present' : 'absent'}`);
      if (present) this.#walk(member, value[key], `${place}.${key}`);
    }
  }

  #note(value: string): void {
    const number = this.counts.get(value);
    if (number === undefined) throw new Error(`${value} is not in the contract`);
    this.counts.set(value, number + 1);
  }

  /** Returns the values that are counted separately: null, true and false, and those of an enum. */
  #valuesOf({ type, enum: named, const: only }: Schema): unknown[] {
    const types = new Set([type].flat());
    const values = new Set(named ?? (only === undefined ? [] : [only]));
    if (types.has('null')) values.add(null);
    if (types.has('boolean')) values.add(true).add(false);
    return [...values];
  }

  /**
   * Returns true for the branch of an anyOf that applies: null or not, and one kind of standings or the
   * other.
   */
  #fits(schema: Schema, value: unknown): boolean {
    const target = schema.$ref ? this.#named(nameOf(schema.$ref)) : schema;
    if (target.const !== undefined) return target.const === value;
    if (value === null) return [target.type].flat().includes('null');
    if (typeof value !== 'object') return target.type === typeof value;
    return Object.entries(target.properties ?? {}).every(([key, member]) => {
      const inner = member.$ref ? this.#named(nameOf(member.$ref)) : member;
      const given = (value as Record<string, unknown>)[key];
      if (inner.const !== undefined) return inner.const === given;
      return key !== 'stage' || this.#fits(member, given);
    });
  }

  #named(name: string): Schema {
    const schema = this.#schemas[name];
    if (!schema) throw new Error(`the contract has no ${name}`);
    return schema;
  }
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export async function contractSchemas(): Promise<Record<string, Schema>> {
  const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { components: { schemas: Record<string, Schema> } }).components.schemas;
}
