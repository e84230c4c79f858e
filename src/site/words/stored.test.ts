import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { matchName, stageName } from './stored.ts';

const stages = ['Final Standings', 'Group Stage', 'Top 8', 'Place 3', 'Places 5–8', 'Sunday cup', 'toString'];
const one = [
  'Final',
  'Quarter-final',
  'Round of 16',
  'Third-place match',
  '7th-place match',
  '5th–8th semi-final',
  '9th–16th round of 8',
  'Grand final',
  'Semi-finals',
  'toString',
];
const all = (words: Words, areMany: boolean) => one.map((name) => matchName(words, name, areMany));

test('English leaves the names that are stored, and knows several of them', () => {
  assert.deepEqual(
    stages.map((name) => stageName(en, name)),
    stages,
  );
  assert.deepEqual(all(en, false), one);
  assert.deepEqual(all(en, true), [
    'Finals',
    'Quarter-finals',
    'Round of 16',
    'Third-place matches',
    '7th-place matches',
    '5th–8th semi-finals',
    '9th–16th round of 8',
    'Grand finals',
    'Semi-finals',
    'toString',
  ]);
});

test('another language says our own names in its words, and leaves those of organisers', () => {
  assert.deepEqual(
    stages.map((name) => stageName(de, name)),
    ['Endstand', 'Gruppenphase', 'Top 8', 'Platz 3', 'Plätze 5–8', 'Sunday cup', 'toString'],
  );
  assert.deepEqual(all(de, false), [
    'Finale',
    'Viertelfinale',
    'Achtelfinale',
    'Spiel um Platz 3',
    'Spiel um Platz 7',
    'Plätze 5–8, Halbfinale',
    'Plätze 9–16, Runde der letzten 8',
    'Grand final',
    'Halbfinale',
    'toString',
  ]);
});
