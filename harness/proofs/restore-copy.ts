import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ended } from '../measure/serve-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { eventually } from '../support/eventually.ts';
import { answersOf } from '../upgrade/targets.ts';
import { onClient } from './proof.ts';

/**
 * Runs the program of docs/api/following.md until its copy equals what is published: tournaments, their
 * battles and the clubs that run them. The copy stays in the folder. Returns how many things it contains.
 */
export async function followUntilEqual(
  folder: string,
  databaseUrl: string,
  origin: string,
  key: string,
): Promise<number> {
  const docs = new URL('../../docs/', import.meta.url);
  for (const file of ['wartable.mjs', 'mirror.mjs'])
    await copyFile(new URL(`recipes/client/${file}`, docs), path.join(folder, file));
  const child = spawn(process.execPath, ['mirror.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...bareEnvironment, API: origin, KEY: key, POLL_SECONDS: '1' },
  });
  try {
    const wanted = await publishedThings(databaseUrl, origin, key);
    await eventually(async () => {
      const copy = JSON.parse(await readFile(path.join(folder, 'mirror.json'), 'utf8'));
      assert.deepEqual(copy.pending, []);
      // The program does not begin with casual battles or with clubs that run nothing, but it is told when one
      // of them changes.
      for (const [name, thing] of Object.entries<{ tournament?: unknown }>(copy.things))
        if (!(name in wanted) && (thing.tournament === null || name.startsWith('club ')))
          delete copy.things[name];
      assert.deepEqual(copy.things, wanted);
    });
    return Object.keys(wanted).length;
  } finally {
    await ended(child);
  }
}

async function publishedThings(databaseUrl: string, origin: string, key: string) {
  const { rows } = await onClient(databaseUrl, (client) =>
    client.query<{ name: string; address: string }>(
      `select 'tournament ' || slug as name, '/api/v1/tournaments/' || slug as address from published.tournament
      union select 'battle ' || id, '/api/v1/battles/' || id from published.battle where tournament is not null
      union select 'club ' || organizer, '/api/v1/clubs/' || organizer from published.tournament where organizer is not null`,
    ),
  );
  const things: Record<string, unknown> = {};
  for (const { name, address } of rows) {
    const [answer] = await answersOf(origin, [address], { authorization: `Bearer ${key}` });
    assert.equal(answer?.status, 200, address);
    things[name] = (JSON.parse(answer.body) as { data: unknown }).data;
  }
  return things;
}
