import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parseDocument } from '../../harness/support/parse-document.ts';
import type { TSchema } from 'typebox';
import { Battle, BattleDetail } from '../../src/contract/battle.ts';
import { Club } from '../../src/contract/club.ts';
import { Participant } from '../../src/contract/participant.ts';
import { BoardStandings, BracketStandings } from '../../src/contract/standings.ts';
import { Tournament } from '../../src/contract/tournament.ts';
import {
  casualBattleDocuments,
  clubDocument,
  tournamentDocuments,
  type BattleDocuments,
  type TournamentDocuments,
} from '../../src/publish/derive/documents.ts';
import type { BattleFacts, ClubFacts, TournamentFacts } from '../../src/record/facts/facts.ts';

// Facts, and the documents that a person expects from them, side by side; see test/publish/golden/README.md.
const folder = path.join(import.meta.dirname, 'golden');
interface Expected {
  tournament: object;
  stages: string[];
  defaultStage: string | null;
  standings: Record<string, { stage: { type: string }; data: object[] }>;
  participants: { id: string; sortKey: string; document: object }[];
  battles: (Record<string, unknown> & { id: string; listing: object; full: object })[];
}

const shapes = {
  Tournament: Tournament as Shape,
  BoardStandings: BoardStandings as Shape,
  BracketStandings: BracketStandings as Shape,
  Participant: Participant as Shape,
  Battle: Battle as Shape,
  BattleDetail: BattleDetail as Shape,
  Club: Club as Shape,
};
type Shaped = [shape: keyof typeof shapes, document: string];

const names = (await readdir(folder, { withFileTypes: true })).filter(
  (entry) => entry.isDirectory() && entry.name !== 'casual-battles' && entry.name !== 'clubs',
);
const casual = (await read<BattleFacts[]>('casual-battles', 'facts')).map((battle) =>
  casualBattleDocuments(battle),
);
const clubs = (await read<ClubFacts[]>('clubs', 'facts')).map((club) => clubDocument(club));

for (const { name } of names) {
  const facts = await read<TournamentFacts>(name, 'facts');
  const expected = await read<Expected>(name, 'expected');
  const made = tournamentDocuments(facts);

  test(`${name}: the tournament and its stages`, () => {
    sameBytes(made.document, expected.tournament);
    assert.deepEqual(made.stages, expected.stages);
    assert.equal(made.defaultStage, expected.defaultStage);
    assert.deepEqual(
      [made.slug, made.startDate, made.status, made.organizer],
      [facts.slug, facts.startDate, facts.status, facts.organizer],
    );
  });

  test(`${name}: the standings`, () => {
    assert.deepEqual(
      made.standings.map(({ stage }) => stage),
      expected.stages,
    );
    for (const { stage, document } of made.standings) sameBytes(document, expected.standings[stage]);
  });

  test(`${name}: the participants`, () => {
    const keys = ({ id, sortKey }: { id: string; sortKey: string }) => `${sortKey} | ${id}`;
    assert.deepEqual(made.participants.map(keys), expected.participants.map(keys));
    for (const [index, each] of made.participants.entries()) {
      sameBytes(each.document, expected.participants[index]?.document);
    }
  });

  test(`${name}: the battles`, () => {
    sameBattles(made.battles, expected.battles);
  });

  test(`${name}: keys stand in the order of the contract`, () => {
    for (const [shape, document] of shaped(made)) keysInOrder(shapes[shape], parseDocument(document), name);
  });
}

test('casual-battles', async () => {
  sameBattles(casual, await read<Expected['battles']>('casual-battles', 'expected'));
  for (const [shape, document] of shapedBattles(casual)) {
    keysInOrder(shapes[shape], parseDocument(document), 'casual-battles');
  }
});

test('clubs', async () => {
  const expected = await read<object[]>('clubs', 'expected');
  assert.equal(clubs.length, expected.length);
  for (const [index, club] of clubs.entries()) sameBytes(club, expected[index]);
});

test('together they show every null, every optional key and its absence, every value of every enumeration', async () => {
  const seen = new Set<string>();
  for (const { name } of names) {
    const made = tournamentDocuments(await read<TournamentFacts>(name, 'facts'));
    for (const [shape, document] of shaped(made)) note(shapes[shape], parseDocument(document), shape, seen);
  }
  for (const [shape, document] of shapedBattles(casual))
    note(shapes[shape], parseDocument(document), shape, seen);
  for (const club of clubs) note(shapes.Club, parseDocument(club), 'Club', seen);
  const wanted = new Set<string>();
  for (const [name, shape] of Object.entries(shapes)) want(shape, name, wanted);
  assert.deepEqual(
    [...wanted].filter((each) => !seen.has(each)),
    [],
  );
});

