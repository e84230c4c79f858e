import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shapes } from '../../src/record/feed/json-schema.ts';
import * as parts from '../../src/record/feed/tournament-records.ts';
import { tablesOf } from './guide-blocks.ts';

// The table of docs/feed.md that says which members are required is made from the shapes. The notes are what a shape
// cannot say: test/record tests them.

interface Shape {
  properties: Record<string, object>;
  required?: string[] | undefined;
}

const rows: [what: string, shape: Shape, notes?: Record<string, string>][] = [
  ['`club`', shapes.club, { name: '¹' }],
  ['`player`', shapes.player, { name: '¹' }],
  ['`battlePack`', shapes.battlePack],
  ['`tournament`', shapes.tournament, { name: '¹', status: '¹', battleSize: '¹', published: '¹' }],
  ['a metric of a tournament', parts.MetricEntry],
  ['a stage', parts.StageEntry, { label: '²' }],
  ['a member of a stage', elementOf(parts.StageEntry, 'members')],
  ['a participant', parts.ParticipantEntry, { player: '³', name: '³', erased: '³' }],
  ['a list', parts.ArmyListEntry, { faction: '⁴', points: '⁴', battleTacticCards: '⁴', text: '⁴' }],
  ['a bye', parts.ByeEntry],
  ['an adjustment', parts.AdjustmentEntry],
  ['a battle of a tournament', parts.BattleEntry],
  ['a side of it', parts.TournamentSide],
  ['a round of a side', parts.RoundEntry],
  ['a match', parts.MatchEntry],
  ['a casual `battle`', shapes.casualBattle],
  ['a side of it', parts.CasualSide, { player: '³', name: '³', erased: '³' }],
  ['`remove`, by `id`', shapes.removeThing],
  ['`remove` of a participant', shapes.removeParticipant],
  ['`remove` of a bye', shapes.removeBye],
  ['`remove` of a match', shapes.removeMatch],
  ['`moved`', shapes.moved],
  ['`end`', shapes.end],
];

test('feed.md has a table of all members, made from the shapes', async () => {
  const page = await readFile(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  const table = tablesOf(page).find(([first]) => first?.[1] === '`kind`, `slug`');
  const expected = rows.map(([what, { properties, required = [] }, notes = {}]) => {
    const named = (wanted: boolean) =>
      Object.keys(properties)
        .filter((name) => required.includes(name) === wanted)
        .map((name) => `\`${name}\`${notes[name] ?? ''}`)
        .join(', ');
    return [what, named(true), named(false)];
  });
  assert.deepEqual(table, expected);
});

test('every shape of a line has a row, and a small record is its element with kind and tournament', () => {
  const elements = {
    participant: parts.ParticipantEntry,
    battle: parts.BattleEntry,
    bye: parts.ByeEntry,
    match: parts.MatchEntry,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const element = elements[name as keyof typeof elements] as Shape | undefined;
    if (element === undefined) {
      assert.ok(
        rows.some(([, each]) => each === shape),
        name,
      );
      continue;
    }
    assert.ok(
      rows.some(([, each]) => each === element),
      name,
    );
    assert.deepEqual(Object.keys(shape.properties), [
      'kind',
      'tournament',
      ...Object.keys(element.properties),
    ]);
    assert.deepEqual(shape.required, ['kind', 'tournament', ...(element.required ?? [])]);
  }
});

function elementOf({ properties }: Shape, name: string): Shape {
  return (properties[name] as { items: Shape }).items;
}
