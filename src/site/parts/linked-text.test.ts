import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from '../html.ts';
import { linkedText } from './linked-text.ts';

/** Returns the addresses of the links in a text. */
function linksIn(text: string): (string | undefined)[] {
  return [...linkedText(text).text.matchAll(/<a href="([^"]*)" rel="nofollow noopener">/g)].map(
    ([, address]) => address,
  );
}

const cases: [text: string, ...links: string[]][] = [
  ['See https://club.example/rules.', 'https://club.example/rules'],
  ['(https://club.example/a_(b)), then', 'https://club.example/a_(b)'],
  ['[http://a.example]', 'http://a.example/'],
  [
    'https://a.example/?x=1&y=2 and HTTPS://B.example',
    'https://a.example/?x=1&amp;y=2',
    'https://b.example/',
  ],
  [
    'https://пример.example/правила',
    'https://xn--e1afmkfd.example/%D0%BF%D1%80%D0%B0%D0%B2%D0%B8%D0%BB%D0%B0',
  ],
  ['javascript:alert(1) ftp://a.example data:text/html,x www.a.example'],
  ['https:// http://? xhttps://a.example'],
  ['https://bank.example@evil.example/'],
  ['https://a.example/"><script>', 'https://a.example/'],
  ['https://a.example/\u202egnp.exe', 'https://a.example/'],
  ['https://a.example/x).),’])', 'https://a.example/x'],
];
for (const [text, ...links] of cases)
  test(`links in ${JSON.stringify(text)}`, () => assert.deepEqual(linksIn(text), links));

test('a text of brackets is read once', () => {
  assert.deepEqual(linksIn(`https://a.example/x${')'.repeat(19_900)}`), ['https://a.example/x']);
});

test('the text itself stays as it is', () => {
  const piece = fc.oneof(
    fc.constantFrom('https://a.example/x', 'http://b.example', '.', ')', '(', ' ', '\n', '"', '<b>', '&'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      assert.equal(linkedText(text).text.replaceAll(/<a [^>]*>|<\/a>/g, ''), html`${text}`.text);
    }),
  );
});
