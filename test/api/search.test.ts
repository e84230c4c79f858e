import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hitsOf, type SearchRow, searchWithDetails } from '../../src/read/search-with-details.ts';
import { maxLookedAt, searchValues } from '../../src/read/search.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { fold } from '../../src/text/fold.ts';
import { searchTexts } from '../../src/text/search.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';

const database = await createTestDatabase();
/** The longest name that a feed may contain, in characters of four bytes. */
const long = '𐐀'.repeat(200);

async function rowsOf(query: string): Promise<SearchRow[]> {
  const values = searchValues(query);
  if (values === null) return [];
  const { rows } = await database.pool.query<SearchRow>(searchWithDetails.text, values);
  return rows;
}

async function find(query: string): Promise<string[]> {
  return hitsOf(await rowsOf(query)).map(({ kind, key, name }) => `${kind} ${key} ${name}`);
}

test('search finds what is published, by every word, and forgets it', async () => {
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Club Ibañeta' },
    { kind: 'club', slug: 'x'.repeat(100), name: long },
    { kind: 'player', id: 'ibai', name: 'Ibai O’Brien' },
    { kind: 'player', id: 'unseen', name: 'Ibai Unseen' },
    {
      kind: 'tournament',
      slug: 'open',
      published: true,
      name: 'Iban Open',
      status: 'planned',
      battleSize: 1000,
      participants: [{ id: 'a', player: 'ibai' }],
    },
  ]);
  const all = ['club ibaneta Club Ibañeta', 'player ibai Ibai O’Brien', 'tournament open Iban Open'];
  assert.deepEqual(await find('IBA'), all);
  assert.deepEqual(await find('obr'), []);
  for (const query of ['o br', 'br o', 'brien ibai', 'ib o b']) assert.deepEqual(await find(query), [all[1]]);
  assert.deepEqual(await find(long), [`club ${'x'.repeat(100)} ${long}`]);
  assert.deepEqual(await find('i'), []);
  // The old rows are found by the name in the old document, whatever that name contains.
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Iba "x", \\ \n "name":"y"' },
    { kind: 'tournament', slug: 'open', name: '"Iba\\"' },
  ]);
  assert.equal((await find('iba')).length, 3);
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Club Ibaneta' },
    { kind: 'tournament', slug: 'open', published: false },
  ]);
  assert.deepEqual(await find('iba'), ['club ibaneta Club Ibaneta']);
});

test('rows that were left by hand show no hidden thing and no old name', async () => {
  await database.pool.query(`insert into published.search (is_guest, folded, kind, key, label) values
    (false, 'hidden cup', 'tournament', 'open', 'Hidden Cup'),
    (false, 'hidden club', 'club', 'ibaneta', 'Hidden Club'),
    (false, 'hidden anna', 'player', 'unseen', 'Hidden Anna')`);
  assert.deepEqual(await find('hidden'), ['club ibaneta Club Ibaneta']);
  assert.deepEqual(await find('iba'), ['club ibaneta Club Ibaneta']);
});

// Names in ten scripts and more, names that share words, punctuation, and characters that SQL reads as
// patterns.
const names = [
  'Porto das Garças Iron Masters 2026',
  'Porto das Garças Iron Masters 2025',
  'Copa Portobelo 2026',
  'Masters of Porto',
  'Ana del Barrio Núñez',
  'Núñez García del Barrio',
  'Barrio Alto Club',
  'Żak, Łukasz',
  'Jörg von der Öhe',
  "Sinéad O'Brien-O’Neill",
  'Ярослава Миколаєнко',
  'Миколаївська Ліга 2026',
  'Νίκος Παπαδόπουλος',
  'Παπαδοπούλου Ελένη',
  '諸葛 明涛',
  '李明',
  '東京・ガーディアンズ',
  'ガーディアン 東京 2026',
  '김 민수 서울',
  '서울 오픈 2026',
  'שָׁלוֹם כהן',
  'מועדון שלום',
  'نادي الشرق ٣٤',
  'محمد الشرق',
  'नितिन शर्मा',
  'शर्मा क्लब',
  'สมชาย ใจดี',
  'Արամ Խաչատրյան',
  'ნინო ბერიძე',
  '100% Dice_Club \\ Owls',
  '100 Dice Clubs',
  '%_%',
  '🎲🎲',
  'Duran Duran',
];

function wordsOf(name: string): string[] {
  const folded = fold(name).replaceAll(/[\p{Mn}&&\p{Script=Hebrew}]/gv, '');
  const words = folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  return words.length === 0 ? folded.split(' ').filter((word) => word !== '') : words;
}

