import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { SheetFile } from '../../src/convert/sheet.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importText } from '../../harness/support/feed.ts';
import { dialects, feedOf, sheetsIn, withRows } from '../../harness/convert/fixtures.ts';

const { url, pool } = await createTestDatabase();
const sheets = sheetsIn('docs/sheets');

/** Imports a feed. Returns how many records changed a fact, and how many rows were published. */
async function imported(feed: string): Promise<{ marks: number; rows: number }> {
  const client = await pool.connect();
  try {
    const { refusals } = await importText(client, feed);
    assert.deepEqual(refusals, []);
    const { rows } = await client.query<{ marks: number }>('select count(*)::int as marks from record.mark');
    const published = await publishBacklog(pool);
    assert.deepEqual(published.failed, []);
    return { marks: rows[0]?.marks ?? 0, rows: published.rows };
  } finally {
    client.release();
  }
}

const change = (name: string, edit: Parameters<typeof withRows>[1]): SheetFile[] =>
  sheets.map((sheet) => (sheet.name === name ? withRows(sheet, edit) : sheet));

const namesById = async (): Promise<Map<string, string | null>> => {
  const { rows } = await pool.query<{ id: string; name: string | null }>(
    'select id, name from record.participant',
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};

test('the sheets are imported; in any dialect, a second time nothing is marked or written', async () => {
  const first = await imported(feedOf(sheets));
  assert.ok(first.marks > 0 && first.rows > 50, JSON.stringify(first));
  for (const folder of dialects) {
    assert.deepEqual(await imported(feedOf(sheetsIn(folder))), { marks: 0, rows: 0 }, folder);
  }
});

test('a corrected row changes only its battle, a deleted row goes', async () => {
  const rowsNow = async () => {
    const { rows } = await pool.query<{ id: string; battle: unknown }>(
      'select id, xmin::text || first_victory_points as battle from record.battle',
    );
    return new Map(rows.map(({ id, battle }) => [id, battle]));
  };
  const before = await rowsNow();
  await imported(
    feedOf(change('games.csv', (rows) => rows.map((row, index) => (index === 9 ? row.with(5, '15') : row)))),
  );
  const after = await rowsNow();
  const differ = [...before].filter(([id, battle]) => after.get(id) !== battle).map(([id]) => id);
  assert.equal(differ.length, 1, differ.join());
  await imported(feedOf(change('games.csv', (rows) => rows.toSpliced(9, 1))));
  assert.deepEqual(
    [...before.keys()].filter((id) => !after.has(id) || id === differ[0]),
    differ,
  );
  const { rows } = await pool.query('select from record.battle where id = $1', [differ[0]]);
  assert.equal(rows.length, 0);
});

test('an erased guest stays erased, and no other person is erased', async () => {
  await imported(feedOf(sheets));
  const erase = ['players', 'erase', '--guest', 'Elena Muñoz', '--tournament', 'autumn-cup-2026', '--yes'];
  const { code, stderr } = await wartable(erase, { DATABASE_URL: url });
  assert.equal(code, 0, stderr);
  const erased = (await namesById()).get('p5');
  assert.notEqual(erased, 'Elena Muñoz');
  const isGame = (row: string[]): boolean => row[2] !== '7' && row[3] !== '7';
  const versions: SheetFile[][] = [
    change('players.csv', (rows) => rows.toReversed()),
    change('players.csv', (rows) => [['99', 'Zoe Early'], ...rows]),
    change('players.csv', (rows) => rows.toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1))),
    // Player 7 is removed, with all games.
    change('players.csv', (rows) => rows.filter(([no]) => no !== '7')).map((sheet) =>
      sheet.name === 'games.csv' ? withRows(sheet, (rows) => rows.filter(isGame)) : sheet,
    ),
    sheets,
  ];
  for (const version of versions) {
    await imported(feedOf(version));
    const names = await namesById();
    assert.equal(names.get('p5'), erased);
    for (const [id, name] of names) if (id !== 'p5') assert.ok(name !== null && name !== erased, id);
    const { rows } = await pool.query(`select from published.participant where document like '%Elena%'`);
    assert.equal(rows.length, 0);
  }
});

test('--players and --clubs name what is recorded', async () => {
  const records = [
    '{"kind":"player","id":"ana-q","name":"Ana Quiroga"}',
    '{"kind":"club","slug":"nordtor","name":"Würfelbund Nordtor"}',
  ];
  const client = await pool.connect();
  await importText(client, `${records.join('\n')}\n`).finally(() => client.release());
  const options = {
    players: new Map([[1, 'ana-q']]),
    clubs: { known: [['nordtor', 'Würfelbund Nordtor'] as [string, string]], newClubs: false },
  };
  await imported(feedOf(sheets, options));
  const { rows } = await pool.query(`select player, name, club from record.participant where id = 'p1'`);
  assert.deepEqual(rows, [{ player: 'ana-q', name: null, club: 'nordtor' }]);
});

test('a roster without numbers keeps those of the recorded event, and an erased guest does not come back', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-roster-'));
  atEnd(() => rm(folder, { recursive: true }));
  const convertRoster = async (...names: string[]) => {
    const roster = {
      'event.csv': 'slug,roster-cup\nname,Cup\nstatus,ongoing\npublished,yes\nsize,2000\nscoring,3/1/0\n',
      'players.csv': `name\n${names.join('\n')}\n`,
      'games.csv': 'round,player 1,player 2,result\n1,Ana,Bo,W\n',
    };
    for (const [name, text] of Object.entries(roster)) await writeFile(path.join(folder, name), text);
    const files = Object.keys(roster).map((name) => path.join(folder, name));
    return wartable(['convert', ...files], { DATABASE_URL: url });
  };
  const players = async () => {
    const { rows } = await pool.query<{ player: string }>(
      `select p.id || ' ' || p.name as player from record.participant p join record.tournament t on t.id = p.tournament_id
        where t.slug = 'roster-cup' order by 1`,
    );
    return rows.map(({ player }) => player).join(', ');
  };
  await imported((await convertRoster('Ana', 'Bo', 'Elena')).stdout);
  assert.equal(await players(), 'p1 Ana, p2 Bo, p3 Elena');
  await imported((await convertRoster('Zoe', 'Elena', 'Bo', 'Ana')).stdout);
  assert.equal(await players(), 'p1 Ana, p2 Bo, p3 Elena, p4 Zoe');
  const erase = ['players', 'erase', '--guest', 'Elena', '--tournament', 'roster-cup', '--yes'];
  assert.equal((await wartable(erase, { DATABASE_URL: url })).code, 0);
  const refused = await convertRoster('Elena', 'Bo', 'Ana', 'Zoe');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /players\.csv:2: name: expected a column "no" .* because number 3 was erased/);
  // A player who has left the event keeps the number.
  await imported((await convertRoster('Zoe', 'Bo', 'Ana')).stdout);
  assert.equal(await players(), 'p1 Ana, p2 Bo, p4 Zoe');
  assert.match((await convertRoster('Zoe', 'Bo', 'Ana', 'Elena')).stderr, /because number 3 was erased/);
  const slugless = await wartable(
    [
      'convert',
      ...['event', 'players', 'games'].map((name) => path.join(folder, `${name}.csv`)),
      '--slug',
      '',
    ],
    { DATABASE_URL: url },
  );
  assert.match(slugless.stderr, /^--slug: expected /m);
  assert.doesNotMatch(slugless.stderr, /expected a column/);
});
