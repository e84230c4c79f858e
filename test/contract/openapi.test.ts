import assert from 'node:assert/strict';
import { test } from 'node:test';

import { endpoints, refusalsOf } from '../../src/contract/endpoints.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { parameters } from '../../src/contract/parameters.ts';
import { refusals } from '../../src/contract/refusals.ts';

const document: unknown = JSON.parse(JSON.stringify(openapiDocument()));
const references = [...referencesIn(document)];

test('every reference has a target', () => {
  assert.ok(references.length > 100);
  for (const reference of references) assert.ok(target(reference) !== undefined, reference);
});

test('every component is referred to', () => {
  const components = target('#/components') as Record<string, object>;
  for (const [kind, named] of Object.entries(components)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(named)) {
      assert.ok(references.includes(`#/components/${kind}/${name}`), `${kind}/${name}`);
    }
  }
});

test('no two components are the same', () => {
  const components = target('#/components') as Record<string, object>;
  for (const named of Object.values(components)) {
    const texts = Object.values(named).map((component) => JSON.stringify(component));
    assert.equal(new Set(texts).size, texts.length);
  }
});

test('generators find plain types: no shape says what a value is not', () => {
  for (const [place, schema] of schemasIn(target('#/components/schemas')))
    assert.ok(!('not' in schema), place);
});

for (const endpoint of endpoints) {
  test(`${endpoint.operationId}: each status is declared once, with its parameters in place`, () => {
    const statuses = [200, 304, ...refusalsOf(endpoint).map((name) => refusals[name].status)];
    assert.equal(new Set(statuses).size, statuses.length);
    const paths = target('#/paths') as Record<string, { get: { responses: object } }>;
    assert.deepEqual(Object.keys(paths[endpoint.path]?.get.responses ?? {}).map(Number), statuses);

    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(
      endpoint.pathParameters.map((name) => parameters[name].name),
      inPath,
    );
  });
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref') yield String(member);
    else yield* referencesIn(member);
  }
}

function* schemasIn(value: unknown, place = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* schemasIn(member, `${place}.${key}`);
}

function target(reference: string): unknown {
  const steps = reference.replace('#/', '').split('/');
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  );
}
