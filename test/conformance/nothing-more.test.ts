import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi } from '../../harness/support/fits-the-contract.ts';
import { shapeName, specifiedFields } from '../../harness/conformance/specification.ts';

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

for (const [section, fields] of specifiedFields) {
  const name = shapeName(section);
  test(`the members of ${name} are those of the specification`, () => {
    const members = [name, `${name}Detail`].flatMap((each) =>
      Object.keys(components.schemas[each]?.properties ?? {}),
    );
    assert.deepEqual([...new Set(members)].toSorted(), fields.map(({ field }) => field).toSorted());
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
