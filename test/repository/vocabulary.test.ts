import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

// One word for one thing: what the glossary of ARCHITECTURE.md says, as far as a program can check it.

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

/** Names that several modules export although each means something else there, with the reason. */
const sharedNames: Record<string, string> = {
  date: 'a shape of the contract, and the type of a column',
  nullable: 'a shape of the contract, and a shape of the feed',
  oneOf: 'a shape of the contract, and a shape of the feed',
  text: 'a shape of the contract, and the type of a column',
};

test('no two modules of src export the same name', () => {
  const files = new Map<string, Set<string>>();
  for (const file of sources) {
    const text = textOf(file);
    const declarations = [
      ...text.matchAll(
        /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|let) (\w+)/gm,
      ),
    ];
    // An export in any other form would not be compared. Types that a module passes on are the same thing.
    assert.equal(text.match(/^export\b(?! type \{)/gm)?.length ?? 0, declarations.length, file);
    for (const [, name = ''] of declarations) {
      const found = files.get(name) ?? new Set();
      files.set(name, found.add(file));
    }
  }
  assert.ok(files.size > 500, `${files.size} exported names`);
  const shared = [...files].filter(([, those]) => those.size > 1).map(([name]) => name);
  assert.deepEqual(shared.toSorted(), Object.keys(sharedNames).toSorted());
});

/** Words that this project invented or used for several things. Texts of pages and of the feed are not checked. */
const banned = /^(comers?|deeds?|mend(ed|s)?|said|front|entrants?|stale)$/;

test('no name in src is one of the invented words', () => {
  const found = sources.flatMap((file) =>
    namesIn(textOf(file))
      .filter((name) => wordsIn(name).some((word) => banned.test(word)))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, []);
  assert.deepEqual(wordsIn('createFrontPage'), ['create', 'front', 'page']);
});

test('no name in the schema is one of the invented words', () => {
  const names = namesIn(textOf('migrations/schema.sql').replaceAll(/^--.*$/gm, ''));
  assert.ok(names.includes('mark'));
  assert.deepEqual(
    names.filter((name) => wordsIn(name).some((word) => banned.test(word))),
    [],
  );
});

test('no file or folder of src is named by one of the invented words', () => {
  const found = sources.filter((file) => file.split(/[/.-]/).some((word) => banned.test(word)));
  assert.deepEqual(found, []);
});

test('no doc comment is a fragment that needs the name below it', () => {
  const fragment = /\/\*\*[\s*]*(Of|For|As|Only|Whether|Where|Which|With|Without|By|From|In|To|Not) /;
  const all = globSync(['{src,test,harness,scripts,bench}/**/*.ts'], { cwd: root });
  const found = all.flatMap((file) =>
    (textOf(file).match(/\/\*\*[\s\S]*?\*\//g) ?? [])
      .filter((comment) => fragment.test(comment) && !isSentence(comment))
      .map((comment) => `${file}: ${comment}`),
  );
  assert.deepEqual(found, []);
});

/** A clause with a comma and a main verb may begin with one of these words: "In a dry run, nothing is recorded." */
function isSentence(comment: string): boolean {
  return /^\/\*\*[\s*]*(With|Without|By|From|In|To) [^,.]*,/.test(comment);
}

/** Returns the names in a source text, without its comments and plain strings. */
function namesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ');
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))];
}

function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((word) => word !== '');
}
