import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBattleOutlines } from '../../src/record/facts/read-battles.ts';
import { readTournaments } from '../../src/record/facts/read-facts.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';

// The parts of a battle that boards need are read as one text, which must agree with the full facts.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('outlines of a world say what the facts say', async () => {
  await importLines(client, [
    ...world({ seed: 3, battles: 1_500, from: dayNumber('2026-01-01'), today: dayNumber('2026-11-14') }),
  ]);
  const { rows } = await client.query<{ slug: string }>('select slug from record.tournament');
  let compared = 0;
  for (const { slug } of rows) compared += await compare(slug);
  assert.ok(compared > 1_000);
});

test('hostile factions, missing scores, no date and no winner come through', async () => {
  const factions = [
    'Tab\tTab',
    'Line\nBreak',
    'Quote " \\ slash',
    'null',
    "e'\\t'",
    'x\u0001\u001f',
    ' '.repeat(3) + 'x',
  ];
  const battles = factions.map((faction, index) => ({
    id: `hostile-${index}`,
    stage: 'swiss',
    round: index + 1,
    table: index === 1 ? null : index,
    scenario: index === 2 ? null : faction,
    finished: index % 2 === 0,
    sides: [
      { participant: 'a', faction, ...(index % 3 === 0 ? { victoryPoints: 12.5, battlePoints: 3 } : {}) },
      { participant: 'b' },
    ],
  }));
  const { refusals } = await importLines(client, [
    {
      kind: 'tournament',
      slug: 'hostile',
      published: true,
      name: 'Hostile',
      status: 'ongoing',
      battleSize: 1_000,
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 9 }],
      participants: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
      battles,
    },
  ]);
  assert.deepEqual(refusals, []);
  assert.equal(await compare('hostile'), factions.length);
});

async function compare(slug: string): Promise<number> {
  const [facts] = await readTournaments(client, [slug]);
  assert.ok(facts);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  const outlines = ((await readBattleOutlines(client, [slug])).get(slug) ?? []).toSorted(byId);
  const expected = facts.battles
    .toSorted(byId)
    .map(({ id, stage, round, table, scenario, date, finished, winner, arrived, sides }) => ({
      arrived,
      id,
      stage,
      round,
      table,
      scenario,
      date,
      finished,
      winner,
      sides: sides.map(({ participant, faction, battlePoints, victoryPoints, rounds }) => ({
        participant,
        faction,
        battlePoints,
        victoryPoints:
          victoryPoints ??
          (rounds.length === 0 ? null : rounds.reduce((sum, each) => sum + each.victoryPoints, 0)),
      })),
    }));
  assert.deepEqual(outlines, expected, slug);
  return outlines.length;
}
