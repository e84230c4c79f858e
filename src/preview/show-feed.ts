import { Readable } from 'node:stream';
import { printable } from '../commands/help/printable.ts';
import { reportFailures } from '../commands/report-failures.ts';
import { reportRefusals } from '../commands/report-refusals.ts';
import { startWarnings } from '../commands/warnings.ts';
import { inDryRun } from '../commands/with-pool.ts';
import type { Pool } from '../database/pool.ts';
import { publishBacklog } from '../publish/publisher.ts';
import { importFeed, type ImportOptions } from '../record/import.ts';
import type { ImportRemarks } from '../record/touched-tournaments.ts';
import { type EventFeed, noEvent } from './read-feed.ts';

/**
 * Records the feed in place of what was shown before, and publishes both as one change. A feed leaves
 * everything that it does not mention as it was, so the previous events are removed first; otherwise a fact
 * that is deleted from it would stay. Sheets say everything about their event, so it is not removed, and the
 * server can tell which results are new. Returns false if something was refused, which is then printed, and
 * nothing has changed.
 */
export async function showFeed(
  pool: Pool,
  { isOfSheets, sources, slugs }: EventFeed,
  shown: string[],
): Promise<boolean> {
  const removals = shown
    .filter((slug) => !isOfSheets || !slugs.includes(slug))
    .map((id) => `${JSON.stringify({ kind: 'remove', of: 'tournament', id })}\n`)
    .join('');
  const opened = () =>
    [{ name: 'events before', bytes: Buffer.from(removals) }, ...sources].map(({ name, bytes }) => ({
      name,
      chunks: Readable.from([bytes]),
    }));
  const print = (line: string): void => console.error(printable(line));
  const report = reportRefusals(print);
  const warnings = startWarnings(print);
  const onRefusal: ImportOptions['onRefusal'] = (...refusal) => report.refused(...refusal);
  const { refused } = await inDryRun(await pool.connect(), (client) =>
    importFeed(client, opened(), {
      dryRun: true,
      remarks: isOfSheets ? withoutResults(warnings) : warnings,
      onRefusal,
      onTournament: (slug) => report.recorded(slug),
    }),
  );
  warnings.end();
  report.end();
  if (refused > 0) return false;
  if (slugs.length === 0) {
    print(noEvent);
    return false;
  }
  const client = await pool.connect();
  try {
    await importFeed(client, opened(), { onRefusal });
  } finally {
    client.release();
  }
  const { failed } = await publishBacklog(pool);
  reportFailures(failed);
  for (const line of warnings.tournamentLines) console.log(printable(line));
  return failed.length === 0;
}

/**
 * Drops warnings about results that contradict their points, because `convert` has reported them already,
 * with the line of the sheet.
 */
const withoutResults = (remarks: ImportRemarks): ImportRemarks => ({
  ...remarks,
  onWarnings: (file, line, warnings) =>
    remarks.onWarnings(
      file,
      line,
      warnings.filter(({ kind }) => kind !== 'winner' && kind !== 'draw'),
    ),
});