/** Finds names as the specification says, without an index. */
function oracle(query: string): string[] {
  const wanted = wordsOf(query);
  return names.filter((name) => {
    const words = wordsOf(name);
    return wanted.every((each) => words.some((word) => word.startsWith(each)));
  });
}

const labelsOf = (found: string[]) => found.map((line) => line.replace(/^club club-\d+ /, '')).toSorted();

test('words in any order, each the beginning of a word, in ten scripts', async () => {
  const clubs = names.map((name, index): FeedRecord => ({ kind: 'club', slug: `club-${index}`, name }));
  await publishFeed(database.pool, clubs);
  const wanted: [query: string, ...labels: string[]][] = [
    ['porto 2026', 'Copa Portobelo 2026', 'Porto das Garças Iron Masters 2026'],
    ['2026 masters', 'Porto das Garças Iron Masters 2026'],
    ['barrio nunez', 'Ana del Barrio Núñez', 'Núñez García del Barrio'],
    ['서울 2026', '서울 오픈 2026'],
    ['2026 東京', 'ガーディアン 東京 2026'],
    ['כהן שלום', 'שָׁלוֹם כהן'],
    ['100 club', '100 Dice Clubs', '100% Dice_Club \\ Owls'],
    ['%_%', '%_%'],
    ['% %_', '%_%'],
    ['%'],
  ];
  for (const [query, ...labels] of wanted)
    assert.deepEqual(labelsOf(await find(query)), labels.toSorted(), query);
  const beginning = fc
    .tuple(fc.constantFrom(...names.flatMap(wordsOf)), fc.integer({ min: 1, max: 6 }))
    .map(([word, length]) => Array.from(word).slice(0, length).join('').normalize());
  const someWords = fc.oneof(
    fc.array(beginning, { minLength: 1, maxLength: 4 }),
    // These words come from one name, so that most are found.
    fc
      .tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 6 }))
      .chain(([name, many, length]) =>
        fc
          .shuffledSubarray(wordsOf(name), { minLength: 1 })
          .map((words) => words.slice(0, many).map((word) => Array.from(word).slice(0, length).join(''))),
      ),
  );
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(someWords, async (words) => {
      const query = words.join(' ');
      if (searchValues(query) === null) return;
      const expected = oracle(query);
      if (expected.length > 20) return;
      compared += 1;
      const found = (await find(query)).filter((line) => line.startsWith('club club-'));
      assert.deepEqual(labelsOf(found), expected.toSorted(), query);
    }),
    { numRuns: 200 },
  );
  assert.ok(compared >= 50, `${compared} queries compared`);
});

test('the range of a frequent word is read in part, and the statement says so', async () => {
  // Two words that begin very many names, and one name far back in both ranges.
  const labels = Array.from(
    { length: maxLookedAt + 500 },
    (_, i) => `Gamma Delta ${String(i).padStart(5, '0')}`,
  );
  const things = [...labels, 'Delta Zulu Gamma', 'Gammadion Nine Delta'].map((label, i) => ({ label, i }));
  const texts = things.flatMap(({ label, i }) => searchTexts(label).map((folded) => ({ folded, label, i })));
  await database.pool.query(
    `with given as (select * from json_to_recordset($1) as row (folded text, label text, i integer)),
       people as (insert into published.player select distinct 'p-' || i, 1, label from given)
     insert into published.search select false, folded, 'player', 'p-' || i, label from given`,
    [JSON.stringify(texts)],
  );
  const rows = await rowsOf('gamma delta');
  assert.deepEqual([rows.length, rows[0]?.isCut], [21, true]);
  assert.deepEqual([hitsOf(rows).length, hitsOf(rows)[0]?.name], [20, 'Gamma Delta 00000']);
  assert.equal(hitsOf(await rowsOf('gamma delta 00007'))[0]?.name, 'Gamma Delta 00007');
  // Adjacent words in the given order are found even beyond the part that was read, and so are all the words
  // of a name in rotated order.
  assert.deepEqual(await find('zulu gamma'), [`player p-${labels.length} Delta Zulu Gamma`]);
  assert.deepEqual(await find('gamma zulu'), [`player p-${labels.length} Delta Zulu Gamma`]);
  const [nothing] = await rowsOf('gamma xylo');
  assert.deepEqual([nothing?.isCut, nothing?.kind], [true, null]);
  const [few] = await rowsOf('zulu');
  assert.equal(few?.isCut, false);
});
