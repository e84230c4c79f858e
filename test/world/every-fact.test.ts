import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeProblems, shapes as shapesOfTheFeed } from '../../src/record/feed/json-schema.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';

// The shapes of the feed list everything that can occur. This test walks through them and counts the
// occurrences in a world.

interface Schema {
  type?: string | string[];
  enum?: (string | null)[];
  const?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
}

const shapes = Object.values(shapesOfTheFeed as Record<string, Schema>).map((schema) => ({
  schema,
  name: nameOf(schema),
}));
const counts = new Map<string, number>();
let battles = 0;

test('every record of a world of 20,000 battles fits the feed', () => {
  const known = new Set<string>();
  for (const record of world({
    seed: 5,
    battles: 20_000,
    from: dayNumber('2022-01-01'),
    today: dayNumber('2026-11-14'),
  })) {
    assert.deepEqual(shapeProblems(record), []);
    const { schema, name } = shapes.find((shape) => shape.name === nameOfRecord(record)) ?? assert.fail();
    count(schema, record, name);
    battles += newBattles(record, known);
  }
  assert.equal(battles, 20_000);
});

test('every kind, every member, every value of every enumeration and every true occur in it', () => {
  const expected = shapes.flatMap(({ schema, name }) => occurrences(schema, name));
  assert.ok(expected.length > 350, `only ${expected.length} things to look for`);
  assert.deepEqual(
    expected.filter((path) => !counts.has(path) && !unsaid.test(path)),
    [],
  );
});

// In a world nothing moves, nobody ranks a board by hand, only an export has an end and erased guests, and
// only a sheet names clubs that it does not know. Values that are null or false are left out.
const unsaid =
  /^(moved|end|ranking|remove ranking)(\.|$)|^tournament\.stages\[\]\.ranking(\.|$)|^club\.onlyIfNew|\.erased(=|$)/;

function occurrences(schema: Schema, path: string): string[] {
  const types = new Set([schema.type ?? []].flat());
  return [
    path,
    ...(types.has('boolean') && !types.has('number') ? [`${path}=true`] : []),
    ...(schema.enum ?? []).flatMap((value) => (value === null ? [] : [`${path}=${value}`])),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => occurrences(part, `${path}.${key}`)),
    ...Object.values(schema.patternProperties ?? {}).flatMap((part) => occurrences(part, `${path}.*`)),
    ...(schema.items ? occurrences(schema.items, `${path}[]`) : []),
  ];
}

function count(schema: Schema, value: unknown, path: string): void {
  add(path);
  if (typeof value === 'boolean' || schema.enum) add(`${path}=${String(value)}`);
  if (Array.isArray(value)) {
    for (const item of value) count(schema.items ?? {}, item, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    const [any] = Object.values(schema.patternProperties ?? {});
    for (const [key, part] of Object.entries(value)) {
      if (any) count(any, part, `${path}.*`);
      else count(schema.properties?.[key] ?? {}, part, `${path}.${key}`);
    }
  }
}

function add(path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1);
}

function nameOf({ properties = {} }: Schema): string {
  const { kind, of, tournament } = properties;
  if (kind?.const === 'remove') return `remove ${of?.const ?? 'thing'}`;
  return kind?.const === 'battle' && !tournament ? 'casual battle' : (kind?.const ?? '');
}

function nameOfRecord(record: FeedRecord): string {
  if (record.kind === 'remove') return `remove ${'tournament' in record ? record.of : 'thing'}`;
  return record.kind === 'battle' && !('tournament' in record) ? 'casual battle' : record.kind;
}

function newBattles(record: FeedRecord, known: Set<string>): number {
  const before = known.size;
  if (record.kind === 'battle') known.add(record.id);
  if (record.kind === 'tournament') for (const { id } of record.battles ?? []) known.add(id);
  if (record.kind === 'remove' && record.of === 'battle') known.delete(record.id);
  return known.size - before;
}
