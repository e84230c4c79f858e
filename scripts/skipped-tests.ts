import { readFile } from 'node:fs/promises';

/** A test that did not run, or whose failure does not count. */
export interface Skipped {
  test: string;
  /** The reason that the test gives. */
  why: string;
}

/** Returns the tests that must not be skipped: in CI, all that are not listed with a reason. */
export async function skippedInCi(skipped: Skipped[]): Promise<Skipped[]> {
  if ((process.env['CI'] ?? '') === '') return [];
  const listed = new Set((await listedSkips()).map(({ test }) => test));
  return skipped.filter(({ test }) => !listed.has(test));
}

export async function listedSkips(): Promise<{ test: string; reason: string }[]> {
  const list = new URL('may-skip-in-ci.json', import.meta.url);
  return JSON.parse(await readFile(list, 'utf8')) as { test: string; reason: string }[];
}
