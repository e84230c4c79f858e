// A problem with a record, described so that a person can correct it: where it is, what was expected, what
// was found.

export interface Problem {
  /** The path, for example `battles[3].sides[0].role`. Empty for the record as a whole. */
  path: string;
  message: string;
}

export const expected = (path: string, wanted: string, value: unknown): Problem => ({
  path,
  message: `expected ${wanted}, found ${found(value)}`,
});

/** Returns a line like `feed.ndjson:12: battles[3].sides: expected exactly two sides, found 1`. */
export const problemLine = (file: string, line: number, problem: Problem): string =>
  `${file}:${line}: ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`;

export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === Infinity || value === -Infinity) return 'a number that is not finite';
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'a number beyond 2^53';
  const text = visible((JSON.stringify(value) ?? 'nothing').slice(0, 81));
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

export const visible = (text: string): string => text.replace(unseen, escaped);

/** Characters that a reader cannot see, or that reorder the text around them. The space is the exception. */
const unseen = /(?! )[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
function escaped(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** Returns the path of a member. A key that is not a plain word is quoted. */
export function member(path: string, key: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,79}$/.test(key)) return `${path}[${found(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
