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
