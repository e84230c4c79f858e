import { Type, type Static, type TSchema } from 'typebox';

import { idPattern, slugPattern } from './patterns.ts';

// Describes an object with exactly the members that its shape names.
export function strictObject<P extends Record<string, TSchema>>(description: string, properties: P) {
  return Type.Object(properties, { description, additionalProperties: false });
}

// A list of types with 'null' is easier to read than a union with null, both in the document and in types
// generated from it. Our own shapes are references, which only a union can make nullable.
export function nullable<T extends TSchema>(shape: T) {
  const { type, enum: values, ...rest } = shape as TSchema as { type: string; enum?: readonly string[] };
  return Type.Unsafe<Static<T> | null>({
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    ...rest,
  });
}

export function nullableReference<T extends TSchema>(shape: T, description: string) {
  return Type.Union([shape, Type.Null()], { description });
}

export function oneOf<const V extends string>(values: readonly V[], description: string) {
  return Type.Unsafe<V>({ type: 'string', enum: values, description });
}

export function text(description: string) {
  return Type.String({ description });
}

export function date(description: string) {
  return Type.String({ format: 'date', description });
}

export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description });
}

export function link(description: string) {
  return Type.String({ format: 'uri', description });
}

export function slug(description: string) {
  return Type.String({ pattern: slugPattern, description });
}

export function id(description: string) {
  return Type.String({ pattern: idPattern, description });
}

// Describes a whole number: people, battles, rounds.
export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

// Describes a number that starts at one: ranks, placements, rounds.
export function ordinal(description: string) {
  return Type.Integer({ minimum: 1, description });
}

// Describes points, which may be fractions because organisers score halves and averages.
export function points(description: string) {
  return Type.Number({ description });
}
