import assert from 'node:assert/strict';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Acknowledgements } from '../../src/commands/acknowledge.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { endOf, openImport } from '../../harness/support/open-import.ts';
import { eventually } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };

interface Acknowledgement {
  file: string;
  recorded?: number;
  refused?: number;
  problems?: { path: string; message: string }[];
  published?: number;
  line?: number;
  failed?: string;
}

const parsed = (stdout: string): Acknowledgement[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Acknowledgement);

test('a platform learns of each line whether it is recorded, refused, published or cannot be published', async () => {
  // No feed can cause this, so the fact is forged behind the importer's back.
  await database.pool.query(`create function record.forge() returns trigger language plpgsql as
    $$ begin new.website := 'not an address'; return new; end $$;
    create trigger forge before insert on record.club for each row when (new.slug = 'bad')
    execute function record.forge()`);
  const open = openImport(environment, '--acknowledge');
  const says = (expected: Acknowledgement) =>
    eventually(() => {
      const said = open.printed.stdout === '' ? [] : parsed(open.printed.stdout);
      assert.ok(
        said.some((one) =>
          Object.entries(expected).every(([name, value]) => one[name as 'recorded'] === value),
        ),
        open.printed.stdout,
      );
    });
  const file = 'standard input';
  open.stdin.write('{"kind":"club","slug":"good","name":"Good"}\n{"kind":"remove","of":"club","id":"A"}\n\n');
  await says({ file, recorded: 3 });
  await says({ file, published: 3 });
  open.stdin.write('{"kind":"player","id":"ana","name":"Ana"}\n{"kind":"club","slug":"bad","name":"Bad"}\n');
  await says({ file, recorded: 5 });
  await eventually(() => assert.match(open.printed.stdout, /"line":5,"failed":".*website/));
  open.stdin.write('{"kind":"club","slug":"fine","name":"Fine"}\n');
  await says({ file, recorded: 6 });
  assert.ok(!parsed(open.printed.stdout).some(({ published = 0 }) => published >= 5));
  open.stdin.write('{"kind":"club","slug":"bad","website":null}\n');
  await says({ file, published: 7 });
  open.stdin.end();
  const { code, stdout, stderr } = await endOf(open);
  assert.equal(code, 1);
  assert.match(stderr, /^standard input:2: id: expected/m);
  assert.match(
    stderr,
    /^5 recorded \(5 changed, 0 unchanged; 0 battles\), 1 refused, in [\d.]+ s; \d+ published, \d+ rows written\.$/m,
  );
  const all = parsed(stdout);
  const refusals = all.filter(({ refused }) => refused !== undefined);
  assert.deepEqual(refusals, [
    {
      file,
      refused: 2,
      problems: [{ path: 'id', message: 'expected a slug, found "A"' }],
    },
  ]);
  assert.ok(
    all.findIndex(({ refused }) => refused === 2) < all.findIndex(({ recorded = 0 }) => recorded >= 2),
  );
  assert.deepEqual(
    all.filter(({ failed }) => failed !== undefined).map(({ line }) => line),
    [5],
  );
  await database.pool.query('drop function record.forge cascade');
});

test('several files are acknowledged one after the other, up to their last lines', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-acknowledge-'));
  atEnd(() => rm(folder, { recursive: true }));
  const files = ['one.ndjson', 'two.ndjson'].map((name) => path.join(folder, name));
  const [one = '', two = ''] = files;
  await writeFile(one, exampleFeed());
  await writeFile(two, '{"kind":"club","slug":"last","name":"Last"}');
  const { code, stdout } = await wartable(['import', '--acknowledge', one, two], environment);
  assert.equal(code, 0);
  const lines = exampleFeed().trimEnd().split('\n').length;
  const of = (name: 'recorded' | 'published') =>
    parsed(stdout).flatMap((each) => (each[name] === undefined ? [] : [[each.file, each[name]]]));
  for (const name of ['recorded', 'published'] as const) {
    assert.deepEqual(of(name), [
      [one, lines],
      [two, 1],
    ]);
  }
  const again = await wartable(['import', '--acknowledge', two], environment);
  assert.deepEqual(parsed(again.stdout), [
    { file: two, recorded: 1, changed: 0, unchanged: 1 },
    { file: two, published: 1 },
  ]);
});

test('a dry run acknowledges nothing: the two options exclude each other', async () => {
  const { code, stdout, stderr } = await wartable(['import', '--acknowledge', '--dry-run', '-'], environment);
  assert.notEqual(code, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /'--acknowledge' cannot be used with option '--dry-run'/);
});

test('marks of others hold nothing up, and commits do not pile up behind one that cannot be published', async () => {
  const said: string[] = [];
  const acknowledgements = new Acknowledgements((line) => said.push(line.trimEnd()));
  const insert = async (key: string): Promise<number> => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into record.mark (kind, key) values ('club', $1) returning id`,
      [key],
    );
    return Number(rows[0]?.id);
  };
  const counts = { changed: 1, unchanged: 0 };
  const [mine, other, stuck] = [await insert('mine'), await insert('other'), await insert('stuck')];
  acknowledgements.recorded({ file: 'f', line: 1, ...counts, marks: [{ id: mine, line: 1 }] });
  acknowledgements.recorded({ file: 'f', line: 2, ...counts, marks: [{ id: stuck, line: 2 }] });
  await database.pool.query('delete from record.mark where id = $1', [mine]);
  await acknowledgements.look(database.pool, []);
  assert.deepEqual(said.splice(0), [
    '{"file":"f","recorded":1,"changed":1,"unchanged":0}',
    '{"file":"f","recorded":2,"changed":1,"unchanged":0}',
    '{"file":"f","published":1}',
  ]);
  for (let line = 3; line <= 600; line += 1)
    acknowledgements.recorded({ file: 'f', line, ...counts, marks: [] });
  await acknowledgements.look(database.pool, []);
  assert.equal(acknowledgements.waiting, 1);
  await database.pool.query('delete from record.mark where id = $1', [stuck]);
  said.length = 0;
  await acknowledgements.look(database.pool, []);
  assert.deepEqual(said, ['{"file":"f","published":600}']);
  await database.pool.query('delete from record.mark where id = $1', [other]);
});

test('when the reader of the acknowledgements goes away, the import says so and ends', async () => {
  const open = openImport(environment, '--acknowledge');
  open.stdin.write('{"kind":"club","slug":"heard","name":"Heard"}\n');
  await eventually(() => assert.match(open.printed.stdout, /"recorded":1/));
  open.child.stdout?.destroy();
  open.stdin.write('{"kind":"club","slug":"unheard","name":"Unheard"}\n');
  const { code, stderr } = await endOf(open);
  assert.equal(code, 2);
  assert.match(stderr, /^standard input is recorded up to line \d\.$/m);
  assert.match(
    stderr,
    /^wartable: The program that reads the acknowledgements has ended: start it and the import again\.$/m,
  );
});
