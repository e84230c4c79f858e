import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { exampleFeed } from '../../../harness/support/feed.ts';
import { feedSchema, shapeProblems, shapes } from './json-schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const fits = ajv.compile(JSON.parse(JSON.stringify(feedSchema())) as object);
const fitsAny = ajv.compile({ anyOf: Object.values(shapes) });
const example = exampleFeed()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Members);

type Members = Record<string, unknown>;

const battle = { kind: 'battle', id: 'b', sides: [] };
const wrongLines: [line: unknown, problem: string][] = [
  [{ kind: 'club', slug: 'North Gate' }, '/slug must match pattern "^[a-z0-9-]{1,100}$"'],
  [{ kind: 'clubs', slug: 'north-gate' }, '/kind must be equal to one of the allowed values'],
  [{ slug: 'north-gate' }, " must have required property 'kind'"],
  ['club', ' must be object'],
  [{ kind: 'player', id: 'ana', nick: 'A' }, ' must NOT have additional properties'],
  [{ kind: 'tournament', slug: 'cup', status: 'over' }, '/status must be equal to one of the allowed values'],
  [{ kind: 'participant', id: 'p1' }, " must have required property 'tournament'"],
  [{ ...battle, tournament: 'cup', stage: 'swiss' }, " must have required property 'round'"],
  [{ ...battle, battleSize: 1.5 }, '/battleSize must be integer'],
  [
    { kind: 'tournament', slug: 'cup', battles: [{ ...battle, kind: undefined, stage: 'swiss', round: 0 }] },
    '/battles/0/round must be >= 1',
  ],
  [{ kind: 'remove', id: 'north-gate' }, " must have required property 'of'"],
  [{ kind: 'remove', of: 'clubs', id: 'a' }, '/of must be equal to one of the allowed values'],
  [{ kind: 'remove', of: 'club' }, " must have required property 'id'"],
  [
    { kind: 'remove', of: 'bye', tournament: 'cup', stage: 'swiss', round: 1 },
    " must have required property 'participant'",
  ],
];

for (const [line, problem] of wrongLines) {
  test(`ajv reports one problem of ${JSON.stringify(line).slice(0, 60)}`, () => {
    const value: unknown = JSON.parse(JSON.stringify(line));
    assert.equal(fits(value), false);
    // ajv also reports that the chosen shape does not fit, which is not a problem of its own.
    const problems = fits.errors?.filter(({ keyword }) => keyword !== 'if');
    assert.deepEqual(
      problems?.map(({ instancePath, message }) => `${instancePath} ${message}`),
      [problem],
    );
  });
}

test('the schema accepts what one of the shapes accepts, and what the import accepts, and nothing else', () => {
  const accepted = { true: 0, false: 0 };
  fc.assert(
    fc.property(changedRecord, (record) => {
      const isAccepted = fitsAny(record);
      assert.equal(fits(record), isAccepted, JSON.stringify(record));
      assert.equal(shapeProblems(record).length === 0, isAccepted, JSON.stringify(record));
      accepted[`${isAccepted}`] += 1;
    }),
    { numRuns: 3_000 },
  );
  assert.ok(accepted.true > 100 && accepted.false > 1_000, JSON.stringify(accepted));
});

/** A record of the example after up to three changes to its kind or to a member at any depth. */
const changedRecord = fc
  .tuple(
    fc.constantFrom(...example),
    fc.array(fc.record({ at: fc.array(fc.nat(30), { maxLength: 5 }), key: keys(), value: values() }), {
      maxLength: 3,
    }),
  )
  .map(([record, changes]) => {
    const copy = structuredClone(record);
    for (const { at, key, value } of changes) change(copy, at, key, value);
    return copy;
  });

function keys() {
  return fc.oneof(
    fc.constant(undefined),
    fc.constantFrom('kind', 'of', 'id', 'tournament', 'stage', 'round', 'position', 'participant', 'more'),
  );
}

function values() {
  const kinds = Object.values(shapes).map(({ properties }) => properties.kind.const);
  return fc.constantFrom<unknown>(undefined, null, 1, -1, 0.5, '', 'swiss', true, [], {}, ...kinds);
}

/** Sets the member `key`, or some member, of an object somewhere below. Undefined removes it. */
function change(target: Members, at: number[], key: string | undefined, value: unknown): void {
  const inner = Object.values(target).filter((each) => typeof each === 'object' && each !== null);
  const [first, ...rest] = at;
  if (first !== undefined && inner.length > 0) {
    change(inner[first % inner.length] as Members, rest, key, value);
    return;
  }
  const names = Object.keys(target);
  const name = key ?? names[(first ?? 0) % Math.max(names.length, 1)] ?? 'more';
  if (value === undefined && !Array.isArray(target)) delete target[name];
  else target[name] = structuredClone(value ?? null);
}
