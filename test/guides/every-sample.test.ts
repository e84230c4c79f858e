import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../../harness/guides/guide-blocks.ts';
import { allPages, allSamples, root, runOf, runs, type Sample } from '../../harness/guides/samples.ts';

// Every sample on every page is either run by a test or a proof (samples.ts), or listed with the reason why
// not.

interface NotExecuted {
  page: string;
  sections: string[];
  reason: string;
}

const listed = JSON.parse(
  readFileSync(new URL('not-executed.json', import.meta.url), 'utf8'),
) as NotExecuted[];

test('every sample is run, or listed with its reason', () => {
  const missing = allSamples().filter((sample) => runOf(sample) === undefined && !isListed(sample));
  assert.deepEqual(
    missing.map(placeOf),
    [],
    'Run it in a test (harness/guides/samples.ts), list it (not-executed.json), or call it `text` if it is output.',
  );
});

test('every block names its language', () => {
  const nameless = allPages().flatMap(({ page, text }) =>
    blocksOf(text).flatMap(({ language, line }) => (language === '' ? [`${page}:${line}`] : [])),
  );
  assert.deepEqual(nameless, []);
});

test('each entry of the list has a reason, and none is out of date', () => {
  for (const { page, sections, reason } of listed) {
    assert.ok(reason.length > 10, page);
    for (const section of sections) {
      const samples = allSamples().filter((sample) => sample.page === page && sample.section === section);
      assert.ok(
        samples.some((sample) => runOf(sample) === undefined),
        `${page}, ${section}: nothing to list`,
      );
    }
  }
});

test('each test and proof that is said to run samples exists and takes them from their page', () => {
  const proofs = readFileSync(path.join(root, 'scripts/prove.ts'), 'utf8');
  for (const { pages, languages, by } of runs) {
    const samples = allSamples().filter(
      (sample) => runOf(sample)?.by === by && path.posix.matchesGlob(sample.page, pages),
    );
    for (const language of languages) {
      assert.ok(
        samples.some((sample) => sample.language === language),
        `${pages} has no ${language} for ${by}`,
      );
    }
    assert.ok(existsSync(path.join(root, by)), by);
    const code = readFileSync(path.join(root, by), 'utf8');
    // A proof may read the page in its own way.
    const isProof = /^harness\/(proofs|install)\//.test(by);
    const takes = code.includes('samplesRunBy(import.meta.filename)');
    assert.ok(takes || (isProof && code.includes(path.basename(pages))), `${by} does not read ${pages}`);
    if (isProof) assert.ok(proofs.includes(path.basename(by)), `npm run prove does not know ${by}`);
  }
});

function isListed({ page, section }: Sample): boolean {
  return listed.some((each) => each.page === page && each.sections.includes(section));
}

function placeOf({ page, line, language, section }: Sample): string {
  return `${page}:${line} (${language}, "${section}")`;
}
