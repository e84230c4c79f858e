import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Operation {
  operationId: string;
  parameters: { $ref: string }[];
  responses: Record<string, Reference & Response>;
}
interface Reference {
  $ref?: string;
}
interface Response {
  headers?: Record<string, Reference & { required?: boolean }>;
  content?: object;
}
interface Document {
  paths: Record<string, { get: Operation }>;
  components: { parameters: Record<string, unknown> };
}

/** The committed openapi.json, the promise to callers. */
export const openapi = read('openapi.json');
/** The document of our own endpoints. */
export const openapiExtra = read('openapi-extra.json');

const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components', 'example']);
const documents = { 'openapi.json': openapi, 'openapi-extra.json': openapiExtra };
type DocumentName = keyof typeof documents;
const namesOfDocuments = Object.keys(documents) as DocumentName[];
for (const name of namesOfDocuments) ajv.addSchema(closed(documents[name]) as object, name);
const validators = new Map<string, ValidateFunction>();

const addresses = namesOfDocuments.flatMap((name) =>
  Object.entries(documents[name].paths).map(([path, operations]) => ({
    name,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    pointer: `#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}`,
    operations,
  })),
);

/** A declared address with a 404. Its declaration is used for addresses that are not declared. */
const elsewhere = addresses.find(({ operations }) => operations.get.responses['404'] !== undefined);

/** Headers of HTTP itself, which no document has to declare. */
const plain = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-type',
]);

/**
 * Headers of preflights, which are not in the document because browsers send them, and callers never see the
 * answer.
 */
const headersOfPreflight = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'x-request-id',
];

export interface AnswerOfTheApi {
  status: number;
  /** Returns a header by its name in lower case. */
  header: (name: string) => string | null | undefined;
  /** The names in lower case. */
  headerNames: string[];
  text: string;
}

/**
 * Fails unless openapi.json declares the answer: its status, its headers and no others, and its body without
 * additional members. An undeclared address may only answer preflights and errors, with the headers of a
 * declared address.
 */
export function assertFitsTheContract(target: string, method: string, answer: AnswerOfTheApi): void {
  const path = target.split('?', 1)[0] ?? '';
  const what = `${method} ${target} → ${answer.status}`;
  const known = addresses.find(({ pattern }) => pattern.test(path));
  const address = known ?? elsewhere;
  assert.ok(address !== undefined);
  assert.match(answer.header('x-request-id') ?? '', /^[0-9a-f-]{36}$/, what);
  if (method === 'OPTIONS' && answer.status === 204) {
    const given = answer.headerNames.filter((name) => !plain.has(name));
    assert.deepEqual(given.toSorted(), headersOfPreflight, what);
    assert.equal(answer.text, '', what);
    return;
  }
  assert.ok(known !== undefined || answer.status >= 400, what);
  // HEAD is answered like GET. The refusal of other methods is declared there, too.
  const declared = address.operations.get.responses[answer.status];
  assert.ok(declared !== undefined, `${what}: the status is not declared`);
  const { name: documentName } = address;
  const response = resolved(documentName, declared) as Response;

  const names = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  for (const name of answer.headerNames) {
    assert.ok(names.has(name) || plain.has(name), `${what}: ${name} is not declared`);
  }
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const { required, schema } = resolved(documentName, header) as {
      required?: boolean;
      schema: { type?: string };
    };
    const given = answer.header(name.toLowerCase());
    if (given === null || given === undefined) {
      assert.notEqual(required, true, `${what}: ${name} is missing`);
      continue;
    }
    const fits = validator(`${documentName}${pointerOf(header)}/schema`);
    assert.ok(fits(schema.type === 'integer' ? Number(given) : given), `${what}: ${name} is ${given}`);
  }

  if (response.content === undefined || method === 'HEAD') {
    assert.equal(answer.text, '', what);
    return;
  }
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8', what);
  const place = declared.$ref ?? `${address.pointer}/get/responses/${answer.status}`;
  const validate = validator(`${documentName}${place}/content/application~1json/schema`);
  const body: unknown = JSON.parse(answer.text);
  assert.ok(validate(body), `${what}: ${ajv.errorsText(validate.errors)} in ${answer.text.slice(0, 500)}`);
  if (answer.status >= 400) assert.equal((body as { error: { status: number } }).error.status, answer.status);
}

function read(file: string): Document {
  return JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Document;
}

function validator(pointer: string): ValidateFunction {
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
  }
  return validate;
}

/**
 * Closes the shapes. The document leaves objects open, for clients, but our own answers have exactly the
 * members that it names.
 */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  return members['type'] === 'object' && 'properties' in members
    ? { ...members, additionalProperties: false }
    : members;
}

function pointerOf(value: Reference): string {
  assert.ok(value.$ref !== undefined);
  return value.$ref;
}

function resolved(name: DocumentName, value: Reference & object): unknown {
  if (value.$ref === undefined) return value;
  let at: unknown = documents[name];
  for (const step of value.$ref.slice(2).split('/')) at = (at as Record<string, unknown>)[step];
  return at;
}
