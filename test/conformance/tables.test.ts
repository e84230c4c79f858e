import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Section } from '../../harness/conformance/sections.ts';
import { shapeName, type SpecifiedField, specifiedFields } from '../../harness/conformance/specification.ts';
import { fileURLToPath } from 'node:url';
import { root as rootUrl } from '../../harness/support/root.ts';
import { isOfKind } from './fields.ts';
import type { Row } from './world.ts';

// Compares the tables of the specification with the documents that people wrote down (test/publish/golden)
// and with the types of the client. fields.ts compares them with openapi.json and with answers.

const root = fileURLToPath(rootUrl);

/** The fields whose values are rows of another table. */
const nested: Partial<Record<Section, Record<string, Section>>> = {
  Tournament: { stages: 'Stage' },
  Participant: { list: 'ArmyList' },
  Battle: { players: 'BattlePlayer' },
  BattlePlayer: { list: 'ArmyList', rounds: 'PlayerRound' },
};

function assertFits(section: Section, row: Row, where: string, isFull = false): void {
  const fields = (specifiedFields.get(section) ?? []).filter(({ isOnlyInFull }) => isFull || !isOnlyInFull);
  const known = new Set(fields.map(({ field }) => field));
  assert.deepEqual(
    Object.keys(row).filter((name) => !known.has(name)),
    [],
    `${where}: not in the table of ${section}`,
  );
  for (const { field, kinds, type, isOptional } of fields) {
    const value = row[field];
    if (value === undefined) assert.ok(isOptional, `${where}: ${field} is missing`);
    else
      assert.ok(
        kinds.some((kind) => isOfKind(value, kind)),
        `${where}: ${field} is not ${type}`,
      );
    const inside = nested[section]?.[field];
    if (inside === undefined || !value) continue;
    for (const each of [value].flat() as Row[]) assertFits(inside, each, `${where} ${field}`, isFull);
  }
}

interface Golden {
  tournament: Row;
  standings: Record<string, { stage: { type: string }; data: Row[] }>;
  participants: { document: Row }[];
  battles: { listing: Row; full: Row }[];
}

const goldens = globSync('test/publish/golden/*/expected.json', { cwd: root }).map((file) => ({
  name: path.basename(path.dirname(file)),
  expected: JSON.parse(readFileSync(path.join(root, file), 'utf8')) as unknown,
}));

for (const { name, expected } of goldens) {
  test(`golden ${name} has the fields of the specification`, () => {
    if (name === 'clubs') for (const club of expected as Row[]) assertFits('Club', club, name);
    else if (name === 'casual-battles') assertBattles(expected as Golden['battles'], name);
    else {
      const { tournament, standings, participants, battles } = expected as Golden;
      assertFits('Tournament', tournament, name);
      for (const [stage, { stage: shown, data }] of Object.entries(standings)) {
        const section = shown.type === 'board' ? 'Board row' : 'Bracket match';
        for (const row of data) assertFits(section, row, `${name} ${stage}`);
      }
      for (const { document } of participants) assertFits('Participant', document, name);
      assertBattles(battles, name);
    }
  });
}

function assertBattles(battles: Golden['battles'], name: string): void {
  for (const { listing, full } of battles) {
    assertFits('Battle', listing, name);
    assertFits('Battle', full, name, true);
  }
}

const types = readFileSync(path.join(root, 'docs/recipes/client/wartable.d.mts'), 'utf8');

for (const [section, fields] of specifiedFields) {
  const name = shapeName(section);
  test(`the client's type ${name} has the fields of the specification`, () => {
    for (const [shape, isFull] of [
      [name, false],
      [`${name}Detail`, true],
    ] as const) {
      const [, body] = new RegExp(`^export interface ${shape} \\{\n(.*?)^\\}`, 'ms').exec(types) ?? [];
      if (body === undefined && isFull) continue;
      const members = [...(body ?? '').matchAll(/^ {2}(\w+)(\??): (.+);$/gm)].map(
        ([, field = '', mark = '', type = '']) => `${field}${mark}: ${kindsOf(type).join(' | ')}`,
      );
      const expected = fields
        .filter(({ isOnlyInFull }) => isFull || !isOnlyInFull)
        .map((each) => `${each.field}${each.isOptional ? '?' : ''}: ${plainKinds(each).join(' | ')}`);
      assert.deepEqual(members.toSorted(), expected.toSorted());
    }
  });
}

const plainKinds = ({ kinds }: SpecifiedField) =>
  kinds.map((kind) => (kind === 'date' || kind === 'link' ? 'string' : kind)).toSorted();

function kindsOf(type: string): string[] {
  return type
    .split(' | ')
    .map((each) => {
      if (each.endsWith(']')) return 'array';
      if (/^[A-Z]/.test(each)) return 'object';
      return each.replaceAll("'", '"');
    })
    .toSorted();
}
