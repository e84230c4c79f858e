import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Block, blocksOf } from './guide-blocks.ts';

// Every sample on our pages, and the file that runs it.
//
// To add a page, let a test take its samples with `samplesRunBy(import.meta.filename)` and run them, and add
// a line to `runs`. A proof in harness/proofs may do the same, or read the page itself. A sample that nothing
// runs belongs in not-executed.json, with the reason.

export interface Sample extends Block {
  page: string;
}

interface Run {
  /** The path relative to the root, with `*` and `**`. */
  pages: string;
  /** All sections if not given. */
  sections?: string[];
  languages: string[];
  /** The test or proof, relative to the root. */
  by: string;
}

export const runs: Run[] = [
  {
    pages: 'docs/api/files.md',
    languages: ['sh', 'json', 'sql'],
    by: 'test/guides/files-guide.test.ts',
  },
  { pages: 'docs/api/*.md', languages: ['sh', 'js', 'json'], by: 'test/guides/guides.test.ts' },
  { pages: 'docs/api/own-site.md', languages: ['html'], by: 'test/site/embed.test.ts' },
  { pages: 'docs/api/polling.md', languages: ['mjs'], by: 'test/guides/polling-guide.test.ts' },
  { pages: 'docs/recipes/player-years.md', languages: ['sh'], by: 'test/guides/recipes.test.ts' },
  { pages: 'docs/recipes/win-rates.md', languages: ['sh'], by: 'test/guides/recipes.test.ts' },
  { pages: 'docs/recipes/client/README.md', languages: ['js', 'py'], by: 'test/guides/recipes.test.ts' },
  { pages: 'docs/recipes/discord-results.md', languages: ['sh'], by: 'test/guides/discord-recipe.test.ts' },
  { pages: 'docs/recipes/club-results.md', languages: ['sh'], by: 'test/guides/club-recipe.test.ts' },
  {
    pages: 'docs/settings.md',
    sections: ['TLS to the database'],
    languages: ['sh'],
    by: 'test/database/tls.test.ts',
  },
  { pages: 'docs/keys.md', languages: ['sh'], by: 'test/guides/operators-guide.test.ts' },
  { pages: 'docs/scale.md', languages: ['sh'], by: 'test/guides/operators-guide.test.ts' },
  { pages: 'docs/feed.md', languages: ['sh', 'ndjson'], by: 'test/guides/command-samples.test.ts' },
  {
    pages: 'docs/organisers.md',
    sections: ['A page on your own machine', 'On a web space'],
    languages: ['sh'],
    by: 'harness/install/release.ts',
  },
  {
    pages: 'docs/organisers.md',
    sections: ['On a server'],
    languages: ['sh'],
    by: 'test/guides/organisers-guide.test.ts',
  },
  { pages: 'docs/upgrading.md', languages: ['sh'], by: 'test/guides/command-samples.test.ts' },
  { pages: 'docs/demo.md', languages: ['sh'], by: 'harness/install/release.ts' },
  { pages: 'docs/backups.md', languages: ['sh'], by: 'harness/proofs/restore.ts' },
  {
    pages: 'docs/releasing.md',
    sections: ['The files'],
    languages: ['sh'],
    by: 'harness/install/release.ts',
  },
  { pages: 'docs/install.md', languages: ['bash'], by: 'test/guides/checkout-guide.test.ts' },
  { pages: 'docs/install.md', languages: ['sh'], by: 'harness/install/install-debian.ts' },
  {
    pages: 'docs/monitoring.md',
    sections: ['Sources'],
    languages: ['sh'],
    by: 'test/guides/command-samples.test.ts',
  },
  { pages: 'docs/sources.md', languages: ['sh'], by: 'test/guides/command-samples.test.ts' },
  { pages: 'docs/platform.md', languages: ['sh'], by: 'test/guides/platform-guide.test.ts' },
  { pages: 'docs/privacy.md', languages: ['sh'], by: 'test/guides/command-samples.test.ts' },
  {
    pages: 'docs/data-files.md',
    sections: ['Offer all data as files'],
    languages: ['sh'],
    by: 'test/guides/command-samples.test.ts',
  },
];

export const root = path.resolve(import.meta.dirname, '../..');

/** Returns the samples that this test or proof must run. */
export function samplesRunBy(filename: string): Sample[] {
  const own = path.relative(root, filename).replaceAll('\\', '/');
  const samples = allSamples().filter((sample) => runOf(sample)?.by === own);
  if (samples.length === 0) throw new Error(`samples.ts names no sample that ${own} runs.`);
  return samples;
}

export function runOf({ page, section, language }: Sample): Run | undefined {
  return runs.find(
    ({ pages, sections, languages }) =>
      path.posix.matchesGlob(page, pages) &&
      languages.includes(language) &&
      (sections?.includes(section) ?? true),
  );
}

/**
 * Returns all samples. Blocks in the language `text` are output or drawings that belong to the sample above
 * them.
 */
export function allSamples(): Sample[] {
  return allPages().flatMap(({ page, text }) =>
    blocksOf(text)
      .filter(({ language }) => language !== 'text')
      .map((block) => ({ page, ...block })),
  );
}

export function allPages(): { page: string; text: string }[] {
  return globSync(['*.md', 'docs/**/*.md'], { cwd: root })
    .toSorted()
    .map((page) => ({
      page: page.replaceAll('\\', '/'),
      text: readFileSync(path.join(root, page), 'utf8'),
    }));
}
