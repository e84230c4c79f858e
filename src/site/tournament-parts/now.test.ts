import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { BattleView, SideView } from '../../published/views.ts';
import { en } from '../words/en.ts';
import { nowSections } from './now.ts';
import type { ShownTournament } from './tournament-frame.ts';

const site = { siteUrl: 'https://wartable.example', words: en } as Parameters<typeof nowSections>[0];

/** Returns text that cannot be compressed away. */
const random = (what: string, length: number) =>
  createHash('sha512').update(what).digest('base64url').replaceAll(/[-_]/g, '').slice(0, length);

test('"Now" stays below 4 kB, however many stages are played at the same time', () => {
  for (const count of [1, 2, 3, 8]) {
    const stages = Array.from({ length: count }, (_, index) => `stage-${index}`);
    const games = (stage: string, isOver: boolean, most: number) =>
      Array.from({ length: most }, (_, index): BattleView => {
        const id = random(`${stage} ${isOver} ${index}`, 10);
        const side = (which: string): SideView => ({
          player: `${random(`${id} ${which} first`, 9)} ${random(`${id} ${which} last`, 11)}`,
          playerId: random(`${id} ${which}`, 10),
          faction: 'Tidebound Court',
          ...(isOver && { outcome: which === 'a' ? 'win' : 'loss', victoryPoints: which === 'a' ? 31 : 17 }),
        });
        const state = isOver ? 'over' : 'open';
        return { battle: id, stage, round: 1, table: index + 1, state, sides: [side('a'), side('b')] };
      });
    const tournament = {
      path: '/tournaments/many',
      stages: stages.map((id) => ({ id, name: id, type: 'board', rounds: 3 })),
      playing: stages.map((stage) => ({
        stage,
        now: [{ round: 1, games: 24, results: 12, expected: 24, isOver: false }],
        total: { results: 12, expected: 24 },
        open: games(stage, false, 8),
        done: games(stage, true, 4),
        finalists: [],
        tables: '1'.repeat(12) + '0'.repeat(12),
        counts: { open: 12, done: 12 },
        missing: [],
      })),
    } as unknown as ShownTournament;
    const text = nowSections(site, tournament)?.text ?? '';
    assert.equal(text.match(/<section class="now\b/g)?.length, count);
    const size = brotliCompressSync(text).length;
    assert.ok(size < 4_000, `${count} stages: ${size} bytes`);
  }
});
