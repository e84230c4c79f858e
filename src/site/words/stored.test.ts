import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoundTitle, StageKind } from '../../published/views.ts';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { matchName, stageName } from './stored.ts';

const kinds: (StageKind | undefined)[] = [
  { named: 'Final Standings' },
  { named: 'Group Stage' },
  { top: 8 },
  { first: 3 },
  { first: 5, last: 8 },
  undefined,
];
const stages = (words: Words) =>
  kinds.map((kind) =>
    stageName(words, { id: 'x', name: 'Sunday cup' }, [{ id: 'x', ...(kind && { kind }) }]),
  );
const titles: RoundTitle[] = [
  { name: 'Final', kind: { field: 2 } },
  { name: 'Quarter-finals', kind: { field: 8 } },
  { name: '', kind: { field: 16 } },
  { name: '', kind: { place: 3 } },
  { name: '', kind: { place: 7 } },
  { name: '', kind: { field: 4, first: 5, last: 8 } },
  { name: 'Grand final' },
];
const all = (words: Words, areMany: boolean) => titles.map((title) => matchName(words, title, areMany));

test('our own names are said in English, one or several', () => {
  assert.deepEqual(stages(en), [
    'Final Standings',
    'Group Stage',
    'Top 8',
    'Place 3',
    'Places 5–8',
    'Sunday cup',
  ]);
  assert.deepEqual(all(en, false), [
    'Final',
    'Quarter-final',
    'Round of 16',
    'Third-place match',
    '7th-place match',
    '5th–8th semi-final',
    'Grand final',
  ]);
  assert.deepEqual(all(en, true), [
    'Finals',
    'Quarter-finals',
    'Round of 16',
    'Third-place matches',
    '7th-place matches',
    '5th–8th semi-finals',
    'Grand finals',
  ]);
});

test('another language says our own names in its words, and leaves those of organisers', () => {
  assert.deepEqual(stages(de), ['Endstand', 'Gruppenphase', 'Top 8', 'Platz 3', 'Plätze 5–8', 'Sunday cup']);
  assert.deepEqual(all(de, false), [
    'Finale',
    'Viertelfinale',
    'Achtelfinale',
    'Spiel um Platz 3',
    'Spiel um Platz 7',
    'Plätze 5–8, Halbfinale',
    'Grand final',
  ]);
});
