import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundInWords, roundOfFile } from './rounds.ts';

const shown = (round: string, stage = ''): string => {
  const name = roundInWords(stage, round);
  if (!name) return 'unknown';
  const { stage: of, round: which, index } = name;
  return `${of} ${'field' in which ? `of ${which.field}` : which.number}${index === 0 ? '' : ` #${index}`}`;
};

const rounds: [string, ...string[]][] = [
  ['swiss 2', 'Runda 2', '2. runda'],
  ['knockout of 2', 'Finał'],
  ['knockout of 4', 'Półfinał', '1/2 finału'],
  ['knockout of 8', 'Ćwierćfinał'],
  ['placement-3 1', 'Mecz o 3. miejsce', 'Trzecie miejsce'],
  ['placement-5-8 1', 'Miejsca 5-8', 'miejsca 5 do 8'],
  [
    'swiss 3',
    '3',
    'Round 3',
    'R3',
    'Runde 3',
    '3. Runde',
    '3rd round',
    '3e ronde',
    'Ronda 3',
    '3° turno',
    '03',
  ],
  [
    'knockout of 2',
    'final',
    'Finale',
    'Grand Final',
    'FINAL',
    'Endspiel',
    'gran final',
    '1/2 Finale'.slice(4),
  ],
  [
    'knockout of 4',
    'semi-final',
    'Semifinals',
    'Halbfinale',
    'Demi-finale',
    'semifinales',
    'Top 4',
    '1/2 Finale',
  ],
  [
    'knockout of 8',
    'quarter-final',
    'Viertelfinale',
    'Quarts de finale',
    'cuartos de final',
    'Quarti',
    'last 8',
  ],
  ['knockout of 16', 'Round of 16', 'Achtelfinale', 'huitièmes de finale', 'octavos', 'Ottavi di finale'],
  ['knockout of 32', 'Round of 32', 'Sechzehntelfinale'],
  ['knockout of 4 #2', 'semi-final 2', 'Halbfinale 2'],
  [
    'placement-3 1',
    'place 3',
    '3rd place',
    'Third place',
    'third-place match',
    'Platz 3',
    'Spiel um Platz 3',
  ],
  [
    'placement-3 1',
    'kleines Finale',
    'petite finale',
    '3e place',
    '3er puesto',
    'Terzo posto',
    'Finale 3° posto',
  ],
  ['placement-5 1', 'place 5', '5th place'],
  ['placement-5-8 1', 'places 5-8', 'Plätze 5 bis 8', 'places 5 to 8'],
  [
    'unknown',
    '',
    '0',
    'half-time',
    'place 1',
    'place 2',
    'places 8-5',
    'round of 7',
    '12-8',
    'round',
    '#REF!',
  ],
];
for (const [meaning, ...names] of rounds) {
  test(`${names.map((name) => JSON.stringify(name)).join(', ')}: ${meaning}`, () => {
    for (const name of names) assert.equal(shown(name), meaning, name);
  });
}

test('a stage goes with a number, or with the name of a round of a bracket', () => {
  assert.equal(shown('2', 'Knockout'), 'knockout 2');
  assert.equal(shown('2', 'Gruppenphase'), 'swiss 2');
  assert.equal(shown('2', 'placement-swiss'), 'placement-swiss 2');
  assert.equal(shown('2', 'placement-5-8'), 'placement-5-8 2');
  assert.equal(shown('final', 'playoffs'), 'knockout of 2');
  assert.equal(shown('final', 'swiss'), 'unknown');
  assert.equal(shown('1', 'warm-up'), 'unknown');
});

test('the name of a file may have its round', () => {
  for (const [name, round] of [
    ['round_1.csv', 'swiss 1'],
    ['sheets/Runde 3.csv', 'swiss 3'],
    ['R4.csv', 'swiss 4'],
    ['Round1.CSV', 'swiss 1'],
    ['Cup 2026 - Runde 02 (1).csv', 'swiss 2'],
    ['2e ronde.csv', 'swiss 2'],
    ['cup-3. runda.csv', 'swiss 3'],
    ['Final.csv', 'knockout of 2'],
    ['Halbfinale.csv', 'knockout of 4'],
    ['place 3.csv', 'placement-3 1'],
  ] as const)
    assert.equal(shown(roundOfFile(name) ?? ''), round, name);
  for (const name of [
    'games.csv',
    '3.csv',
    'games 3.csv',
    'round.csv',
    'Tour 2026.csv',
    'round 1 round 2.csv',
    'KO-Runde 1.csv',
    'Playoffs Round 2.csv',
    'Phase finale tour 1.csv',
  ])
    assert.equal(roundOfFile(name), undefined, name);
});
