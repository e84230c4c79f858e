import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { ShownBattle } from '../tournament/statements.ts';
import { en } from '../words/en.ts';
import { nowSections } from './now.ts';
import type { ShownTournament } from '../tournament/tournament-frame.ts';

const site = { siteUrl: 'https://wartable.example', words: en } as Parameters<typeof nowSections>[0];

/** Text that cannot be compressed away. */
const random = (what: string, length: number) =>
  createHash('sha512').update(what).digest('base64url').replaceAll(/[-_]/g, '').slice(0, length);

test('the fragment stays below 4 kB, however many stages are played at the same time', () => {
  for (const count of [1, 2, 3, 8]) {
    const stages = Array.from({ length: count }, (_, index) => `stage-${index}`);
    const battles = (stage: string, isOver: boolean) =>
      Array.from({ length: 12 }, (_, index): ShownBattle => {
        const id = random(`${stage} ${isOver} ${index}`, 10);
        const side = (which: string) => ({
          player: `${random(`${id} ${which} first`, 9)} ${random(`${id} ${which} last`, 11)}`,
          playerId: random(`${id} ${which}`, 10),
          faction: 'Tidebound Court',
          outcome: isOver ? (which === 'a' ? 'win' : 'loss') : null,
          victoryPoints: isOver ? (which === 'a' ? 31 : 17) : null,
        });
        const players = [side('a'), side('b')] as unknown as ShownBattle['battle']['players'];
        return {
          stage,
          table: index + 1,
          entries: [],
          battle: { id, tournament: 'many', round: 1, scenario: null, winner: null, players },
        };
      });
    const open = stages.flatMap((stage) => battles(stage, false));
    const done = stages.flatMap((stage) => battles(stage, true));
    const idsOf = (all: ShownBattle[], stage: string) =>
      all.flatMap((each) => (each.stage === stage ? [each.battle.id] : []));
    const tournament = {
      path: '/tournaments/many',
      stages: stages.map((id) => ({ id, name: id, type: 'board', rounds: 3 })),
      playing: stages.map((stage) => ({
        stage,
        now: [
          {
            round: 1,
            games: 24,
            results: 12,
            isOver: false,
            done: idsOf(done, stage),
            open: idsOf(open, stage),
          },
        ],
        missing: 0,
      })),
    } as unknown as ShownTournament;
    const row = { current: [...open, ...done], brackets: null } as unknown as Parameters<
      typeof nowSections
    >[2];
    const text = nowSections(site, tournament, row, undefined)?.text ?? '';
    assert.equal(text.match(/<section class="now\b/g)?.length, count);
    const size = brotliCompressSync(text).length;
    assert.ok(size < 4_000, `${count} stages: ${size} bytes`);
  }
});
