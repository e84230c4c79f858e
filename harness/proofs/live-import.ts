import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import type { Serving } from './serving.ts';

/** The figures that the command printed. */
export interface LiveImport {
  records: number;
  rows: number;
}

/**
 * Runs the work while `wartable import -` gets a few lines at a time. The next lines follow when the server
 * shows that the last ones are being published. After the work the feed ends, and the command must succeed.
 */
export async function besideLiveImport(
  serving: Serving,
  feed: Iterator<FeedRecord>,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<LiveImport> {
  const child = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: serving.url },
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  // If the command is gone, untilShown notices that nothing is published.
  child.stdin.on('error', () => {});
  let pace = 0;
  const feedOn = async () => {
    pace += 1;
    const lines = Array.from({ length: linesAtOnce }, () => JSON.stringify(feed.next().value));
    lines.push(JSON.stringify({ kind: 'club', slug: 'pace', name: 'Pace', members: pace }));
    child.stdin.write(`${lines.join('\n')}\n`);
    await untilShown(serving, pace, child);
  };
  const over = new AbortController();
  const feedUntilOver = async () => {
    while (!over.signal.aborted) await feedOn();
  };
  const end = () => over.abort();
  try {
    await feedOn();
    await Promise.all([work(over.signal).finally(end), feedUntilOver().finally(end)]);
    child.stdin.end();
    const [[code], said, errors] = await Promise.race([ended, tooLate()]);
    assert.equal(code, 0, errors);
    const [, records, rows] = /^(\d+) recorded .*, 0 refused, .* (\d+) rows written\.\n/.exec(said) ?? [];
    return { records: Number(records), rows: Number(rows) };
  } finally {
    child.kill('SIGKILL');
  }
}

const linesAtOnce = 10;
const patienceMs = 60_000;

/**
 * Waits until the pace is published. Clubs are published first, and the rest of the same lines follows
 * shortly after.
 */
async function untilShown({ get }: Serving, pace: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { status, text: body } = await get('/api/v1/clubs/pace');
    if (status === 200 && body.includes(`"members":${pace},`)) return;
    assert.equal(child.exitCode ?? child.signalCode, null, 'the import ended by itself');
    assert.ok(Date.now() < deadline, 'the import does not publish');
    await sleep(20);
  }
}

async function tooLate(): Promise<never> {
  await sleep(patienceMs, undefined, { ref: false });
  throw new Error('the import did not end with its feed');
}
