import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { errorAnswer } from '../../src/contract/errors.ts';
import { extraDocument } from '../../scripts/openapi/extra-document.ts';
import { extraEndpoints } from '../../src/contract/extra/endpoints.ts';
import { ExtraErrorAnswer, extraErrors } from '../../src/contract/extra/errors.ts';
import { extraExamples } from '../../scripts/openapi/extra-examples.ts';

const text = `${JSON.stringify(extraDocument(), null, 2)}\n`;
const document = JSON.parse(text) as {
  paths: Record<string, { get: { responses: object } }>;
  components: Record<string, Record<string, object>>;
};
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);

test('every reference has a target, and every component is referred to', () => {
  const references = new Set(
    [...text.matchAll(/"\$ref": "#\/components\/(\w+\/\w+)"/g)].map(([, to = '']) => to),
  );
  const { securitySchemes: _, ...components } = document.components;
  const known = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `${kind}/${name}`),
  );
  assert.deepEqual([...references].toSorted(), known.toSorted());
});

for (const { operationId, path, answer, allRefusals } of extraEndpoints) {
  test(`${operationId}: the examples have the declared shape, and each status is declared once`, () => {
    const validate = ajv.compile(answer);
    for (const { value } of Object.values(extraExamples[operationId])) {
      assert.ok(validate(value), ajv.errorsText(validate.errors));
    }
    const statuses = Object.keys(document.paths[path]?.get.responses ?? {});
    assert.equal(statuses.length, allRefusals.length + 2);
  });
}

test('every error has the error shape, and is declared', () => {
  const validate = ajv.compile(ExtraErrorAnswer);
  for (const error of Object.values(extraErrors)) {
    assert.ok(validate(errorAnswer(error)), error.message);
    assert.ok(text.includes(JSON.stringify(error.message)), error.message);
  }
});
