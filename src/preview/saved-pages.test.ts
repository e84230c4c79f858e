import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf } from './saved-pages.ts';

const event = '/tournaments/cup';
const files: [target: string, file: string][] = [
  [event, 'index.html'],
  [`${event}?stage=knockout&round=2`, 'index.stage-knockout.round-2.html'],
  [`${event}/rounds?stage=swiss&by=player`, 'rounds.stage-swiss.by-player.html'],
  [`${event}/players/p7`, 'players-p7.html'],
  [`${event}/standings.csv?stage=swiss`, 'standings.stage-swiss.csv'],
  [`${event}/calendar.ics`, 'calendar.ics'],
  ['/battles/cup_swiss_1_2_3', 'battles-cup_swiss_1_2_3.html'],
  ['/assets/x-Yz_9/touch-icon.png', 'touch-icon.png'],
];
for (const [target, file] of files)
  test(`${target} is ${file}`, () => assert.equal(fileOf(event, target), file));

test('targets that a disk would take for the same have different files, and each name fits every disk', () => {
  const name = (text: string) => `${event}/participants?name=${encodeURIComponent(text)}`;
  const targets = [
    ...['Ana', 'ana', 'ANA', 'a/na', 'a:na', '..', 'Ána', '山田', '山本', '', ' '].map(name),
    ...['Ab', 'aB', 'ab', 'AB'].map((id) => `/battles/${id}`),
    ...['x', 'y'].map((end) => name('long '.repeat(40) + end)),
  ];
  const made = targets.map((target) => fileOf(event, target));
  assert.equal(new Set(made.map((each) => each.toLowerCase())).size, targets.length);
  for (const each of made) assert.match(each, /^[a-z0-9][a-z0-9._-]{0,130}\.html$/);
});
