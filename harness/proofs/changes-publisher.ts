import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { Version } from '../upgrade/previous-version.ts';

export interface Publisher {
  /** Resolves when there are no more records and all of them are published. */
  ended: Promise<void>;
  /** Kills the process with SIGKILL. It starts again, without the lines that were in progress. */
  kill: () => boolean;
}

/** Runs `wartable import -`, which gets the next record when only a few others are in progress. */
export function startPublisher(
  { commit, command: [program, file] }: Version,
  url: string,
  next: () => FeedRecord | undefined,
): Publisher {
  let child: ChildProcess | undefined;
  const isRunning = (each: ChildProcess) => each.exitCode === null && each.signalCode === null;

  async function runOne(): Promise<boolean> {
    const running = spawn(program, [file, 'import', '--acknowledge', '-'], {
      env: { ...bareEnvironment, DATABASE_URL: url },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exit = once(running, 'close');
    let [sent, done, said] = [0, 0, ''];
    const isFull = () => sent - done >= maxUnderWay;
    running.stdin.on('error', () => {});
    running.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-2_000)));
    running.stdout.on('data', (chunk) => {
      for (const [, line] of String(chunk).matchAll(/"(?:recorded|refused)":(\d+)/g))
        done = Math.max(done, Number(line));
    });
    child = running;
    let record: FeedRecord | undefined;
    while (isRunning(running) && (record = next()) !== undefined) {
      running.stdin.write(`${JSON.stringify(record)}\n`);
      sent += 1;
      while (isRunning(running) && isFull()) await sleep(2);
    }
    const isLast = isRunning(running);
    running.stdin.end();
    const [code] = (await exit) as [number | null];
    // Lines that refer to something that another one removed are refused.
    if (isLast) assert.ok(code === 0 || code === 1 || running.signalCode !== null, `${commit}: ${said}`);
    return isLast;
  }

  async function run(): Promise<void> {
    while (!(await runOne()));
  }

  return {
    ended: run(),
    kill: () => child?.kill('SIGKILL') ?? false,
  };
}

const maxUnderWay = 4;
