import { createInterface } from 'node:readline';
import { Compile } from 'typebox/compile';
import { inTransaction, type Pool } from '../database/pool.ts';
import { recordClub } from './clubs.ts';
import { FeedRecord } from './feed.ts';

export interface ImportResult {
  recorded: number;
  /** One line for a person each: where, and what was expected. */
  refused: string[];
}

/** Records a feed of newline-delimited JSON, each record all or nothing. */
export async function importFeed(
  pool: Pool,
  name: string,
  input: NodeJS.ReadableStream,
): Promise<ImportResult> {
  const result: ImportResult = { recorded: 0, refused: [] };
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const reading = readRecord(text);
    if ('mistake' in reading) {
      result.refused.push(`${name}:${line}: ${reading.mistake}`);
      continue;
    }
    await inTransaction(pool, (client) => recordClub(client, reading.record));
    result.recorded += 1;
  }
  return result;
}

const feedRecord = Compile(FeedRecord);

function readRecord(text: string): { record: FeedRecord } | { mistake: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { mistake: `not JSON: ${(error as Error).message}` };
  }
  if (feedRecord.Check(value)) return { record: value };
  const [first] = feedRecord.Errors(value);
  return { mistake: `${first?.instancePath || 'record'}: ${first?.message ?? 'does not fit'}` };
}
