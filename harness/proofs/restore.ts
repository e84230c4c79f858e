import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServeProcess, startServe } from '../measure/serve-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { wartable } from '../support/command.ts';
import { answersOf, targetsOf } from '../upgrade/targets.ts';
import { onClient, type Proof, timed } from './proof.ts';
import { followUntilEqual } from './restore-copy.ts';
import { type BackedUpServer, withBackedUpServer } from './restore-server.ts';

// Runs the blocks of docs/backups.md, in their order, around two accidents. After each, the answers are those
// from before, identical in every byte and with their revisions.

const accident = 'drop table record.battle, published.battle cascade';

export const restore: Proof = ({ size }) =>
  withBackedUpServer(async (server) => {
    const battles = size === 'stated' ? 5_000 : 300;
    const say = async (args: string[], input = ''): Promise<string> => {
      const { code, stdout, stderr } = await wartable(args, { DATABASE_URL: server.url('wartable') }, input);
      assert.equal(code, 0, `wartable ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    await say(['migrate']);
    await onClient(server.url('postgres'), (client) =>
      client.query('grant wartable_publish to wartable_importer; grant wartable_serve to wartable_server'),
    );
    await say(['import', '-'], await say(['world', '--battles', String(battles)]));
    await say(['import', '-'], casual.map((record) => JSON.stringify(record)).join('\n'));
    const key = (await say(['keys', 'create', '--account', 'kept'])).trim();
    const lostKey = (await say(['keys', 'create', '--account', 'lost'])).trim();

    const before = await answers(server, key);
    const copied = () =>
      // The client follows `next` only if it leads to the address that it was given.
      withServer(server, {}, ({ origin }) =>
        followUntilEqual(
          server.backups,
          server.url('postgres', 'wartable'),
          origin.replace('127.0.0.1', 'localhost'),
          key,
        ),
      );
    await copied();
    const epoch = await epochOf(server);
    const dumped = await timed(() => server.run('A dump', 0));
    const folder = (await readdir(server.backups)).find((name) => name.startsWith('wartable-')) ?? '';
    const { size: bytes } = await stat(path.join(server.backups, folder, 'wartable.dump'));
    // This happens after the dump, so the restored database does not contain it. The copy does.
    const { slug, player } = await someShown(server);
    await say(['keys', 'revoke', '2']);
    await say(['keys', 'create', '--account', 'forgotten']);
    await say(['keys', 'revoke', '3']);
    await say(['tournaments', 'unpublish', slug]);
    await say(['players', 'erase', player, '--yes']);
    await say(['players', 'erase', '--guest', 'Pascal', '--yes']);
    const after = await answers(server, key);
    await say(['import', '-'], JSON.stringify(lost));
    await copied();
    await server.run('A dump', 1);
    await onClient(server.url('postgres', 'wartable'), (client) => client.query(accident));
    const restored = await timed(async () => {
      await server.run('A dump', 2);
      await server.run('A dump', 3);
    });
    assert.deepEqual(
      await answers(server, lostKey),
      before,
      'the revoked key, the event and the person are back',
    );
    assert.equal(await guestOf(server), 'Pascal');
    // A nightly dump knows only of the backup of the night before.
    await onClient(server.url('postgres', 'wartable'), (client) =>
      client.query(
        "insert into published.task values ('backup', now() - interval '30 h') on conflict (name) do update set done_at = excluded.done_at",
      ),
    );
    // The new key gets the id of the key that the database no longer knows.
    const reused = (await say(['keys', 'create', '--account', 'new'])).trim();
    const audit = path.join(server.backups, 'audit.json');
    const red = await wartable(['doctor', '--audit', audit], { DATABASE_URL: server.url('wartable') });
    assert.equal(red.code, 1);
    assert.match(red.stdout, /^fault: The database has forgotten key revoked 2, /m);
    const replayed = await server.run('First after a restore', 0);
    assert.match(replayed, /Skipped.*\n.*key created 3; .*\n.*key revoked 3; /);
    assert.equal(await guestOf(server), '');
    assert.equal(await epochOf(server), epoch);
    await server.run('First after a restore', 1);
    assert.notEqual(await epochOf(server), epoch, 'places of the lost time are still valid');
    const things = await copied();
    await assert.rejects(answers(server, lostKey), 'the key is still valid');
    const bodies = (all: typeof before) => all.map(({ target, body }) => ({ target, body }));
    for (const valid of [key, reused]) assert.deepEqual(bodies(await answers(server, valid)), bodies(after));
    await onClient(server.url('postgres'), (client) => client.query('drop database wartable_broken'));

    await server.run('Point-in-time recovery', 0);
    await server.run('Point-in-time recovery', 1);
    // The base backup does not contain this; only the archive does.
    await say(['import', '-'], await say(['world', '--event', '--players', '16']));
    const later = await answers(server, key);
    assert.notDeepEqual(later, after);
    await onClient(server.url('postgres', 'wartable'), async (client) => {
      const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
      server.targetTime = rows[0]?.now ?? '';
      await sleep(1_000);
      await client.query(accident);
    });
    const recovered = await timed(() => server.run('Point-in-time recovery', 2));
    assert.deepEqual(await answers(server, key), later);
    await server.run('Point-in-time recovery', 3);
    assert.deepEqual(await answers(server, key), later);
    const megabytes = (bytes / 1e6).toFixed(1);
    return [
      `${before.length} answers the same after a dump, and after a recovery to a moment.`,
      `A world of ${battles} battles in ${server.version}. The dump took ${dumped.toFixed(1)} s and has ${megabytes} MB, ${Math.round(bytes / battles)} bytes a battle. After two tables were dropped, \`pg_restore\` and the steps of docs/backups.md took ${restored.toFixed(1)} s.`,
      `Recovery from a base backup and the archive to the second before two tables were dropped took ${recovered.toFixed(1)} s, with an event that was imported after the base backup.`,
      `Each time ${before.length} answers of every endpoint had the same bodies and revisions as before. A key that was revoked, an event that was hidden, and a player and a guest who were erased after the dump were back, and \`wartable doctor --audit\` found the fault. After \`wartable audit replay\` all were as they should be, and a new key with the id of a forgotten, revoked one worked.`,
      `A copy of ${things} things that was kept by docs/api/following.md had a tournament that the restore lost. After \`wartable publish --announce\` it was equal again.`,
    ];
  });

// The id comes last, so that this player is not the one who is erased.
const casual = [
  { kind: 'player', id: 'zz-chidi', name: 'Chidi' },
  {
    kind: 'battle',
    id: 'casual-7',
    battleSize: 1000,
    date: '2025-07-01',
    finished: true,
    winner: 'zz-chidi',
    sides: [{ player: 'zz-chidi' }, { name: 'Pascal' }],
  },
];

const lost = {
  kind: 'tournament',
  slug: 'lost-cup',
  published: true,
  name: 'Lost Cup',
  status: 'planned',
  battleSize: 1000,
};

/** Returns a tournament and a player that pages show. */
async function someShown(server: BackedUpServer): Promise<{ slug: string; player: string }> {
  return onClient(server.url('postgres', 'wartable'), async (client) => {
    const { rows } = await client.query<{ slug: string; player: string }>(
      'select (select min(slug) from published.tournament) as slug, (select min(id) from published.player) as player',
    );
    return rows[0] ?? { slug: '', player: '' };
  });
}

/** Returns the name of the guest in the casual battle. */
async function guestOf(server: BackedUpServer): Promise<string | undefined> {
  return onClient(server.url('postgres', 'wartable'), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select second_name as name from record.battle where id = 'casual-7'`,
    );
    return rows[0]?.name;
  });
}

/** Returns the epoch of the change list, which is part of every position that callers hold. */
async function epochOf(server: BackedUpServer): Promise<string | undefined> {
  return onClient(server.url('postgres', 'wartable'), async (client) => {
    const { rows } = await client.query<{ epoch: string }>('select epoch from published.change_list');
    return rows[0]?.epoch;
  });
}

/** Lends a server that was started for the purpose, because after a restore all servers are started again. */
async function withServer<T>(
  server: BackedUpServer,
  settings: Record<string, string>,
  work: (serving: ServeProcess) => Promise<T>,
): Promise<T> {
  const serving = await startServe(server.url('wartable_server', 'wartable'), {
    ...bareEnvironment,
    SITE_URL: 'https://example',
    CACHE_MB: '0',
    ...settings,
  });
  try {
    return await work(serving);
  } finally {
    await serving.close();
  }
}

function answers(server: BackedUpServer, key: string) {
  // Each server has another port.
  return withServer(server, { API_URL: 'https://api.example' }, async ({ origin }) => {
    const headers = { authorization: `Bearer ${key}` };
    const all = await answersOf(origin, await targetsOf(origin, headers), headers);
    // Cursors change every six hours, and the digests of the tags with them. The revisions stay the same.
    return all.map(({ target, etag, body }) => ({
      target,
      revision: etag?.split('.')[0],
      body: body.replace(/(?<="next":"[^"]*cursor=)[^"&]+/, ''),
    }));
  });
}
