import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Battle, BattleDetail, BattlePlayer, BattlePlayerDetail } from '../../src/contract/battle.ts';
import { Club } from '../../src/contract/club.ts';
import { extraErrors } from '../../src/contract/extra/errors.ts';
import { errors, unknownStage } from '../../src/contract/errors.ts';
import { BattleList } from '../../src/contract/list.ts';
import { Participant } from '../../src/contract/participant.ts';
import { BoardRow, BracketMatch } from '../../src/contract/standings.ts';
import { Stage, Tournament } from '../../src/contract/tournament.ts';
import { tablesOf } from '../../harness/guides/guide-blocks.ts';

// The tables of docs/api that list parts of the contract are complete and contain nothing else.

const folder = new URL('../../docs/api/', import.meta.url);

/** The shapes by the word that the guides use for them. */
const shapes: [word: string, shape: Shape][] = [
  ['Tournament', Tournament],
  ['Stage', Stage],
  ['Board row', BoardRow],
  ['Bracket match', BracketMatch],
  ['Participant', Participant],
  ['Battle', Battle],
  ['Battle', BattleDetail],
  ['BattlePlayer', BattlePlayer],
  ['BattlePlayer', BattlePlayerDetail],
  ['Club', Club],
  ['', BattleList],
];

interface Shape {
  properties: object;
  required?: string[];
}

test('nulls.md has every member that may be null, and no other', async () => {
  const [nulls = []] = await readTables('nulls.md');
  assertTable(nulls, (_, member) => acceptsNull(member));
});

test('nulls.md has every member that may be absent, and no other', async () => {
  const [, absences = []] = await readTables('nulls.md');
  assertTable(absences, ({ required = [] }, _, name) => !required.includes(name), [
    // These are absent from lists of battles, which have a shape of their own.
    'BattlePlayer list',
    'BattlePlayer rounds',
  ]);
});

test('errors.md has every status with its code, and no message that does not exist', async () => {
  const [statuses = []] = await readTables('errors.md');
  const catalogue = [...Object.values(errors), unknownStage(['swiss', 'knockout', 'standings'])];
  assert.deepEqual(
    statuses.map(([status, code = '']) => `${status} ${code.replaceAll('`', '')}`),
    [...new Set(catalogue.map(({ status, code }) => `${status} ${code}`))].toSorted(),
  );
  const page = await readFile(new URL('errors.md', folder), 'utf8');
  const messages = [...page.matchAll(/^- "([^"]+)":/gm)].map(([, message = '']) => message);
  assert.ok(messages.length > 5);
  const known = new Set(catalogue.map(({ message }) => message));
  assert.deepEqual(
    messages.filter((message) => !known.has(message)),
    [],
  );
});

/** Because of this, errors.md only needs the messages that require an explanation. */
test('the reference has every message, as an example of an answer', async () => {
  const read = async (name: string) => readFile(new URL(`../../${name}`, folder), 'utf8');
  const own = await read('openapi.json');
  const extra = await read('openapi-extra.json');
  for (const { message } of Object.values(errors)) {
    // No declared address gives this error.
    if (message === errors.endpointNotFound.message) continue;
    assert.ok(own.includes(JSON.stringify(message)), message);
  }
  for (const { message } of Object.values(extraErrors))
    assert.ok(extra.includes(JSON.stringify(message)), message);
});

test('changes.md has a section for each released version of the changelog', async () => {
  const versionsOf = async (page: string) =>
    [
      ...(await readFile(new URL(page, folder), 'utf8')).matchAll(/^## (\d+\.\d+\.\d+)(?! \(unreleased\))/gm),
    ].map(([, version]) => version);
  assert.deepEqual(await versionsOf('changes.md'), await versionsOf('../../CHANGELOG.md'));
});

function assertTable(
  table: string[][],
  belongs: (shape: Shape, member: object, name: string) => boolean,
  besides: string[] = [],
): void {
  const expected = new Set(besides);
  for (const [word, shape] of shapes) {
    for (const [name, member] of Object.entries(shape.properties) as [string, object][]) {
      if (belongs(shape, member, name)) expected.add(`${word} ${name}`.trim());
    }
  }
  const listed = table.flatMap(([where = '']) => {
    const word = /^[^`]*/.exec(where)?.[0].trim() ?? '';
    const names = [...where.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    // A name without a word before it applies to every shape that has it.
    const owners = word === '' ? [...new Set(shapes.map(([each]) => each))] : [word];
    return names.flatMap((name) => {
      const members = owners.map((owner) => `${owner} ${name}`.trim());
      return word === '' ? members.filter((member) => expected.has(member)) : members;
    });
  });
  assert.deepEqual([...new Set(listed)].toSorted(), [...expected].toSorted());
}

function acceptsNull(member: { type?: unknown; anyOf?: { type?: unknown }[] }): boolean {
  const types = [member.type, ...(member.anyOf ?? []).map(({ type }) => type)].flat();
  return types.includes('null');
}

async function readTables(name: string): Promise<string[][][]> {
  return tablesOf(await readFile(new URL(name, folder), 'utf8'));
}
