import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markEverything, markOutdated } from '../../src/publish/mark-all.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { importLines } from '../../harness/support/feed.ts';
import { publishedRows } from '../../harness/support/published.ts';
import { client, cup, database, publish } from './small-world.ts';

// After an upgrade, documents are derived again only if the version of their kind was raised. What the test
// damages in the others stays damaged, because nobody looks at it.

const pairing = (id: string, first: string, second: string) => ({
  id,
  stage: 'swiss',
  round: 1,
  sides: [{ participant: first }, { participant: second }],
});
const open = {
  kind: 'tournament',
  slug: 'open',
  published: true,
  name: 'The Open',
  status: 'ongoing',
  battleSize: 1000,
  organizer: cup.organizer ?? null,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Guest ${id}` })),
  battles: [pairing('open-1', 'a', 'b'), pairing('open-2', 'c', 'd')],
} satisfies TournamentRecord;
await tell(open);
await publish();
// Stores the versions, as the import does.
await markEverything(database.pool);
assert.equal((await publish()).rows, 0);

const events = [cup, open];
/** One battle from each event. Another one gets a result. */
const spoiltBattles = events.map(({ battles }) => battles[0]?.id ?? '').toSorted();
const spoil = {
  battles: ['battle', 'battle_detail']
    .map(
      (table) =>
        `update published.${table} set document = document || ' ' where id in ('${spoiltBattles.join("', '")}')`,
    )
    .join(';'),
  tournaments: `
    update published.tournament set document = document || ' ';
    update published.standings set view = view || ' ';
    update published.participant set document = document || ' '`,
  clubs: `update published.club set document = document || ' '`,
  casualBattles: `update published.battle set document = document || ' ' where tournament is null`,
};
const lower = {
  tournaments: `update published.tournament set derivation = derivation - 1`,
  battles: `update published.tournament set battle_derivation = battle_derivation - 1`,
  clubs: `update published.derivation set version = version - 1 where kind = 'club'`,
  casualBattles: `update published.derivation set version = version - 1 where kind = 'battle'`,
};
const sound = await publishedRows(client);
const countOf = (table: string) => sound.filter((row) => row.startsWith(`${table} `)).length;
const [clubs, tournaments] = [countOf('club'), countOf('tournament')];

test('after a new version of tournaments everything of them is derived again but their battles', async () => {
  await client.query(spoil.battles);
  const expected = await publishedRows(client);
  const revisions = await battleRevisions();
  await client.query(`${spoil.tournaments}; ${lower.tournaments}`);
  await markOutdated(database.pool);
  assert.deepEqual(await marked(), { [`tournament ''`]: tournaments });
  assert.deepEqual((await publish()).failed, []);
  assert.deepEqual(await publishedRows(client), expected);
  assert.deepEqual(await battleRevisions(), revisions);
});

test('after a new version of battles those of tournaments are derived again', async () => {
  await client.query(lower.battles);
  await markOutdated(database.pool);
  assert.deepEqual(await marked(), { tournament: tournaments });
  assert.deepEqual((await publish()).failed, []);
  assert.deepEqual(await publishedRows(client), sound);
});

test('after a new version of clubs only clubs are derived again, after one of battles no club', async () => {
  await client.query(spoil.casualBattles);
  const expected = await publishedRows(client);
  await client.query(`${spoil.clubs}; ${lower.clubs}`);
  await markOutdated(database.pool);
  assert.deepEqual(await marked(), { club: clubs });
  await publish();
  assert.deepEqual(await publishedRows(client), expected);

  await client.query(`${spoil.clubs}; ${lower.casualBattles}`);
  await markOutdated(database.pool);
  assert.deepEqual(Object.keys(await marked()), ['battle']);
  await publish();
  const rows = await publishedRows(client);
  assert.deepEqual(rows.slice(clubs), sound.slice(clubs));
  assert.equal(rows.filter((row) => sound.includes(row)).length, sound.length - clubs);
  await client.query(lower.clubs);
  await markOutdated(database.pool);
  await publish();
  assert.deepEqual(await publishedRows(client), sound);
});

test('a result for a tournament that waits for its new version is published with the rest, also of a finished one', async () => {
  await client.query(`${spoil.battles}; ${spoil.tournaments}; ${lower.tournaments}`);
  await markOutdated(database.pool);
  const results = events.map(({ slug, battles }): FeedRecord => {
    const battle = battles.at(-1);
    assert.ok(battle);
    return { kind: 'battle', tournament: slug, ...battle, finished: true, scenario: `New in ${slug}` };
  });
  await tell(...results);
  assert.deepEqual((await publish()).failed, []);
  const rows = await publishedRows(client);
  for (const { slug } of events)
    assert.ok(rows.some((row) => row.startsWith('battle ') && row.includes(`New in ${slug}`)));
  await markEverything(database.pool);
  await publish();
  const whole = new Set(await publishedRows(client));
  assert.deepEqual(
    rows.filter((row) => !whole.has(row)).map((row) => /^\w+ \([^,]*/.exec(row)?.[0]),
    ['battle', 'battle_detail'].flatMap((table) => spoiltBattles.map((id) => `${table} (${id}`)),
  );
  await markEverything(database.pool);
  assert.equal((await publish()).rows, 0);
});

test('what an older version publishes after an upgrade is derived again by the next publish of the newer one', async () => {
  // As if the next version had derived everything.
  await client.query(`
    update published.derivation set version = version + 1;
    update published.tournament set derivation = derivation + 1, battle_derivation = battle_derivation + 1`);
  await tell({ kind: 'club', slug: 'late', name: 'Late Comers' });
  assert.deepEqual((await publish()).failed, []);
  assert.deepEqual(await stamps(), { club: 1, battle: 2, tournament: 2, battlesOfTournament: 2 });
  const sides = [{ name: 'Ann' }, { name: 'Ben' }];
  await tell({ kind: 'battle', id: 'late-battle', battleSize: 1000, sides });
  assert.deepEqual((await publish()).failed, []);
  assert.deepEqual(await stamps(), { club: 1, battle: 1, tournament: 2, battlesOfTournament: 2 });
  await tell({ kind: 'battle', tournament: 'open', ...pairing('open-1', 'a', 'b'), finished: true });
  assert.deepEqual((await publish()).failed, []);
  assert.deepEqual(await stamps(), { club: 1, battle: 1, tournament: 1, battlesOfTournament: 1 });
});

/** Returns the versions with which documents are stored, for tournaments those of `open`. */
async function stamps(): Promise<unknown> {
  const { rows } = await client.query(`
    select (select version from published.derivation where kind = 'club') as club,
      (select version from published.derivation where kind = 'battle') as battle,
      derivation as tournament, battle_derivation as "battlesOfTournament"
    from published.tournament where slug = 'open'`);
  return rows[0];
}

async function tell(...records: FeedRecord[]): Promise<void> {
  assert.deepEqual((await importLines(client, records)).refusals, []);
}

/** Returns how many marks there are, by kind and part. */
async function marked(): Promise<Record<string, number>> {
  const { rows } = await client.query<{ extent: string; marks: number }>(
    `select concat_ws(' ', kind, quote_literal(part)) as extent, count(*)::integer as marks from record.mark group by 1`,
  );
  return Object.fromEntries(rows.map(({ extent, marks }) => [extent, marks]));
}

async function battleRevisions(): Promise<unknown[]> {
  return (await client.query('select id, revision from published.battle order by id')).rows;
}
