import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOneAddress, withPageAddress } from './page-address.ts';

const wanted = '{"name":"A \\"url\\":\\"b","url":"https://new.example/site/clubs/north-gate"}';

test('a document is stored up to its address, and the server adds it', () => {
  const stored = '{"name":"A \\"url\\":\\"b","url":"';
  assert.equal(withPageAddress(stored, 'https://new.example/site/clubs/', 'north-gate'), wanted);
});

test('the address in a document of an older version is replaced', () => {
  const stored = '{"name":"A \\"url\\":\\"b","url":"http://localhost:3001/clubs/north-gate"}';
  assert.equal(withPageAddress(stored, 'https://new.example/site/clubs/', 'north-gate'), wanted);
});

test('among the documents of a list, only those of older versions lose an address', () => {
  const folder = 'https://new.example/battles';
  const whole = (id: string) => `{"name":"\\"url\\":\\"x\\"}${folder}/","url":"${folder}/${id}"}`;
  const older = `{"name":"y","url":"http://localhost:3001/battles/b"}${folder}/b"}`;
  assert.equal(
    withOneAddress([whole('a'), older, older, whole('c')].join('\n'), `${folder}/`),
    [whole('a'), `{"name":"y","url":"${folder}/b"}`, `{"name":"y","url":"${folder}/b"}`, whole('c')].join(
      '\n',
    ),
  );
});
