import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Compile } from 'typebox/compile';

import { endpoints } from '../../src/contract/endpoints.ts';
import { ErrorAnswer, errorAnswer, errorCodes, errors } from '../../src/contract/errors.ts';
import { examples } from '../../scripts/openapi/examples.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { parameters } from '../../src/contract/parameters.ts';
import { refusals } from '../../src/contract/refusals.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
const client = new Ajv2020({ strict: false, validateFormats: false });
client.addSchema(openapiDocument(), 'openapi.json');

for (const endpoint of endpoints) {
  const validate = ajv.compile(endpoint.answer);
  const pointer = `#/paths/${encodeURIComponent(endpoint.path.replaceAll('/', '~1'))}/get/responses/200`;
  const validateAsClient = client.compile({
    $ref: `openapi.json${pointer}/content/application~1json/schema`,
  });

  for (const [name, example] of Object.entries(examples[endpoint.operationId])) {
    test(`${endpoint.operationId}: example "${name}" has the declared shape`, () => {
      validate(example.value);
      assert.deepEqual(validate.errors ?? [], []);
    });

    test(`${endpoint.operationId}: example "${name}" also passes the run-time check of the shapes`, () => {
      assert.ok(Compile(endpoint.answer).Check(example.value));
    });

    // We never send more than the contract says, but a client generated from openapi.json must accept it all
    // the same.
    test(`${endpoint.operationId}: example "${name}" with an extra member anywhere fits openapi.json, not our shape`, () => {
      for (const [place, grown] of withOneMemberMore(example.value)) {
        assert.equal(validate(grown), false, place);
        assert.ok(validateAsClient(grown), place);
      }
    });

    test(`${endpoint.operationId}: example "${name}" uses only the parameters of its endpoint`, () => {
      const next = 'next' in example.value ? example.value.next : null;
      if (next === null) return;
      const known = new Set<string>(endpoint.queryParameters.map((parameter) => parameters[parameter].name));
      const { pathname, searchParams } = new URL(next);
      assert.match(pathname, new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
      assert.deepEqual(
        [...searchParams.keys()].filter((key) => !known.has(key)),
        [],
      );
      assert.ok(searchParams.has('limit') && searchParams.has('cursor'));
    });
  }
}

test('every error has the error shape', () => {
  const validate = ajv.compile(ErrorAnswer);
  for (const error of Object.values(errors)) assert.ok(validate(errorAnswer(error)), error.message);
});

test('every error is declared by an endpoint, except the one of an unknown address', () => {
  const declared = new Set(Object.values(refusals).flatMap((refusal) => Object.keys(refusal.errors)));
  const undeclared = Object.keys(errors).filter((name) => !declared.has(name));
  assert.deepEqual(undeclared, ['endpointNotFound']);
});

test('every error code is in use, and each goes with one status', () => {
  const statuses = new Map(Object.values(errors).map((error) => [error.code, error.status]));
  assert.deepEqual([...statuses.keys()].toSorted(), [...errorCodes].toSorted());
  for (const error of Object.values(errors)) assert.equal(statuses.get(error.code), error.status);
});

/**
 * Yields, for each object inside, a copy with an extra member in that object. `metrics` is left out because
 * it may have any member.
 */
function* withOneMemberMore(value: unknown, place = 'answer'): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value, more: 1 }];
  for (const [key, member] of Object.entries(value)) {
    if (key === 'metrics') continue;
    for (const [where, grown] of withOneMemberMore(member, `${place}.${key}`)) {
      yield [where, Array.isArray(value) ? value.with(Number(key), grown) : { ...value, [key]: grown }];
    }
  }
}
