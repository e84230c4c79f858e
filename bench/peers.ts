import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/postgres.ts';
import { endpointNamed, keysOf } from './endpoints.ts';
import { type Request, startLoad } from './load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { ended, startServe } from './serve-process.ts';
import { type Spread, spreadOf } from './spread.ts';
import { table } from './table.ts';
import { withWorld, sizesLine } from './world.ts';

const folder = new URL('peers/', import.meta.url);

/** A player's page from other servers, which read the normalised tables for each request. It has no bar. */
export const peers: Measurement = (options) => {
  assert.ok(
    existsSync(new URL('node_modules', folder)),
    'The peers are not installed. Run: npm install --prefix bench/peers',
  );
  return withWorld(options, async (world) => {
    const { pool, url, key } = world;
    const machine = machineLine(await machineOf(pool));
    await pool.query(await readFile(new URL('setup.sql', folder), 'utf8'));
    await pool.query('analyze');
    const endpoint = endpointNamed('player battles');
    const players = await keysOf(pool, endpoint);
    const load = await startLoad(options.quick);
    const server = await startServe(url, { CACHE_MB: '1' });
    const started: Peer[] = [];
    try {
      started.push(await startPeer('express.mjs', url), await startPeer('postgraphile.mjs', url));
      const [express, postgraphile] = started;
      const headers = { accept: 'application/json' };
      const authorized = { ...headers, authorization: `Bearer ${key}` };
      const paths: [string, string | undefined, Request[]][] = [
        [
          'wartable, cold',
          server.origin,
          players.map((id) => ({ path: endpoint.path(id), headers: authorized })),
        ],
        ['Express 5', express?.origin, players.map((id) => ({ path: `/users/${id}/battles`, headers }))],
        ['PostGraphile 5', postgraphile?.origin, players.map((id) => ({ path: graphPath(id), headers }))],
      ];
      const rates = new Map<string, number[]>();
      const bytes = new Map<string, number>();
      for (let slice = -1; slice < options.slices; slice += 1) {
        for (const [name, origin = '', requests] of paths) {
          if (slice < 0) bytes.set(name, await bytesOf(origin, requests.slice(0, 50)));
          const rate = await load.run(origin, requests, 200, 1);
          if (slice >= 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
        }
      }
      const spreads = new Map([...rates].map(([name, each]) => [name, spreadOf(each)]));
      const base = spreads.get('wartable, cold')?.median ?? 0;
      const row = ([name, { median, least, most }]: [string, Spread]) => [
        name,
        `${median} (${least}–${most})`,
        (median / base).toFixed(2),
        String(bytes.get(name)),
      ];
      return {
        lines: [
          machine,
          sizesLine(world.sizes),
          `Load from ${load.name}. Wartable checks a key and writes a log; the peers do neither.`,
          '',
          ...table([['', 'answers a second', 'to wartable', 'mean bytes'], ...[...spreads].map(row)]),
        ],
        figures: { machine, world: world.sizes, generator: load.name, peers: Object.fromEntries(spreads) },
        failures: [],
      };
    } finally {
      for (const peer of started) await ended(peer.child);
      await server.close();
      await load.close();
      await pool.query(await readFile(new URL('teardown.sql', folder), 'utf8'));
    }
  });
};

interface Peer {
  origin: string;
  child: ChildProcess;
}

async function startPeer(program: string, url: string): Promise<Peer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, folder)), String(port), url], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const giveUpAt = Date.now() + 60_000; ; await sleep(100)) {
    const answers = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (answers) return { origin, child };
    if (child.exitCode === null && Date.now() < giveUpAt) continue;
    await ended(child);
    throw new Error(`${program} does not answer`);
  }
}

/** Asks once for each, and returns the mean size of the answers. */
async function bytesOf(origin: string, requests: Request[]): Promise<number> {
  let bytes = 0;
  for (const { path, headers } of requests) {
    const response = await fetch(`${origin}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    const body = await response.text();
    assert.equal(response.status, 200, body);
    assert.ok(!body.includes('"errors"'), body.slice(0, 500));
    bytes += Buffer.byteLength(body);
  }
  return Math.round(bytes / requests.length);
}

function graphPath(id: string): string {
  const side = (name: string, Name: string) => `
    ${name}Name ${name}Faction ${name}SubFaction ${name}BattlePoints ${name}VictoryPoints ${name}ObjectivePoints
    ${name}Role ${name}Drops ${name}Metrics
    recordPlayerBy${Name}Player { rowId name } recordClubBy${Name}Club { name }
    recordParticipantByTournamentIdAnd${Name}Participant { name recordPlayerByPlayer { rowId name } recordClubByClub { name } }`;
  const query = `query Page($who: String!) { playerPage(who: $who) { nodes {
    rowId date stage round tableNumber scenario battlePack battleSize finished winner victorySize
    recordStageByTournamentIdAndStage { recordTournamentByTournamentId { slug name battleSize } }
    ${side('first', 'First')} ${side('second', 'Second')}
  } } }`;
  const parameters = new URLSearchParams({
    query: query.replaceAll(/\s+/g, ' '),
    variables: JSON.stringify({ who: id }),
  });
  return `/graphql?${parameters.toString()}`;
}
