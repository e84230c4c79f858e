import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchRows } from '../../bench/evidence.ts';
import { claims } from '../../scripts/claims.ts';
import { evidencePage, readEvidence } from '../../scripts/evidence.ts';

// `npm run check` compares docs/evidence/README.md with the JSON beside it.

test('every kept proof says what it shows, with a figure', () => {
  const kept = Object.keys(readEvidence('proofs'));
  assert.deepEqual(
    kept.filter((name) => !Object.hasOwn(claims, name)),
    [],
  );
  for (const name of kept)
    assert.match(evidencePage(), new RegExp(`^\\| .+ \\| .+ \\| .*\\| \`npm run prove ${name}\` \\|`, 'm'));
});

test('a missed bar says so', () => {
  const bars = ['hot to map, at least 0.75 (aim 0.85, reported only): a 0.80, b 0.70'];
  const barsOf = (name: string, figures: object) => benchRows(name, { ...figures }).map(({ bar }) => bar);
  assert.deepEqual(barsOf('endpoints', { bars }), ['at least 0.75, **missed**']);
  assert.deepEqual(barsOf('endpoints', { bars: bars.map((bar) => bar.replace('0.70', '0.75')) }), [
    'at least 0.75',
  ]);
  assert.deepEqual(barsOf('memory', { peak: 321, cacheMb: 64 }), ['at most 256, **missed**']);
});

test('every statement of the specification that was kept is in the evidence', () => {
  const statements = Object.values(readEvidence('conformance')).flatMap((section) => Object.values(section));
  assert.ok(statements.length > 200 && statements.every(Boolean));
});
