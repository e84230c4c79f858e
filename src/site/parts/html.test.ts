import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Html, href, html, type HtmlValue, joined, json } from '../html.ts';

test('text is escaped, for elements and for attributes in quotes', () => {
  const name = `<img src=x onerror="a('b')">&`;
  assert.equal(
    html`<p title="${name}">${name}</p>`.text,
    `<p title="&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</p>`,
  );
});

test('HTML, numbers and lists are written; nothing, null and false are not', () => {
  const items: HtmlValue[] = ['<a>', html`<b>`, 0, null, undefined, false, [1, '&']];
  assert.equal(html`[${items}]`.text, '[&lt;a&gt;<b>01&amp;]');
  assert.equal(joined([html`<i>`, 'a<'], ' · ').text, '<i> · a&lt;');
});

test('other code cannot make HTML of its own', () => {
  assert.throws(() => new Html('<b>', Symbol('other') as never), /only the tag/);
});

test('a link goes to http, https or a path of this site, and nowhere else', () => {
  assert.equal(href('https://club.example/a b'), 'https://club.example/a%20b');
  assert.equal(href('/clubs/a'), '/clubs/a');
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    '//other.example',
    '/\\other.example',
    'club.example',
    'mailto:a@b.example',
    'http://',
    'ftp://a.example',
    '',
    null,
  ];
  for (const address of refused) assert.equal(href(address), undefined, String(address));
});

test('JSON in a page cannot end its element', () => {
  assert.equal(json({ name: '</script><!--' }).text, '{"name":"\\u003c/script>\\u003c!--"}');
});
