import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { wartable } from '../support/command.ts';
import { withFolder } from '../proofs/proof.ts';
import { tightEvents } from './tight-events.ts';

export interface Events {
  seed: number;
  battles: number;
  tight: number;
}

/**
 * Imports and publishes a world with that many battles, and that many tight events besides, as an operator
 * would.
 */
export async function publishEvents(url: string, { seed, battles, tight }: Events): Promise<void> {
  await withFolder(async (folder) => {
    const feed = path.join(folder, 'events.ndjson');
    await pipeline(function* lines() {
      for (const record of events({ seed, battles, tight })) yield `${JSON.stringify(record)}\n`;
    }, createWriteStream(feed));
    const { code, stdout, stderr } = await wartable(['import', feed], {
      DATABASE_URL: url,
    });
    assert.equal(code, 0, `${stdout}${stderr}`);
  });
}

function* events({ seed, battles, tight }: Events): Generator<FeedRecord> {
  yield* world({ seed, battles, from: dayNumber('2022-01-01'), today: dayNumber('2026-11-14') });
  if (tight > 0) yield* tightEvents(seed, tight);
}
