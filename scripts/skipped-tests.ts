import { readFile } from 'node:fs/promises';
import type { TestEvent } from 'node:test/reporters';

interface Skipped {
  test: string;
  /** The reason that the test gives. */
  why: string;
}

/**
 * A reporter for node:test. It writes one line of JSON for each test that did not run, or whose failure does
 * not count.
 */
export default async function* reportSkipped(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const why = data.skip ?? data.todo;
    if (why === undefined) continue;
    const skipped: Skipped = { test: data.name, why: why === true ? 'no reason given' : String(why) };
    yield `${JSON.stringify(skipped)}\n`;
  }
}

/**
 * Reads what the reporter wrote. In CI a test that is skipped is a failure, unless it is listed with its
 * reason.
 */
export async function skippedInCi(report: string): Promise<Skipped[]> {
  if ((process.env['CI'] ?? '') === '') return [];
  const lines = (await readFile(report, 'utf8')).split('\n').filter((line) => line !== '');
  const listed = new Set((await listedSkips()).map(({ test }) => test));
  return lines.map((line) => JSON.parse(line) as Skipped).filter(({ test }) => !listed.has(test));
}

export async function listedSkips(): Promise<{ test: string; reason: string }[]> {
  const list = new URL('may-skip-in-ci.json', import.meta.url);
  return JSON.parse(await readFile(list, 'utf8')) as { test: string; reason: string }[];
}
