// The small shapes of the feed's records: identifiers, texts, dates, numbers. The limits are large enough for
// people and keep the cost of a line small.
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { datePattern, idPattern, slugPattern } from '../../contract/patterns.ts';

export const Slug = Type.String({
  pattern: slugPattern,
  description: 'lower-case letters, digits and hyphens, 1 to 100',
});

export const Id = Type.String({
  pattern: idPattern,
  description: 'letters, digits, _ and -, 1 to 64',
});

export const StageId = Type.String({
  pattern: '^(swiss|knockout|placement-swiss|placement-[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?)$',
  description: 'swiss, knockout, placement-swiss, placement-3, placement-5-8 and the like',
});

export const isBoard = (stage: string): boolean => stage === 'swiss' || stage === 'placement-swiss';

// Code checks the calendar itself (no 30 February), because JSON Schema cannot.
export const CalendarDate = Type.String({
  pattern: datePattern,
  description: 'a calendar date, YYYY-MM-DD',
});

/**
 * One visible character: not white space, control, format, filler, variation selector or the empty Braille
 * cell.
 */
export const visiblePattern = '[^\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]';

export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: visiblePattern,
  description: 'a text with something visible, up to 200 characters',
});

export const Word = Type.String({ maxLength: 200, description: 'a text of up to 200 characters' });

/**
 * The limit in bytes of UTF-8. JSON Schema cannot count bytes, and a longer text that is already recorded may
 * stay (see check-texts.ts).
 */
export const longestText = 20_000;

export const LongText = Type.String({
  maxLength: 100_000,
  description: `a text of up to ${longestText} bytes of UTF-8, line breaks allowed`,
});

/** Points of any kind. They have at most two decimals (checked in code), so that sums are exact. */
export const Points = Type.Number({
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'a number between -1000000 and 1000000 with at most two decimals',
});

export const Count = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'a whole number between 0 and 1000000',
});

export const Ordinal = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'a whole number between 1 and 10000',
});

export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/**
 * Returns `T | null` as `type: [k, 'null']`, which is one schema with one message instead of a union with
 * two.
 */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const plain = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...plain,
    type: [plain.type, 'null'],
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  });
}

/** Describes an object without other members. */
export const shape = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false });

export const record = <Kind extends string, Members extends TProperties>(kind: Kind, members: Members) =>
  shape({ kind: Type.Literal(kind), ...members });
