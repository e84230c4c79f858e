import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { compared, equal, exported, whole } from '../../harness/support/in-step.ts';

// Plants differences between a feed and the database. Each must be found, and nothing else.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
const window = { from: dayNumber('2024-01-01'), today: dayNumber('2025-06-30') };
assert.deepEqual(
  (await importLines(client, [...world({ seed: 31, battles: 3_000, ...window })])).refusals,
  [],
);
const feed = await exported(client);

type Tournament = TournamentRecord & Required<Pick<TournamentRecord, 'battles' | 'participants' | 'stages'>>;
const records = structuredClone(feed);
const tournaments = records.filter((each): each is Tournament => each.kind === 'tournament');

/** Kinds of differences. Each changes one thing in the feed and returns what must be found. */
const kinds: Record<string, { wants: (record: FeedRecord) => boolean; plant: (record: never) => string }> = {
  'the name of a tournament': {
    wants: isTournament,
    plant: (record: Tournament) => {
      record.name += '!';
      return `tournament ${record.slug}: name`;
    },
  },
  'the points of a side': {
    wants: (record) => isTournament(record) && record.battles.length > 3,
    plant: (record: Tournament) => {
      const battle = at(record.battles, 2);
      at(battle.sides, 1).battlePoints = 77;
      return `tournament ${record.slug}: battles[${battle.id}].sides[1].battlePoints`;
    },
  },
  'a battle that is left out': {
    wants: (record) => isTournament(record) && record.battles.length > 3 && !record.matches?.length,
    plant: (record: Tournament) => {
      const [battle] = record.battles.splice(1, 1);
      return `tournament ${record.slug}: battles[${battle?.id}]`;
    },
  },
  'a participant who dropped': {
    wants: (record) => isTournament(record) && record.participants.length > 2,
    plant: (record: Tournament) => {
      const participant = at(record.participants, 1);
      participant.dropped = !participant.dropped;
      return `tournament ${record.slug}: participants[${participant.id}].dropped`;
    },
  },
  'the text of a list': {
    wants: (record) => isTournament(record) && record.participants.some(({ list }) => list?.text),
    plant: (record: Tournament) => {
      const listed = record.participants.find(({ list }) => list?.text);
      if (listed?.list) listed.list.text = 'another';
      return `tournament ${record.slug}: participants[${listed?.id}].list.text`;
    },
  },
  'an adjustment more': {
    wants: (record) => isTournament(record) && record.participants.length > 0 && record.stages.length > 0,
    plant: (record: Tournament) => {
      const adjustments = (record.adjustments ??= []);
      adjustments.push({ stage: at(record.stages, 0).id, participant: at(record.participants, 0).id });
      return `tournament ${record.slug}: adjustments[${adjustments.length - 1}]`;
    },
  },
  'sides in the other order': {
    wants: (record) => isTournament(record) && record.battles.length > 3,
    plant: (record: Tournament) => {
      const battle = at(record.battles, 0);
      battle.sides.reverse();
      return `tournament ${record.slug}: battles[${battle.id}].`;
    },
  },
  'the city of a club': {
    wants: ({ kind }) => kind === 'club',
    plant: (record: { slug: string; city?: string }) => {
      record.city = 'Elsewhere';
      return `club ${record.slug}: city`;
    },
  },
  'the name of a player': {
    wants: (record) => record.kind === 'player' && record.erased !== true,
    plant: (record: { id: string; name: string }) => {
      record.name += '!';
      return `player ${record.id}: name`;
    },
  },
  'the scenario of a casual battle': {
    wants: (record) => record.kind === 'battle' && !('tournament' in record),
    plant: (record: { id: string; scenario?: string }) => {
      record.scenario = 'Another';
      return `battle ${record.id}: scenario`;
    },
  },
};

const planted: string[] = [];
const gone: FeedRecord[] = [];
test('fifty differences of ten kinds are found, each with its first member, and nothing else', async () => {
  const free = new Set(records);
  for (const [name, { wants, plant }] of Object.entries(kinds)) {
    const chosen = [...free].filter(wants).slice(0, 5);
    assert.equal(chosen.length, 5, name);
    for (const record of chosen) {
      free.delete(record);
      planted.push((plant as (each: FeedRecord) => string)(record));
    }
  }
  // There are also things that only one side has.
  for (const kind of ['tournament', 'battle']) {
    const left = [...free].filter((each) => each.kind === kind).slice(0, 3);
    for (const each of left) {
      gone.push(each);
      records.splice(records.indexOf(each), 1);
    }
  }
  const added: FeedRecord[] = [
    { kind: 'club', slug: 'new', name: 'New' },
    { kind: 'player', id: 'new', name: 'New' },
    { kind: 'battlePack', name: 'New' },
  ];
  const found = await compared(client, whole([...added, ...records]));
  const missing = planted.filter((each) => !found.differ.some((line) => line.startsWith(each)));
  assert.deepEqual(missing, []);
  assert.equal(found.differ.length, 50);
  assert.deepEqual(found.onlyInFeed.toSorted(), ['battlePack New', 'club new', 'player new']);
  assert.deepEqual(found.onlyRecorded.toSorted(), gone.map(nameOf).toSorted());
  assert.deepEqual(found.problems, []);
});

