import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { publishFeed } from '../support/publish-feed.ts';
import type { Proof } from './proof.ts';
import { type Serving, withServing } from './serving.ts';

// A crowd of callers at the end of a round waits in the queue instead of being refused, at full speed and in bursts.

export const crowd: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async (serving) => {
    const isStated = size === 'stated';
    const battles = isStated ? 20_000 : 1_000;
    await publishFeed(serving.pool, [
      ...world({ seed: 1, battles, from: dayOf('2025-01-01'), today: dayOf('2026-11-14') }),
    ]);
    const figures: string[] = [];
    // The small size runs beside other tests. A busy machine answers later, and late reads are refused.
    for (const callers of isStated ? [128, 256] : [96]) {
      const seconds = isStated ? 5 : 1;
      const { statuses, p99, longest } = await call(serving, callers, seconds);
      assert.deepEqual(Object.keys(statuses), ['200'], `${callers} callers got ${JSON.stringify(statuses)}`);
      figures.push(
        `${callers} callers at full speed for ${seconds} s: ${statuses['200']} × 200 and no other status; 99 % within ${p99} ms, the longest ${longest} ms.`,
      );
    }
    const bursts = isStated ? 10 : 2;
    const burst = isStated ? 400 : 128;
    for (let turn = 0; turn < bursts; turn += 1) {
      const { statuses } = await call(serving, burst, 0);
      assert.deepEqual(statuses, { 200: burst });
    }
    figures.push(`${bursts} bursts of ${burst} callers: ${burst} × 200 each time.`);
    return figures;
  });

interface Called {
  statuses: Record<string, number>;
  p99: number;
  longest: number;
}

/** In its own process, so that callers and server do not share a thread. */
async function call({ apiUrl, key }: Serving, callers: number, seconds: number): Promise<Called> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('crowd-child.ts', import.meta.url).pathname,
    '--url',
    `${apiUrl}/api/v1/tournaments?limit=20`,
    '--key',
    key,
    '--callers',
    String(callers),
    '--seconds',
    String(seconds),
  ]);
  return JSON.parse(stdout) as Called;
}
