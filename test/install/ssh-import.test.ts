import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { allFacts, importLines } from '../support/feed.ts';
import { startSshd, withoutSshd } from '../support/sshd.ts';

// A feed from another machine: `ssh` with a forced command. The connection is cut again and again; the platform goes on
// after the last acknowledged line. Nothing is lost or doubled.

const lines = [...world({ seed: 5, battles: 400, from: dayOf('2025-01-01'), today: dayOf('2025-06-30') })]
  // Each thing twice, in two states: a line that came again in the wrong order would show.
  .flatMap((record): FeedRecord[] =>
    record.kind === 'club' ? [{ ...record, city: 'Nowhere' }, record] : [record],
  )
  .map((record) => JSON.stringify(record));

test(
  'a feed over ssh that is cut in the middle goes on after the last acknowledged line',
  { skip: withoutSshd },
  async () => {
    const database = await createTestDatabase();
    const direct = await createTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), 'wartable-sshd-'));
    atEnd(() => rm(folder, { recursive: true }));
    const { call, stop } = await startSshd(
      folder,
      `cd ${path.resolve(import.meta.dirname, '../..')}
export DATABASE_URL='${database.url}'
exec flock ${folder}/lock ${process.execPath} src/cli.ts import --acknowledge - 2>${folder}/errors`,
    );
    atEnd(async () => stop());
    let recorded = 0;
    let cuts = 0;
    while (recorded < lines.length) {
      const from = recorded;
      const ssh = spawn('ssh', call, { stdio: ['pipe', 'pipe', 'inherit'] });
      ssh.stdin.on('error', () => {});
      // Cut after some lines, in the middle of the next one; the last time to the end.
      const isCut = cuts < 3;
      const until = isCut ? from + Math.ceil(lines.length / 5) : lines.length;
      ssh.stdin.write(`${lines.slice(from, until).join('\n')}\n`);
      if (isCut) ssh.stdin.write(lines[until]?.slice(0, 20));
      else ssh.stdin.end();
      const acknowledgements = createInterface(ssh.stdout);
      for await (const line of acknowledgements) {
        const said = JSON.parse(line) as { recorded?: number; refused?: number };
        assert.equal(said.refused, undefined, line);
        if (said.recorded !== undefined) recorded = from + said.recorded;
        // Some lines on their way have no acknowledgement yet.
        if (isCut && recorded > from + lines.length / 10) ssh.kill('SIGKILL');
      }
      if (ssh.exitCode === null && ssh.signalCode === null) await once(ssh, 'exit');
      assert.ok(recorded > from, 'nothing was recorded');
      if (isCut) cuts += 1;
    }
    const [there, here] = [await database.pool.connect(), await direct.pool.connect()];
    try {
      assert.deepEqual((await importLines(here, lines)).refusals, []);
      assert.deepEqual(await allFacts(there), await allFacts(here));
    } finally {
      there.release();
      here.release();
    }
  },
);
