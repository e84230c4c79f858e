import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { settingsPage } from '../../scripts/settings-page.ts';
import { readConfig, settings } from '../../src/config/config.ts';
import { atEnd } from '../../harness/support/at-end.ts';

const root = new URL('../..', import.meta.url);
const names = Object.values(settings).map((setting) => setting.name);

test('docs/settings.md is what config/config.ts says, and a row that is missing is put back', async () => {
  const page = await readFile(new URL('docs/settings.md', root), 'utf8');
  assert.equal(settingsPage(page), page);
  assert.equal(settingsPage(page.replace(/^- `API_PORT`.*\n/m, '')), page);
});

test('.env.example names every setting once, and its values can be read', async () => {
  const text = await readFile(new URL('.env.example', root), 'utf8');
  const given = [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map((line) => [line[1], line[2]] as const);
  assert.deepEqual(
    given.map(([name]) => name),
    names,
  );
  readConfig(Object.fromEntries(given));
});

test('every mistake is named at once, and no address with a password is repeated', () => {
  const environment = {
    DATABASE_URL: 'mysql://u:secret@h/d',
    API_PORT: '70000',
    OPS_PORT: 'x',
    SITE_URL: 'ftp://x',
    DRAIN_SECONDS: '-1',
    LOG_LEVEL: 'loud',
    READ_URLS: 'postgres://u:secret@h/d,nonsense',
  };
  assert.throws(
    () => readConfig(environment),
    (error: Error) => {
      for (const name of Object.keys(environment)) assert.match(error.message, new RegExp(`${name} must be`));
      assert.ok(!error.message.includes('secret'));
      return true;
    },
  );
});

test('an empty setting counts as not given', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://u@h/d', API_PORT: '', READ_URLS: '' });
  assert.equal(config.apiPort, 3000);
  assert.deepEqual(config.readUrls, []);
  assert.throws(() => readConfig({ DATABASE_URL: '' }), /DATABASE_URL is not set/);
});

for (const [given, kept] of [
  ['https://api.example', 'https://api.example'],
  ['https://api.example/', 'https://api.example'],
  ['https://api.example//', 'https://api.example'],
  ['HTTPS://API.Example:443/Results/', 'https://api.example/Results'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000/a/../b/', 'http://[::1]:3000/b'],
] as const) {
  test(`the public address ${given} is kept as ${kept}`, () => {
    const { apiUrl, siteUrl } = readConfig({
      DATABASE_URL: 'postgres://u@h/d',
      API_URL: given,
      SITE_URL: given,
    });
    assert.deepEqual([apiUrl, siteUrl], [kept, kept]);
  });
}

for (const given of [
  'api.example',
  'localhost:3000',
  '//api.example',
  'ftp://api.example',
  'https:api.example',
  'https:/api.example',
  'https:///api.example',
  'https://',
  'https://api.example?',
  'https://api.example/?a=b',
  'https://api.example/#',
  'https://api.example/#a',
  'https://user:secret@api.example',
  'https://user@api.example',
  'https://@api.example',
  'https://api.example/a b',
  ' https://api.example',
  'https://api.example\n',
  'https://api.exa\tmple',
  'https://api.example\\a',
  'https://api.example:99999',
  'https://a,https://b',
]) {
  test(`${JSON.stringify(given)} is no public address`, () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: 'postgres://u@h/d', API_URL: given, SITE_URL: given }),
      (error: Error) => {
        for (const name of ['API_URL', 'SITE_URL']) {
          assert.match(error.message, new RegExp(`${name} must be an address such as https://.* without`));
        }
        assert.ok(!error.message.includes('secret'));
        return true;
      },
    );
  });
}

test('terms are a page; a contact is a page or a mail address', () => {
  const read = (given: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://u@h/d', ...given });
  const page = 'https://club.example/terms?lang=en#data';
  assert.equal(read({ TERMS_URL: page }).termsUrl, page);
  assert.equal(read({ CONTACT_URL: page }).contactUrl, page);
  assert.equal(read({ CONTACT_URL: 'MAILTO:a@club.example' }).contactUrl, 'mailto:a@club.example');
  assert.equal(read({}).termsUrl, undefined);
  const neither = [
    'javascript:alert(1)',
    'data:text/html,x',
    'club.example',
    '//club.example',
    'https://',
    'https:club.example',
    'https://user:secret@club.example/',
    'https://club.example/a b',
    'https://club.example/"><b>',
    'mailto:',
    'mailto:a@b@c',
    'mailto:a@club.example?body=x',
  ];
  for (const given of neither) {
    for (const name of ['TERMS_URL', 'CONTACT_URL']) {
      assert.throws(
        () => read({ [name]: given }),
        (error: Error) => error.message.includes(`${name} must be`) && !error.message.includes('secret'),
        `${name} ${given}`,
      );
    }
  }
  assert.throws(() => read({ TERMS_URL: 'mailto:a@club.example' }), /TERMS_URL must be/);
});

test('a secret may come from a file, and a file that is missing, empty or one too many is named', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-secrets-'));
  atEnd(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'secret');
  const secretNames = Object.values(settings).flatMap((each) => ('isSecret' in each ? each.name : []));
  assert.deepEqual(secretNames, ['DATABASE_URL', 'ADMIN_URL', 'READ_URLS', 'CURSOR_SECRETS', 'REDIS_URL']);
  await writeFile(file, 'postgres://u:secret@h/d\n');
  assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl, 'postgres://u:secret@h/d');
  // An editor on Windows begins a file with a byte order mark, and ends its lines with CR LF.
  await writeFile(file, '\uFEFFpostgres://u:secret@h/d\r\n');
  assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl, 'postgres://u:secret@h/d');
  // PowerShell's `>` writes UTF-16. As a secret that signs cursors, anything would do.
  await writeFile(file, `\uFEFF${'s'.repeat(40)}\r\n`, 'utf16le');
  assert.throws(
    () => readConfig({ DATABASE_URL: 'postgres://u@h/d', CURSOR_SECRETS_FILE: file }),
    /^ConfigError: CURSOR_SECRETS is read from .*, which is not UTF-8 text: save it as UTF-8\.$/,
  );
  await writeFile(file, 'postgres://u@h/d\npostgres://u@h/e\n');
  assert.throws(
    () => readConfig({ DATABASE_URL_FILE: file }),
    /^ConfigError: DATABASE_URL is read from .*, which has several lines: it must contain only the value\.$/,
  );
  await writeFile(file, 'postgres://u:secret@h/d\n');
  for (const name of secretNames) {
    const others = name === 'DATABASE_URL' ? {} : { DATABASE_URL: 'postgres://u@h/d' };
    assert.throws(
      () => readConfig({ ...others, [`${name}_FILE`]: path.join(folder, 'none') }),
      new RegExp(`^ConfigError: ${name} cannot be read from .*none, which ${name}_FILE names`),
    );
    assert.throws(
      () => readConfig({ ...others, [name]: 'given', [`${name}_FILE`]: file }),
      new RegExp(`^ConfigError: ${name} is set, and so is ${name}_FILE`),
    );
  }
  await writeFile(file, '\n');
  for (const name of secretNames)
    assert.throws(
      () => readConfig({ DATABASE_URL: 'postgres://u@h/d', [name]: undefined, [`${name}_FILE`]: file }),
      new RegExp(`^ConfigError: ${name} is read from .*secret, which is empty: `),
    );
  await writeFile(file, 'postgres://u:secret@h/d\n');
  // Only a secret may be read from a file.
  assert.equal(readConfig({ DATABASE_URL_FILE: file, API_PORT_FILE: file }).apiPort, 3000);
});
