import assert from 'node:assert/strict';
import { createKey } from '../../src/keys/key.ts';
import { agedCursor } from './aged-cursor.ts';
import { bearer } from '../../harness/support/server.ts';
import { everyPath, lists } from './paths.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

const world = await startWorld();

rule('Errors', '401 without a valid key, code UNAUTHORIZED, on every endpoint', async () => {
  for (const path of everyPath) {
    for (const headers of [{}, bearer('no-prefix'), bearer(createKey())]) {
      const { status, json } = await world.get(path, headers);
      const { error } = json as { error: Row };
      assert.deepEqual([status, error['status'], error['code']], [401, 401, 'UNAUTHORIZED'], path);
    }
  }
});

const missing: [condition: string, message: string, paths: string[]][] = [
  [
    'the tournament does not exist',
    'Tournament not found',
    ['', '/standings', '/participants', '/battles'].map((path) => `/tournaments/nobody${path}`),
  ],
  [
    'the tournament is not published',
    'Tournament not found',
    ['', '/standings', '/standings?stage=swiss', '/participants', '/battles'].map(
      (path) => `/tournaments/hidden-cup${path}`,
    ),
  ],
  [
    'the club does not exist',
    'Club not found',
    ['', '/tournaments', '/battles'].map((path) => `/clubs/nobody${path}`),
  ],
  ['the player does not exist (player battles)', 'Player not found', ['/users/nobody/battles']],
  ['the player was erased', 'Player not found', ['/users/gone/battles']],
  ['the battle does not exist', 'Battle not found', ['/battles/nobody', '/battles/hidden-1']],
  [
    'the stage is unknown: the message lists the stage ids the tournament has',
    'Unknown stage. Stages of this tournament: swiss, knockout, placement-swiss, placement-3, placement-5-8, standings',
    ['final', 'Swiss', 'placement-9', ''].map((id) => `/tournaments/grand-muster/standings?stage=${id}`),
  ],
  [
    'the stage is unknown while the tournament runs: standings is none of the ids',
    'Unknown stage. Stages of this tournament: swiss, knockout, placement-swiss',
    ['/tournaments/winter-cut/standings?stage=standings'],
  ],
  ['the tournament has no stages', 'This tournament has no stages', ['/tournaments/some-day/standings']],
];
for (const [condition, message, paths] of missing) {
  rule('Errors', `404 when ${condition}`, async () => {
    for (const path of paths) {
      assert.equal((await world.get(path)).status, 404, path);
      assert.deepEqual(await world.refusal(path), { status: 404, message, code: 'NOT_FOUND' }, path);
    }
  });
}

const notPositive = 'limit must be a positive integer';
const invalid: [message: string, condition: string, query: string][] = [
  [notPositive, 'a limit that is no number', 'limit=abc'],
  [notPositive, 'an empty limit', 'limit='],
  [notPositive, 'a limit of zero', 'limit=0'],
  [notPositive, 'a negative limit', 'limit=-1'],
  [notPositive, 'a decimal limit', 'limit=1.5'],
  ['limit must not exceed 100', 'a limit too large', 'limit=101'],
  ['Invalid cursor', 'a malformed cursor', 'cursor=abc'],
];
for (const [message, condition, query] of invalid) {
  rule('Errors', `"${message}" for ${condition}, on every list`, async () => {
    for (const path of lists) {
      const target = `${path}?${query}`;
      assert.equal((await world.get(target)).status, 400, target);
      assert.deepEqual(await world.refusal(target), { status: 400, message, code: 'BAD_REQUEST' }, target);
    }
  });
}
rule('Errors', '"Invalid cursor" for an expired cursor, on every list', async () => {
  for (const path of lists) {
    const { next } = await world.page(path);
    assert.equal((await world.get(`${path}?cursor=${agedCursor(next, 0)}`)).status, 200, path);
    const error = await world.refusal(`${path}?cursor=${agedCursor(next, 31)}`);
    assert.deepEqual(error, { status: 400, message: 'Invalid cursor', code: 'BAD_REQUEST' }, path);
  }
});