test('a feed that is cut lists nothing as surplus', async () => {
  const text = whole(records);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
  const random = Array.from({ length: 10 }, (_, cut) => Math.floor((text.length * (cut + 0.37)) / 10));
  const atEnds = Array.from({ length: 10 }, (_, cut) => at(ends, Math.floor(((ends.length - 2) * cut) / 9)));
  for (const cut of [...random, ...atEnds]) {
    const found = await compared(client, text.slice(0, cut));
    assert.deepEqual(found.onlyRecorded, [], String(cut));
    assert.match(found.problems.join('\n'), /the feed is cut/);
  }
});

test('a wrong number, a line after the end, a thing twice, a part: nothing is surplus', async () => {
  const [first] = feed;
  assert.ok(first);
  const lines = whole(feed).trimEnd().split('\n');
  const refused: [string[], RegExp][] = [
    [lines.slice(1), /expected \d+ records before the end, found \d+: the feed is cut/],
    [[...lines, '{"kind":"club","slug":"x","name":"X"}'], /expected nothing after the end/],
    [lines.toSpliced(1, 0, lines[0] ?? ''), /expected each thing once, found battlePack/],
    [
      lines.toSpliced(1, 0, '{"kind":"remove","of":"club","id":"x"}'),
      /expected whole things, as `wartable feed export` writes them, found remove/,
    ],
    [lines.with(1, '{"kind":"club"}'), /slug: expected/],
  ];
  for (const [given, message] of refused) {
    const found = await compared(client, `${given.join('\n')}\n`);
    assert.match(found.problems.join('\n'), message);
    assert.deepEqual(found.onlyRecorded, []);
  }
});

test('only a feed that has fewer lines than it says is called cut: a refused line is there', async () => {
  const few = feed.slice(0, 20);
  const lines = whole(few).trimEnd().split('\n');
  const said = async (given: string[]) => (await compared(client, `${given.join('\n')}\n`)).problems;
  for (const line of ['{"kind":"club"}', 'no JSON', '{"kind":"remove","of":"club","id":"x"}', lines[0] ?? ''])
    assert.doesNotMatch((await said(lines.with(1, line))).join('\n'), /before the end/, line);
  const more = lines.toSpliced(1, 0, '{"kind":"club","slug":"x","name":"X"}');
  assert.deepEqual(await said(more), [
    `feed:${more.length}: expected ${few.length} records before the end, found ${few.length + 1}`,
  ]);
});

test('with a window only its tournaments can be surplus', async () => {
  const dated = tournaments.flatMap(({ startDate }) => startDate ?? []).toSorted();
  const [from, to] = [at(dated, 3), at(dated, 12)];
  const isInside = (each: FeedRecord): boolean =>
    each.kind === 'tournament' && (each.startDate ?? '') >= from && (each.startDate ?? '9') <= to;
  const inside = feed.filter(isInside);
  assert.deepEqual(await compared(client, whole(inside), { from, to }), equal);
  const [first, ...rest] = inside;
  const { onlyRecorded } = await compared(client, whole(rest), { from, to });
  assert.deepEqual(onlyRecorded, [nameOf(first)]);
  const outside = feed.filter((each) => each.kind === 'tournament' && !isInside(each)).slice(0, 1);
  const { problems } = await compared(client, whole([...inside, ...outside]), { from, to });
  assert.match(problems.join(), /expected a tournament that starts in the window/);
});

test('after the removals and the feed, both are equal; erased people do not differ', async () => {
  const removals = gone.map((each) => ({ kind: 'remove', of: each.kind, id: nameOf(each).split(' ')[1] }));
  assert.deepEqual((await importLines(client, [...removals, ...records])).refusals, []);
  assert.deepEqual(await compared(client, whole(records)), equal);
  const erased = records.find((each) => each.kind === 'player' && each.erased !== true);
  assert.ok(erased?.kind === 'player');
  await importLines(client, [{ kind: 'remove', of: 'player', id: erased.id }]);
  assert.deepEqual(await compared(client, whole(records)), { ...equal, stillNamed: [`player ${erased.id}`] });
  const told = records.map((each) =>
    each === erased ? { kind: each.kind, id: each.id, erased: true } : each,
  );
  assert.deepEqual(await compared(client, whole(told)), equal);
  // The platform has deleted the account, but an erased player does not count as surplus.
  const without = records.filter((each) => each !== erased);
  assert.deepEqual(await compared(client, whole(without)), equal);
  const said = records.map((each) => (each === erased ? { ...erased, erased: false } : each));
  assert.deepEqual((await compared(client, whole(said))).differ, [`player ${erased.id}: erased`]);
});

