import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi } from '../../harness/support/fits-the-contract.ts';
import { specification, statementsOf } from '../../harness/conformance/specification.ts';

// `/api/v1` contains what the specification contains, and nothing else. Whoever adds something must first add
// it to the specification.

interface Document {
  paths: Record<string, Record<string, { parameters: { $ref: string }[] }>>;
  components: {
    schemas: Record<string, { properties: object }>;
    parameters: Record<string, { name: string; in: string }>;
  };
}
const { paths, components } = openapi as unknown as Document;
const statements = statementsOf(specification);

const tables: Record<string, string[]> = {
  Tournament: ['Tournament'],
  'Stage (element of Tournament.stages)': ['Stage'],
  'Board row (standings of a board stage)': ['BoardRow'],
  'Bracket match (standings of a bracket stage)': ['BracketMatch'],
  Participant: ['Participant'],
  ArmyList: ['ArmyList'],
  Club: ['Club'],
  Battle: ['Battle', 'BattleDetail'],
  BattlePlayer: ['BattlePlayer', 'BattlePlayerDetail'],
  PlayerRound: ['PlayerRound'],
};
for (const [heading, shapes] of Object.entries(tables)) {
  test(`the members of ${shapes.join(' and ')} are those of the specification`, () => {
    // Other rows below the same heading explain the meaning of a value.
    const rows = (statements.get(heading) ?? []).flatMap(
      (row) => /^(\w+) \| (?![A-Z][a-z]+ )/.exec(row)?.[1] ?? [],
    );
    const members = shapes.flatMap((name) => Object.keys(components.schemas[name]?.properties ?? {}));
    assert.deepEqual([...new Set(members)].toSorted(), rows.toSorted());
  });
}

const queries = {
  '/api/v1/tournaments': ['from', 'to', 'status', 'cursor', 'limit'],
  '/api/v1/tournaments/{slug}': [],
  '/api/v1/tournaments/{slug}/standings': ['stage'],
  '/api/v1/tournaments/{slug}/participants': ['cursor', 'limit'],
  '/api/v1/tournaments/{slug}/battles': ['cursor', 'limit'],
  '/api/v1/clubs/{slug}': [],
  '/api/v1/clubs/{slug}/tournaments': ['from', 'to', 'cursor', 'limit'],
  '/api/v1/clubs/{slug}/battles': ['from', 'to', 'cursor', 'limit'],
  '/api/v1/users/{publicId}/battles': ['from', 'to', 'cursor', 'limit'],
  '/api/v1/battles/{id}': [],
};
test('the ten endpoints take GET and the parameters of the specification, and there are no others', () => {
  const found = Object.entries(paths).map(([path, operations]) => {
    assert.deepEqual(Object.keys(operations), ['get'], path);
    const taken = operations['get']?.parameters.map(
      ({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''],
    );
    return [
      path,
      taken?.filter((parameter) => parameter?.in === 'query').map((parameter) => parameter?.name),
    ];
  });
  assert.deepEqual(Object.fromEntries(found), queries);
});
