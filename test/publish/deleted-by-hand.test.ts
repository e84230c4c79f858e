import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { markEverything } from '../../src/publish/mark-all.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { changedScopes, publishedRows, readScopes } from '../../harness/support/published.ts';

// An operator has deleted or damaged rows of `published` by hand. What is left must not get in the way of
// anything.
const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
atEnd(() => client.end());

const records = [
  ...world({ seed: 2, battles: 300, from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') }),
];
assert.deepEqual((await importLines(client, records)).refusals, []);
assert.deepEqual((await publishBacklog(database.pool)).failed, []);
const [cup, other] = records
  .filter((record): record is TournamentRecord => record.kind === 'tournament' && record.published !== false)
  .toSorted((a, b) => (b.battles?.length ?? 0) - (a.battles?.length ?? 0)) as [
  TournamentRecord,
  TournamentRecord,
];
/** A running tournament, in which a result is published without reading the whole tournament. */
const open: TournamentRecord = {
  ...cup,
  slug: 'still-open',
  name: 'Still Open',
  status: 'ongoing',
  ...renamed(),
};
await tell(cup, other, open);
const whole = await publishedRows(client);

const { slug } = cup;
const ofCup = `battle in (select b.id from record.battle b join record.tournament t on t.id = b.tournament_id
  where t.slug = '${slug}')`;
const deletions: Record<string, string[]> = {
  'the tournament': [`delete from published.tournament where slug = '${slug}'`],
  'the tournament and its standings': [
    `delete from published.tournament where slug = '${slug}'`,
    `delete from published.standings where tournament = '${slug}'`,
  ],
  'the tournament and its battles': [
    `delete from published.tournament where slug = '${slug}'`,
    `delete from published.battle where tournament = '${slug}'`,
  ],
  'the tournament, its participants and the details of battles': [
    `delete from published.tournament where slug = '${slug}'`,
    `delete from published.participant where tournament = '${slug}'`,
    `delete from published.battle_detail d using published.battle b where b.id = d.id and b.tournament = '${slug}'`,
  ],
  'standings and participants': [
    `delete from published.standings where tournament = '${slug}'`,
    `delete from published.participant where tournament = '${slug}'`,
  ],
  battles: [`delete from published.battle where tournament = '${slug}'`],
  'details of battles': [
    `delete from published.battle_detail d using published.battle b where b.id = d.id and b.tournament = '${slug}'`,
  ],
  'rows of lists of battles': [
    `delete from published.player_battle where ${ofCup}`,
    `delete from published.club_battle where ${ofCup}`,
  ],
  'rows of pages': [
    `delete from published.player_tournament where tournament = '${slug}'`,
    `delete from published.search`,
    `update published.player set name = null`,
  ],
  // Only the case of letters changes.
  'names of guests': [`update published.search set label = upper(label) where is_guest`],
  'all but the index rows': [
    'truncate published.tournament, published.standings, published.participant, published.battle, published.club',
  ],
  'all but the documents': [
    'truncate published.player_battle, published.club_battle, published.player_tournament, published.player',
  ],
  'numbers of factions': [
    `delete from published.tournament_factions where tournament = '${slug}'`,
    'delete from published.faction_placement',
    'delete from published.faction_month where month < (select max(month) from published.faction_month)',
  ],
  'the single rows': ['delete from published.list_revision', 'delete from published.derivation'],
  'a name that is no JSON': [
    String.raw`update published.tournament set document = replace(document, '"name":"', '"name":"\x')
      where slug = '${slug}'`,
    String.raw`update published.club set document = replace(document, '"name":"', '"name":"\x')`,
  ],
};

for (const [what, statements] of Object.entries(deletions)) {
  test(`after ${what} went by hand, an import waits for nothing, and publishing everything heals it`, async () => {
    const before = await readScopes(client);
    for (const statement of statements) await client.query(statement);
    for (const told of [
      { ...cup, description: 'Told again.' },
      { ...other, description: 'Another.' },
    ]) {
      await tell(told);
    }
    await tell(cup, other);
    await publishEverything();
    assert.deepEqual(differences(whole, await publishedRows(client)), []);
    const { answers, revisions } = changedScopes(before, await readScopes(client));
    assert.deepEqual(
      answers.filter((name) => !revisions.includes(name)),
      [],
    );
  });
}

test('after the battles of a running tournament went by hand, its next result is published', async () => {
  await client.query("delete from published.battle where tournament = 'still-open'");
  const [first] = open.battles ?? [];
  assert.ok(first);
  await tell({ ...open, battles: [{ ...first, table: 77 }, ...(open.battles ?? []).slice(1)] });
  await tell(open);
  await publishEverything();
  assert.deepEqual(differences(whole, await publishedRows(client)), []);
});

test('publishing everything removes rows that belong to nothing', async () => {
  await client.query(`
    insert into published.standings values ('no-such', 's', '{}', '{}', '{}', '{1}');
    insert into published.participant values ('no-such-2', 's', 'p', '{}', 0, '{}');
    insert into published.battle values ('no-such-b', 'no-such-3', '2025-01-01', 0, 1, '{}', '{}', null, null, null, 1, '{}');
    insert into published.battle_detail values ('no-such-d', '{}');
    insert into published.player_battle values ('no-such-p', '2025-01-01', 0, 1, 'no-such-b2', null, null);
    insert into published.club_battle values ('no-such-c', '2025-01-01', 0, 1, 'no-such-b2');
    insert into published.player_tournament values ('no-such-p', '2025-01-01', 'no-such', true, false, null, 1, true, null, null, 0, 0, 0, '');
    insert into published.search values (false, 'no', 'tournament', 'no-such', 'No', null),
      (false, 'no', 'club', 'no-such', 'No', null), (false, 'no', 'player', 'no-such', 'No', null),
      (true, 'no', 'guest', 'no-such/p1', 'No', 'no')`);
  const spoilt = await readScopes(client);
  await publishEverything();
  assert.deepEqual(differences(whole, await publishedRows(client)), []);
  assert.ok(changedScopes(spoilt, await readScopes(client)).revisions.includes('search'));
});

test('a battle that is published with a tournament that has no mark is taken from there', async () => {
  await client.query(`update published.battle set tournament = '${other.slug}' where tournament = '${slug}'`);
  await tell({ ...cup, description: 'Told again.' });
  await tell(cup);
  await publishEverything();
  assert.deepEqual(differences(whole, await publishedRows(client)), []);
});

/** Records and publishes. Something that waits in vain is given up after a while and counts as failed. */
async function tell(...told: FeedRecord[]): Promise<void> {
  assert.deepEqual((await importLines(client, told)).refusals, []);
  assert.deepEqual((await publishBacklog(database.pool)).failed, []);
}

async function publishEverything(): Promise<void> {
  await markEverything(database.pool);
  assert.deepEqual((await publishBacklog(database.pool)).failed, []);
  const { rows } = await client.query('select * from record.mark');
  assert.deepEqual(rows, []);
}

function renamed(): Pick<TournamentRecord, 'battles'> {
  return { battles: (cup.battles ?? []).map((battle) => ({ ...battle, id: `open-${battle.id}` })) };
}

function differences(expected: string[], actual: string[]): string[] {
  const [before, after] = [new Set(expected), new Set(actual)];
  return [
    ...expected.filter((row) => !after.has(row)).map((row) => `- ${row.slice(0, 120)}`),
    ...actual.filter((row) => !before.has(row)).map((row) => `+ ${row.slice(0, 120)}`),
  ].slice(0, 10);
}
