import type { ClientBase } from 'pg';
import { compareFeed, type RecordWindow } from '../../src/record/compare/compare.ts';
import { exportFeed, type ExportOptions } from '../../src/record/export/export.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';

/** Returns the records of an export. */
export async function exported(
  client: ClientBase,
  options: ExportOptions = { drafts: true },
): Promise<FeedRecord[]> {
  return inSnapshot(client, async () => {
    const records: FeedRecord[] = [];
    for await (const record of exportFeed(client, options)) records.push(record);
    return records;
  });
}

/** Returns the records as the text of a feed that says how many there are. */
export const whole = (records: FeedRecord[]): string =>
  [...records, { kind: 'end', records: records.length }]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

export interface Compared {
  /** The differences, as `kind key: member`. */
  differ: string[];
  onlyInFeed: string[];
  onlyRecorded: string[];
  problems: string[];
  /** People who are erased here, but still named in the feed. */
  stillNamed: string[];
}

export async function compared(
  client: ClientBase,
  text: string,
  window: RecordWindow & { source?: string } = {},
): Promise<Compared> {
  const found: Compared = { differ: [], onlyInFeed: [], onlyRecorded: [], problems: [], stillNamed: [] };
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  await inSnapshot(client, () =>
    compareFeed(client, { name: 'feed', chunks: chunks() }, window, {
      onDifference: (kind, key, member) => found.differ.push(`${kind} ${key}: ${member}`),
      onlyInFeed: (kind, key) => found.onlyInFeed.push(`${kind} ${key}`),
      onlyRecorded: (kind, key) => found.onlyRecorded.push(`${kind} ${key}`),
      onProblem: (line) => found.problems.push(line),
      onStillNamed: (who) => found.stillNamed.push(who),
    }),
  );
  return found;
}

export const equal: Compared = { differ: [], onlyInFeed: [], onlyRecorded: [], problems: [], stillNamed: [] };

async function inSnapshot<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read, read only');
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}
