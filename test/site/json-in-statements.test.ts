import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { entryOfPage } from '../../src/site/participant/statements.ts';
import * as ofTournament from '../../src/site/tournament-parts/statements.ts';

// What a page shows was derived at publishing. A statement that digs into JSON derives something again.

const bars = { all: 64, statement: 8 };
const castOrCall = /::jsonb?\b|\bjsonb?_[a-z_]+\(|\b(?:row_to_json|to_jsonb?)\(|\$\{whole\(/g;
const countIn = (text: string) => text.match(castOrCall)?.length ?? 0;

test('the SQL of site and read has few casts to JSON and JSON functions', () => {
  const counts = ['src/site', 'src/read'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => ({ file, count: countIn(readFileSync(`${folder}/${file}`, 'utf8')) }))
      .filter(({ count }) => count > 0),
  );
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  assert.ok(all > 20, 'it finds some');
  assert.ok(all <= bars.all, `${all}: ${counts.map(({ file, count }) => `${file} ${count}`).join(', ')}`);
});

test('so has each statement of a tournament page', () => {
  for (const { name, text } of [...Object.values(ofTournament), entryOfPage]) {
    const count = countIn(text);
    assert.ok(count <= bars.statement, `${name}: ${count}`);
  }
});
