import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shapes } from '../../src/record/feed/json-schema.ts';
import { listedRecords } from '../../scripts/feed-page.ts';
import * as parts from '../../src/record/feed/tournament-records.ts';

// scripts/feed-page.ts generates the list of members in docs/feed.md. These tests check that it has every shape.

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

test('what has no member to choose is shown whole, or by the identity of what it names', () => {
  for (const [name, text] of Object.entries(shown)) {
    assert.ok(page.includes(text), text);
    const { properties, required } = shapes[name as keyof typeof shapes];
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
    const element = elements[name as keyof typeof elements];
    if (element === undefined) {
      assert.ok(name in shown || listedRecords.some(([, each]) => each === shape), name);
      continue;
    }
    assert.ok(
      listedRecords.some(([, each]) => each === element),
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

test('the paragraph about tieBreaks names each of them', () => {
  const [, text = ''] = /^- `tieBreaks`: (.*?)^- /ms.exec(page) ?? [];
  for (const name of parts.knownTieBreaks) assert.ok(text.includes(`\`${name}\``), name);
});
