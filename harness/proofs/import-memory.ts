import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed } from '../../src/world/one-event.ts';
import { wartable } from '../support/command.ts';
import { writeTournaments } from './import-speed.ts';
import { type Proof, withDatabase, withFolder } from './proof.ts';

/**
 * Measures the peak resident memory of the command while it imports a large feed, as the operating system
 * counts it.
 */
export const importMemory: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const feed = path.join(folder, 'feed.ndjson');
    const worldBattles = size === 'stated' ? 700_000 : 5_000;
    const { battles } = await writeTournaments(feed, worldBattles, eventFeed(major, 'finished'));
    const { size: bytes } = await stat(feed);
    const { code, stdout, stderr } = await withDatabase(serverUrl, (url) =>
      wartable(['import', feed], { DATABASE_URL: url, NODE_OPTIONS: `--import=${reportPeak}` }),
    );
    assert.equal(code, 0, stderr);
    const peak = Math.round(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024);
    const figure = `${Math.round(bytes / 1e6)} MB of feed, ${battles} battles, one tournament of ${major.players} players and ${major.rounds} rounds among them, recorded and published: peak ${peak} MB; must be at most 400 MB.`;
    assert.ok(peak <= 400, figure);
    return [
      `${peak} MB for a feed of ${Math.round(bytes / 1e6)} MB.`,
      figure,
      `The command said: ${stdout.split('\n', 1).join()}`,
    ];
  });

const major = { seed: 1, players: 1000, format: 'swiss', rounds: 8, start: dayNumber('2026-03-07') };

const reportPeak = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;
