import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { wartable } from '../support/command.ts';
import { writeSeason } from './import-speed.ts';
import { type Proof, withDatabase, withFolder } from './proof.ts';

/** The peak resident memory of the command while it imports a large feed, as the operating system counts it. */
export const importMemory: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const feed = path.join(folder, 'season.ndjson');
    const battles = await writeSeason(feed, size === 'stated' ? 7200 : 250, 1000);
    const { size: bytes } = await stat(feed);
    const { code, stdout, stderr } = await withDatabase(serverUrl, (url) =>
      wartable(['import', feed], { DATABASE_URL: url, NODE_OPTIONS: `--import=${reportPeak}` }),
    );
    assert.equal(code, 0, stderr);
    const peak = Math.round(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024);
    const figure = `${Math.round(bytes / 1e6)} MB of feed, ${battles} battles, one tournament of 1000 players and 8 rounds among them, recorded and published: peak ${peak} MB; must be at most 400 MB.`;
    assert.ok(peak <= 400, figure);
    return [figure, `The command said: ${stdout.split('\n', 1).join()}`];
  });

const reportPeak = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;
