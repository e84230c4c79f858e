// Turns one line of the feed into a record that is valid by itself, or into its problems. It does not use the
// database.
import { checkAlone } from './check-record.ts';
import { shapeProblems } from './json-schema.ts';
import type { FeedRecord } from './records.ts';
import { found, type Problem } from './problem.ts';
import { startsWithMark } from './read-lines.ts';
import { countMembers, repeatedKey, scan } from './scan.ts';

export type ParsedLine = { record: FeedRecord } | { problems: Problem[]; about: { tournament?: string } };

export function parseLine(line: Buffer, truncated = false): ParsedLine {
  if (startsWithMark(line)) return refused('expected a record, found a byte order mark');
  const scanned = scan(line);
  if (scanned.problem) return { problems: [scanned.problem], about: {} };
  const text = line.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (truncated) return refused('expected a whole record, found the end of the file within it');
    return refused(`expected JSON, found ${jsonFault(error)}`);
  }
  if (countMembers(value) !== scanned.members) {
    return refused(`expected each key once, found ${found(repeatedKey(text))} twice in one object`);
  }
  const misshapen = shapeProblems(value);
  if (misshapen.length > 0) return refusedRecord(value, misshapen);
  const record = value as FeedRecord;
  const problems = checkAlone(record);
  return problems.length > 0 ? refusedRecord(record, problems) : { record };
}

/** `about` names the tournament of a tournament record, if the record does. */
function refusedRecord(value: unknown, problems: Problem[]): ParsedLine {
  const { kind, slug } = Object(value) as { kind?: unknown; slug?: unknown };
  const isSent = kind === 'tournament' && typeof slug === 'string' && slug.length <= 100;
  return { problems, about: isSent ? { tournament: slug } : {} };
}

const refused = (message: string): ParsedLine => ({ problems: [{ path: '', message }], about: {} });

/** Takes only the position from V8's message, because the message also repeats a part of the text. */
function jsonFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const at = /at position (\d+)/.exec(message)?.[1];
  return at === undefined ? 'something else' : `something else at character ${Number(at) + 1}`;
}