function shaped(made: TournamentDocuments): Shaped[] {
  return [
    ['Tournament', made.document],
    ...made.standings.map(({ document }): Shaped => [
      document.includes('"type":"bracket"},"data"') ? 'BracketStandings' : 'BoardStandings',
      document,
    ]),
    ...made.participants.map(({ document }): Shaped => ['Participant', document]),
    ...shapedBattles(made.battles),
  ];
}

function shapedBattles(battles: BattleDocuments[]): Shaped[] {
  return battles.flatMap(({ listing, full }): Shaped[] => [
    ['Battle', listing],
    ['BattleDetail', full],
  ]);
}

// The parts of a shape that are used here: members in their order, which of them are required, and the values
// that they may have.
type Shape = TSchema & {
  type?: string | string[];
  enum?: (string | null)[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
};

function sameBattles(made: BattleDocuments[], expected: Expected['battles']): void {
  assert.equal(made.length, expected.length);
  // Other tests check what only the pages show.
  for (const [index, battle] of made.entries()) {
    const { listing, full, table: _table, playerSides: _sides, entries: _entries, ...indexed } = battle;
    const { listing: wantedListing, full: wantedFull, ...wanted } = expected[index] ?? {};
    assert.deepEqual(indexed, wanted);
    sameBytes(listing, wantedListing);
    sameBytes(full, wantedFull);
  }
}

function sameBytes(document: string | undefined, expected: object | undefined): void {
  assert.ok(document !== undefined && expected !== undefined);
  // The server adds the address, which is the last member.
  const whole = 'url' in expected ? `${document}${String(expected.url)}"}` : document;
  // The document is parsed first, so that a difference is shown member by member.
  assert.deepEqual(JSON.parse(whole), expected);
  assert.equal(whole, JSON.stringify(expected));
}

function plain(shape: Shape): Shape {
  return shape.anyOf?.find((each) => each.type !== 'null') ?? shape;
}

function keysInOrder(given: Shape, value: unknown, at: string): void {
  const shape = plain(given);
  if (Array.isArray(value)) {
    for (const each of value) if (shape.items) keysInOrder(shape.items, each, `${at}[]`);
  } else if (typeof value === 'object' && value !== null && shape.properties) {
    const keys = Object.keys(value);
    assert.deepEqual(
      keys,
      Object.keys(shape.properties).filter((key) => keys.includes(key)),
      at,
    );
    for (const [key, member] of Object.entries(value)) {
      const inner = shape.properties[key];
      if (inner) keysInOrder(inner, member, `${at}.${key}`);
    }
  }
}

const isNullable = (shape: Shape): boolean =>
  (Array.isArray(shape.type) && shape.type.includes('null')) ||
  (shape.anyOf?.some(({ type }) => type === 'null') ?? false);

function want(given: Shape, at: string, wanted: Set<string>): void {
  const shape = plain(given);
  if (isNullable(given)) wanted.add(`${at} null`).add(`${at} not null`);
  for (const value of shape.enum ?? []) wanted.add(`${at} = ${value}`);
  if (shape.items) want(shape.items, `${at}[]`, wanted);
  for (const [key, member] of Object.entries(shape.properties ?? {})) {
    if (!shape.required?.includes(key)) wanted.add(`${at}.${key} present`).add(`${at}.${key} absent`);
    want(member, `${at}.${key}`, wanted);
  }
}

function note(given: Shape, value: unknown, at: string, seen: Set<string>): void {
  const shape = plain(given);
  seen.add(value === null ? `${at} null` : `${at} not null`);
  if (typeof value === 'string' || value === null) seen.add(`${at} = ${value}`);
  if (Array.isArray(value)) {
    for (const each of value) if (shape.items) note(shape.items, each, `${at}[]`, seen);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(shape.properties ?? {})) {
      const held = (value as Record<string, unknown>)[key];
      seen.add(`${at}.${key} ${held === undefined ? 'absent' : 'present'}`);
      if (held !== undefined) note(member, held, `${at}.${key}`, seen);
    }
  }
}

async function read<Content>(name: string, file: string): Promise<Content> {
  return JSON.parse(await readFile(path.join(folder, name, `${file}.json`), 'utf8')) as Content;
}
