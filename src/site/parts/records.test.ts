import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../words/en.ts';
import { factionRecordTable } from './records.ts';

test('a draw is half a win, in the bar and in the share', () => {
  const { text } = factionRecordTable(en, [{ faction: 'Marrow Choir', wins: 1, draws: 2, losses: 1 }], 5);
  assert.match(text, /1–2–1.*50%/s);
  assert.match(text, /class="part" width="50\.0"/);
});
