import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shapes } from '../../src/record/feed/json-schema.ts';
import * as parts from '../../src/record/feed/tournament-records.ts';

// The list in docs/feed.md of the members that a record has is generated from the shapes. The notes contain
// what a shape cannot express; test/record tests them.

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
  ['a ranking', parts.RankingEntry],
  ['a rank', elementOf(parts.RankingEntry, 'ranks')],
  ['a casual `battle`', shapes.casualBattle],
  ['a side of it', parts.CasualSide, { player: '³', name: '³', erased: '³' }],
];

/** Records whose sections show them in full, or show the identity of what they refer to. */
const shown: Record<string, string> = {
  removeThing: '`{"kind":"remove","of":"club","id":"the-slug"}`',
  removeParticipant: '- `participant`: `tournament`, `id`\n',
  removeBye: '- `bye`: `tournament`, `stage`, `round`, `participant`\n',
  removeMatch: '- `match`: `tournament`, `stage`, `round`, `position`\n',
  removeRanking: '- `ranking`: `tournament`, `stage`, `afterRound`\n',
  moved: '`{"kind":"moved","of":"tournament","id":"old","to":"new"}`',
  end: '`{"kind":"end","records":16}`',
};

const page = await readFile(new URL('../../docs/feed.md', import.meta.url), 'utf8');

test('feed.md has a list of all members, made from the shapes', () => {
  const optional = (shape: Shape) =>
    Object.keys(shape.properties).filter((name) => shape.required?.includes(name) !== true);
  const common = new Set(optional(parts.TournamentSide));
  const expected = rows.map(([what, shape, notes = {}]) => {
    const named = (names: string[]) => names.map((name) => `\`${name}\`${notes[name] ?? ''}`).join(', ');
    const required = shape.required?.length ? `**${named(shape.required)}**` : '';
    const isCasual = shape === parts.CasualSide;
    const others = named(optional(shape).filter((name) => !isCasual || !common.has(name)));
    const above = isCasual ? 'and the optional members of a side above' : '';
    return `${what}: ${[required, others, above].filter((text) => text !== '').join(', ')}`;
  });
  const [, list = ''] = /^### Members\n\n.*?\n\n(.*?)\n\n/ms.exec(page) ?? [];
  assert.deepEqual(
    list
      .split(/^- /m)
      .slice(1)
      .map((item) => item.trim().replaceAll(/\s+/g, ' ')),
    expected,
  );
  assert.ok([...common].every((name) => name in parts.CasualSide.properties));
});

test('what has no member to choose is shown whole, or by the identity of what it names', () => {
  for (const [name, text] of Object.entries(shown)) {
    assert.ok(page.includes(text), text);
    const { properties, required } = shapes[name as keyof typeof shapes] as Shape;
    const members = text.startsWith('-')
      ? ['kind', 'of', ...[...text.matchAll(/`(\w+)`/g)].slice(1).map(([, member]) => member)]
      : Object.keys(JSON.parse(text.slice(1, -1)) as object);
    assert.deepEqual([members, members], [Object.keys(properties), required]);
  }
});

test('every shape of a line is listed, and a small record is its element with kind and tournament', () => {
  const elements = {
    participant: parts.ParticipantEntry,
    battle: parts.BattleEntry,
    bye: parts.ByeEntry,
    match: parts.MatchEntry,
    ranking: parts.RankingEntry,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const element = elements[name as keyof typeof elements] as Shape | undefined;
    if (element === undefined) {
      assert.ok(name in shown || rows.some(([, each]) => each === shape), name);
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