test('an erased player whose place another player has now differs', async () => {
  const battle = (player: string) => ({
    kind: 'battle' as const,
    id: 'merged-casual',
    battleSize: 1_000,
    finished: false,
    sides: [{ player }, { name: 'Guest' }],
  });
  const event = (player: string) => ({
    kind: 'tournament' as const,
    slug: 'merged',
    published: true,
    name: 'Merged',
    status: 'planned' as const,
    battleSize: 1_000,
    participants: [{ id: 'e1', player }],
  });
  const people = ['gone', 'stays'].map((id) => ({ kind: 'player' as const, id, name: id }));
  const before = [...people, event('gone'), battle('gone'), { kind: 'remove', of: 'player', id: 'gone' }];
  assert.deepEqual((await importLines(client, before)).refusals, []);
  const { differ } = await compared(client, whole([event('stays'), battle('stays')] as FeedRecord[]));
  assert.deepEqual(differ, [
    'tournament merged: participants[e1].player',
    'battle merged-casual: sides[0].player',
  ]);
});

function isTournament(record: FeedRecord): record is Tournament {
  return record.kind === 'tournament';
}

function nameOf(record: FeedRecord | undefined): string {
  assert.ok(record && ('slug' in record || 'id' in record));
  return `${record.kind} ${'slug' in record ? record.slug : record.id}`;
}

function at<Of>(list: Of[], index: number): Of {
  const element = list[index];
  assert.ok(element !== undefined);
  return element;
}

test('a casual battle that the feed has in a tournament is not surplus', async () => {
  const taken = await exported(client);
  const battle = taken.find((each) => each.kind === 'battle');
  const event = taken.find((each): each is Tournament => each.kind === 'tournament');
  assert.ok(battle !== undefined && 'id' in battle && event !== undefined);
  event.battles.push({ ...at(event.battles, 0), id: battle.id });
  const { differ, onlyRecorded } = await compared(client, whole(taken.filter((each) => each !== battle)));
  assert.deepEqual(onlyRecorded, []);
  assert.equal(differ.length, 1);
});

test('people who are erased here while the feed names them are told, guests too; it is no difference', async () => {
  const battle = (...sides: object[]) => ({
    kind: 'battle',
    id: 'named',
    battleSize: 1,
    finished: false,
    sides,
  });
  const event = (...participants: object[]) => ({
    kind: 'tournament',
    slug: 'named',
    published: true,
    name: 'Named',
    status: 'planned',
    battleSize: 1,
    participants,
  });
  const person = { kind: 'player', id: 'named', name: 'Nia' };
  const entered = { id: 'p', player: 'named' };
  const [guest, erased] = [{ name: 'Gil' }, { erased: true }];
  const told = (name: object) => [
    person,
    event(entered, { id: 'g', ...name }, { id: 'h', name: 'Hal' }),
    battle({ player: 'named' }, name),
  ];
  const removal = { kind: 'remove', of: 'player', id: 'named' };
  assert.deepEqual((await importLines(client, [...told(erased), removal])).refusals, []);
  const { differ, stillNamed } = await compared(client, whole(told(guest) as FeedRecord[]));
  assert.deepEqual(differ, []);
  assert.deepEqual(stillNamed, ['player named', 'participant g of named', 'a guest of battle named']);
  assert.deepEqual((await compared(client, whole(told(erased) as FeedRecord[]))).stillNamed, [
    'player named',
  ]);
});

test('an export says nothing that its slug has made: under another slug it is what a platform sends', async () => {
  const sent = (slug: string) => ({
    kind: 'tournament' as const,
    slug,
    published: true,
    name: 'Renamed',
    status: 'planned' as const,
    battleSize: 1,
    participants: [
      { id: 'made', name: 'A' },
      { id: 'sent', name: 'B', lot: 7 },
    ],
  });
  await importLines(client, [sent('old-slug')]);
  const copy = await exported(client, { drafts: true, tournaments: ['old-slug'] });
  const record = copy.find(isTournament);
  assert.ok(record);
  assert.deepEqual(
    record.participants.map(({ lot }) => lot),
    [undefined, 7],
  );
  assert.deepEqual((await importLines(client, [{ ...record, slug: 'new-slug' }])).refusals, []);
  assert.deepEqual((await compared(client, whole([sent('old-slug'), sent('new-slug')]))).differ, []);
});
