import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lexer, type Token, walkTokens } from 'marked';

// Every link on every page leads to a file in the repository and to a heading in it. Every page that code
// mentions exists; the changelog may mention pages that no longer exist.

const root = path.resolve(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const pages = new Map(
  files.filter((file) => file.endsWith('.md')).map((page) => [page, partsOf(read(page))]),
);

test('every link and anchor of every page leads somewhere', () => {
  const wrong = [...pages].flatMap(([page, { links }]) =>
    links.flatMap((link) => {
      const problem = problemOf(page, link);
      return problem === undefined ? [] : [`${page}: ${link} (${problem})`];
    }),
  );
  assert.deepEqual(wrong, []);
  assert.ok([...pages.values()].flatMap(({ links }) => links).length > 200);
});

test('every link and picture of a page in the tarball leads to something in the tarball', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files: listed = [] } = {}] = JSON.parse(packed) as { files?: { path: string }[] }[];
  const shipped = listed.map((file) => file.path);
  const isShipped = (target: string) =>
    shipped.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`));
  const inside = [...pages].filter(([page]) => shipped.includes(page));
  assert.ok(inside.length > 50);
  const missing = inside.flatMap(([page, { links }]) =>
    links.filter((link) => isLocal(link) && !isShipped(fileOf(page, link))).map((link) => `${page}: ${link}`),
  );
  assert.deepEqual(missing, []);
});

test('every page that code, settings or a page names exists', () => {
  const named = files
    .filter((file) => file !== 'CHANGELOG.md')
    .filter((file) =>
      /\.(ts|cjs|mjs|sh|sql|ya?ml|json|service|socket|timer|md)$|Dockerfile|\.env\.example/.test(file),
    )
    .flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.-])docs\/[\w/.-]+\.md\b/g)].map(([name]) => ({ file, name })),
    );
  assert.ok(named.length > 50);
  assert.deepEqual(
    named.filter(({ name }) => !pages.has(name)).map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});

test('a missing file and a missing heading are found', () => {
  assert.equal(problemOf('docs/feed.md', 'nowhere.md'), 'no such file');
  assert.equal(problemOf('docs/feed.md', 'importing.md#nowhere'), 'no such heading');
  assert.equal(problemOf('docs/feed.md', '#nowhere'), 'no such heading');
  assert.equal(problemOf('docs/feed.md', 'importing.md#acknowledgements'), undefined);
});

const isLocal = (link: string): boolean => !/^(https?|mailto):/.test(link);

function fileOf(page: string, link: string): string {
  const [target = ''] = link.split('#');
  return target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(target));
}

function problemOf(page: string, link: string): string | undefined {
  if (!isLocal(link)) return undefined;
  const [, anchor] = link.split('#');
  const file = fileOf(page, link);
  if (!existsSync(path.join(root, file))) return 'no such file';
  if (anchor === undefined) return undefined;
  return pages.get(file)?.anchors.has(anchor) ? undefined : 'no such heading';
}

function partsOf(text: string): { links: string[]; anchors: Set<string> } {
  const links: string[] = [];
  const anchors = new Set<string>();
  void walkTokens(lexer(text), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']));
    if (token.type === 'html')
      for (const [, link = ''] of token.raw.matchAll(/ (?:src|href)="([^"]*)"/g)) links.push(link);
    if (token.type === 'heading') anchors.add(anchorOf(String(token['text'])));
  });
  return { links, anchors };
}

/**
 * Returns the anchor that code hosts generate from a heading. No page has a heading twice, because its second
 * anchor would change with the first.
 */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

test('every source file that a page names exists', () => {
  const missing = [...pages.keys()].flatMap((page) => {
    if (page === 'CHANGELOG.md') return [];
    const named = read(page).matchAll(/`([\w./-]+\.(?:ts|sql|yml))`/g);
    return [...named].flatMap(([, name = '']) =>
      name.includes('NNNN') || files.some((file) => `/${file}`.endsWith(`/${name}`))
        ? []
        : [`${page}: ${name}`],
    );
  });
  assert.deepEqual(missing, []);
});
