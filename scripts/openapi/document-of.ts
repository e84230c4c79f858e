import type { TSchema } from 'typebox';

import { apiKeyPrefix } from '../../src/contract/authentication.ts';
import { errorAnswer } from '../../src/contract/errors.ts';
import { headers, headersOf } from './headers.ts';
import type { Parameter } from '../../src/contract/parameters.ts';
import type { Refusal } from '../../src/contract/refusals.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Everything that goes into one OpenAPI document. */
export interface Contract {
  title: string;
  summary: string;
  description: string;
  tags: readonly { name: string; description: string }[];
  endpoints: readonly DeclaredEndpoint[];
  /** Shapes by name. The document contains those that answers use. */
  shapes: Readonly<Record<string, unknown>>;
  parameters: Readonly<Record<string, Parameter>>;
  refusals: Readonly<Record<string, Refusal>>;
  /** Examples by operation. */
  examples: Readonly<Record<string, object>>;
  errorAnswer: TSchema;
}

interface DeclaredEndpoint {
  readonly operationId: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly answer: TSchema;
  /** All refusals of the endpoint, by ascending status. */
  readonly allRefusals: readonly string[];
}

/** Turns a contract into an OpenAPI 3.1 document. */
export function documentOf(contract: Contract) {
  const { refusals } = contract;
  const namesOfSchemas = new Map(Object.entries(contract.shapes).map(([name, shape]) => [shape, name]));
  const schemas: Record<string, unknown> = {};
  for (const answer of [...contract.endpoints.map((endpoint) => endpoint.answer), contract.errorAnswer])
    collect(answer);

  function collect(shape: unknown): void {
    if (typeof shape !== 'object' || shape === null) return;
    const name = namesOfSchemas.get(shape);
    if (name !== undefined) schemas[name] = shape;
    Object.values(shape).forEach(collect);
  }

  return {
    openapi: '3.1.0',
    info: {
      title: contract.title,
      version: '1.0.0',
      summary: contract.summary,
      description: contract.description,
      contact: { name: 'The operator of this installation' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The address of your installation.',
        variables: {
          base_url: { default: 'http://localhost:3000', description: 'Public address of the service.' },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: contract.tags,
    paths: Object.fromEntries(contract.endpoints.map((endpoint) => [endpoint.path, pathItem(endpoint)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key. It begins with \`${apiKeyPrefix}\`. The operator hands out the keys.`,
        },
      },
      schemas: mapValues(schemas, schema),
      parameters: mapValues(contract.parameters, (parameter) => ({
        ...parameter,
        schema: withReferences(parameter.schema),
      })),
      headers: mapValues(headers, (header) => ({ ...header, schema: withReferences(header.schema) })),
      responses: {
        NotModified: notModified(),
        ...mapValues(refusals, refusalResponse),
      },
    },
  };

  function pathItem(endpoint: DeclaredEndpoint) {
    return {
      get: {
        operationId: endpoint.operationId,
        tags: [endpoint.tag],
        summary: endpoint.summary,
        description: endpoint.description,
        parameters: [...endpoint.pathParameters, ...endpoint.queryParameters, 'IfNoneMatch'].map((name) =>
          reference('parameters', name),
        ),
        responses: {
          200: {
            description: 'The answer.',
            headers: responseHeaders(200),
            content: {
              'application/json': {
                schema: withReferences(endpoint.answer),
                examples: contract.examples[endpoint.operationId],
              },
            },
          },
          304: reference('responses', 'NotModified'),
          ...Object.fromEntries(
            endpoint.allRefusals.map((name) => [refusals[name]?.status, reference('responses', name)]),
          ),
        },
      },
    };
  }

  function refusalResponse(refusal: Refusal) {
    return {
      description: refusal.description,
      headers: responseHeaders(refusal.status),
      content: {
        'application/json': {
          schema: withReferences(contract.errorAnswer),
          examples: mapValues(refusal.errors, (error) => ({
            summary: error.message,
            value: errorAnswer(error),
          })),
        },
      },
    };
  }

  // Shapes contain one another as plain values, so that they can be checked and typed without a registry. The
  // document defines each shape only once, so a shape inside another one becomes a reference.
  function withReferences(shape: unknown): Json {
    const name = namesOfSchemas.get(shape);
    return name === undefined ? schema(shape) : reference('schemas', name);
  }

  function schema(shape: unknown): Json {
    if (Array.isArray(shape)) return shape.map(withReferences);
    if (typeof shape === 'object' && shape !== null) {
      return Object.fromEntries(
        Object.entries(shape)
          .filter(([key, value]) => !isClosing(key, value))
          .map(([key, value]) => [key, withReferences(value)]),
      );
    }
    return shape as Json;
  }
}

function notModified() {
  return {
    description: 'The answer has not changed since the given `ETag`.',
    headers: responseHeaders(304),
  };
}

function responseHeaders(status: number) {
  return Object.fromEntries(headersOf(status).map(({ field, name }) => [field, reference('headers', name)]));
}

// We never send a member that is not in the contract, so our shapes are closed. The document is open, because
// a client that was generated from it must not refuse a member that a later version adds.
function isClosing(key: string, value: unknown): boolean {
  return key === 'additionalProperties' && value === false;
}

function reference(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function mapValues<Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
