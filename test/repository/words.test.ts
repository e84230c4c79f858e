import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// One word for one thing. These words had another one, or said less than it.
const unused: [word: RegExp, instead: string][] = [
  [/\bdeeds?\b/i, 'audit entry'],
  [/\bdoubts\b|Doubts?\b/, 'warning'],
  [/[Ll]eftAlone|left_alone|\bleft alone\b/, 'down'],
  [/\bseldom\b/, 'at most every'],
  [/\btake-?[Aa]way\b/, 'downloads'],
  [/\bcreateJudge\b|\bJudgeOptions\b/, 'freshness'],
  [/\bheardAt\b|\brevisionsHeard\b/, 'last notice'],
  [/\bmarkHolders\b/, 'blockers'],
  [/\bwithholdErased/, 'drop erased'],
  [/\bleftReads\b|\bleft-reads\b/, 'abandoned reads'],
  [/\bnpm run drill\b/, 'npm run prove'],
];

/** Text about the past, and SQL that servers of the version before read. */
const exempt =
  /^(CHANGELOG\.md|migrations\/|docs\/evidence\/|package-lock|test\/repository\/words\.test\.ts)/;

test('no file uses a word that has a better one', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'docs', 'deploy', 'scripts', 'bench', '*.md'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => /\.(ts|md|yml|json)$/.test(file) && !exempt.test(file) && existsSync(file));
  assert.ok(files.length > 400);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll('audit.deed', '').replaceAll('deed as action', '');
    return unused.flatMap(([word, instead]) => {
      const line = text.split('\n').findIndex((each) => word.test(each)) + 1;
      return line === 0 ? [] : [`${file}:${line} has ${String(word)}: write "${instead}"`];
    });
  });
  assert.deepEqual(found, []);
});

// A word that named two things. Its one meaning, and the file that has it.
const oneMeaning: [name: RegExp, file: RegExp][] = [
  [/(?:function|const) fold\b/, /^src\/text\/fold\.ts$/], // makes texts comparable
  [/(?:function|const) inTransaction\b/, /^src\/database\/pool\.ts$/],
  [
    /(?:interface|type) Play\b|(?:function|const) playOf\b/,
    /^src\/publish\/derive\/play(?:-shape)?\.ts$|^src\/site\//,
  ], // of a stage, for pages
  [
    /(?:interface|type) \w*Progress\b|(?:function|const) \w*Progress\b/,
    /^src\/(?:record\/import|commands\/progress)\.ts$/,
  ], // of long work
  [
    /(?:interface|type|class) \w*Notice[sd]?\b|(?:function|const) \w*Notices?\b/,
    /^src\/(?:publish|keys|read)\//,
  ], // of PostgreSQL
  [/(?:function|const) board(?:Rows?)?\b/, /^src\/(?:publish\/derive|site|contract)\//], // standings of a stage, not a ranking for pairings
];

test('a word has one meaning', () => {
  const files = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && existsSync(file));
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return oneMeaning.flatMap(([name, home]) =>
      name.test(text) && !home.test(file) ? [`${file} declares ${String(name)}`] : [],
    );
  });
  assert.deepEqual(found, []);
});
