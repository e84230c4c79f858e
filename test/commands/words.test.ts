import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { explainError } from '../../src/failures/explain.ts';
import { printable } from '../../src/commands/help/printable.ts';
import { readConfig } from '../../src/config/config.ts';
import { ListenError } from '../../src/serve/listeners.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { wartable } from '../../harness/support/command.ts';
import { fewAtOnce } from '../../harness/support/few-at-once.ts';

// Tests what a command says about a mistake in its words or settings: the whole text and the exit code. No
// case reaches a database (faults.test.ts), so most of them name one that is down.

const folder = await mkdtemp(path.join(tmpdir(), 'wartable-words-'));
atEnd(() => rm(folder, { recursive: true }));
await mkdir(path.join(folder, 'season'));
await writeFile(path.join(folder, 'feed.ndjson'), '{}\n');

const away = 'postgres://ann:hidden@127.0.0.1:1/none';
const secret = 'a-secret-of-the-tests-and-of-nobody-else';
const noUrl =
  'DATABASE_URL is not set: set it in the environment or in a .env file, like postgres://user:password@host:5432/database.';
const encoded = 'with the password percent-encoded (%23 for #, %2F for /)';
const badUrl = `must be an address such as postgres://user:password@host:5432/database, ${encoded}`;
const moment =
  'It must be a number of days, hours or minutes (90d, 12h, 30m), a date (2026-12-31) or a time (2026-12-31T18:00Z).';
const httpUrl =
  'must be an address such as https://example.org or https://example.org:8443/path, without white space, user, query or fragment';

type Case = [line: string, says: string, environment?: Record<string, string>];

const unset: Case[] = [
  'migrate',
  'import -',
  'publish',
  'tournaments unpublish cup',
  'players show ann',
  'sources',
  'serve',
  'keys create --account A',
  'keys revoke 1',
  'accounts list',
  'accounts set A --contact B',
  'audit',
]
  .map((line): Case => [line, noUrl, {}])
  .concat([
    [
      'serve',
      'CURSOR_SECRETS is not set: set it to the output of `openssl rand -hex 32`, the same on every instance.',
    ],
    ['keys list', `READ_URLS ${badUrl}.`, { DATABASE_URL: away, READ_URLS: 'ann:hidden@db' }],
  ]);

const settings = [
  [{ DATABASE_URL: 'http://ann:hidden@db' }, `DATABASE_URL ${badUrl}.`],
  [{ DATABASE_URL: 'postgres://ann:hid den@db:99999/none' }, `DATABASE_URL ${badUrl}.`],
  [{ READ_URLS: `${away},ann:hidden@replica` }, `READ_URLS ${badUrl}.`],
  [{ DATABASE_URL: 'postgres://ann:hid#den@db/none' }, `DATABASE_URL ${badUrl}.`],
  [{ DATABASE_URL: 'postgres://ann:1#hidden@db/none' }, `DATABASE_URL ${badUrl}.`],
  [{ DATABASE_URL: 'postgres://ann:1/hidden@db/none' }, `DATABASE_URL ${badUrl}.`],
  [{ READ_URLS: `${away},postgres://ann:1/hidden@db/none` }, `READ_URLS ${badUrl}.`],
  [
    { REDIS_URL: 'ann:hidden@redis' },
    `REDIS_URL must be an address such as redis://:password@host:6379, ${encoded}.`,
  ],
  [
    { REDIS_URL: 'redis://ann:1/hidden@redis' },
    `REDIS_URL must be an address such as redis://:password@host:6379, ${encoded}.`,
  ],
  [{ RATE_LIMIT: '0' }, 'RATE_LIMIT must be at least 1.'],
  [{ API_PORT: 'http' }, 'API_PORT must be a port number between 0 and 65535, not "http".'],
  [{ SITE_PORT: '65536' }, 'SITE_PORT must be a port number between 0 and 65535, not "65536".'],
  [{ OPS_PORT: '-1' }, 'OPS_PORT must be a port number between 0 and 65535, not "-1".'],
  [{ API_URL: 'https://ann:hidden@api.example' }, `API_URL ${httpUrl}.`],
  [
    { API_URL: 'https://api.example/api/v1/' },
    'API_URL must be the address before /api/v1, such as https://example.org: the server adds /api/v1.',
  ],
  [{ SITE_URL: 'example.org' }, `SITE_URL ${httpUrl}.`],
  [
    { TERMS_URL: 'https://ann:hidden@x.example' },
    'TERMS_URL must be an address such as https://example.org/terms, without white space and user.',
  ],
  [
    { CONTACT_URL: 'call us' },
    'CONTACT_URL must be an address such as https://example.org/contact or mailto:results@example.org.',
  ],
  [{ SITE_PAGES: 'yes' }, 'SITE_PAGES must be on or off, not "yes".'],
  [
    { CURSOR_SECRETS: 'hidden' },
    'CURSOR_SECRETS must have at least 32 characters in each secret: `openssl rand -hex 32` makes one.',
  ],
  [{ CURSOR_SECRETS: `${secret},${secret}` }, 'CURSOR_SECRETS must not name a secret twice.'],
  [{ RATE_LIMIT: '1000000000' }, 'RATE_LIMIT must be at most 9999999, not "1000000000".'],
  [{ MAX_CONNECTIONS: '10000000' }, 'MAX_CONNECTIONS must be at most 9999999, not "10000000".'],
  [{ CACHE_MB: '1000000' }, 'CACHE_MB must be at most 999999, not "1000000".'],
  [{ DRAIN_SECONDS: '10000' }, 'DRAIN_SECONDS must be at most 9999, not "10000".'],
  [{ CACHE_MB: 'much' }, 'CACHE_MB must be a whole number of megabytes, not "much".'],
  [{ DRAIN_SECONDS: '5s' }, 'DRAIN_SECONDS must be a number of seconds, not "5s".'],
  [{ RECONNECT_SECONDS: '\u001b[31m' }, 'RECONNECT_SECONDS must be a number of seconds, not "\u001b[31m".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud".'],
  [
    { API_PORT: 'x', SITE_PAGES: 'y' },
    '2 settings are wrong:\n  API_PORT must be a port number between 0 and 65535, not "x".\n  SITE_PAGES must be on or off, not "y".',
  ],
] as const;

const usage: Case[] = [
  ['nonsense', "Unknown command 'nonsense'. See `wartable --help`."],
  ['imprt', "Unknown command 'imprt'. Did you mean import? See `wartable --help`."],
  ['--nonsense', "Unknown option '--nonsense'. See `wartable --help`."],
  ['tournaments hide cup', "Unknown command 'hide'. See `wartable tournaments --help`."],
  ['keys svc_v1_hidden', "Unknown command 'svc_v1_(withheld)'. See `wartable keys --help`."],
  ['serve --nonsense', "Unknown option '--nonsense'. See `wartable serve --help`."],
  ['import', "Missing required argument 'file'. See `wartable import --help`."],
  ['tournaments publish', "Missing required argument 'slug'. See `wartable tournaments publish --help`."],
  ['keys create', "Required option '--account <name>' not specified. See `wartable keys create --help`."],
  ['players show --guest', "Option '--guest <name>' argument missing. See `wartable players show --help`."],
  [
    'audit extra',
    "Too many arguments for 'audit'. Expected 0 arguments but got 1: extra. See `wartable audit --help`.",
  ],
  [
    'audit --since soon',
    `Option '--since <moment>' argument 'soon' is invalid. ${moment} See \`wartable audit --help\`.`,
  ],
  [
    'keys create --account \u001b[2J',
    "Option '--account <name>' argument '\u{FFFD}[2J' is invalid. It must be a text of at most 200 characters, on one line. See `wartable keys create --help`.",
  ],
  ['keys revoke svc_v1_hidden', 'Give the id of the key, a number, as `wartable keys list` shows it.'],
  ['players show', 'Give either the id of a player or --guest with a name.'],
  [
    'import --acknowledge --dry-run -',
    "Option '--acknowledge' cannot be used with option '--dry-run'. See `wartable import --help`.",
  ],
].map(([line = '', says = '']) => [line, says]);

const files: Case[] = [
  ['import FOLDER/gone.ndjson', 'There is no file FOLDER/gone.ndjson: check the name.'],
  ['import FOLDER/feed.ndjson/x', 'There is no file FOLDER/feed.ndjson/x: check the name.'],
  ['import FOLDER/season', 'FOLDER/season is a folder: name the files in it.'],
].map(([line = '', says = '']) => [line.replace('FOLDER', folder), says.replace('FOLDER', folder)]);

for (const [what, cases] of Object.entries({ unset, usage, files })) {
  test(`${what}: each mistake is one message on standard error, and the exit code is 2`, async () => {
    await fewAtOnce(3, cases, async ([line, says, environment = { DATABASE_URL: away }]) => {
      const result = await wartable(line.split(' '), environment);
      assert.deepEqual(result, { code: 2, stdout: '', stderr: `wartable: ${says}\n` }, line);
    });
  });
}

for (const [given, says] of settings) {
  test(`a mistaken setting: ${Object.keys(given).join()} ${printable(Object.values(given).join())}`, () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: away, ...given }),
      (error) => {
        assert.deepEqual(explainError(error, 'serve'), { message: says, exitCode: 2 });
        return true;
      },
    );
  });
}

test('without a subcommand the help goes to standard error, and the exit code is 2', async () => {
  for (const group of ['', 'keys']) {
    const { code, stdout, stderr } = await wartable(group === '' ? [] : [group], {});
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^Usage: wartable ${group}`));
  }
});

test('an address with an encoded password, a socket or an @ in its query is kept as it is', () => {
  for (const address of [
    'postgres://ann:1%23%2F%40@db:5432/none',
    'postgres://ann:a@b@db/none',
    'postgres:///none?host=/var/run/postgresql&user=ann@corp',
    'postgres://db/none?options=-c%20a=b@c',
  ])
    assert.equal(readConfig({ DATABASE_URL: address }).databaseUrl, address);
});

test('a file .env with a byte order mark is read; what the environment says comes first', async () => {
  const byteOrderMark = '\uFEFF';
  await writeFile(
    path.join(folder, '.env'),
    `${byteOrderMark}DATABASE_URL=http://wrong\nAPI_PORT=wrong\nOPS_PORT=1\n`,
  );
  const cli = path.resolve('src/cli.ts');
  const env = { ...bareEnvironment, OPS_PORT: 'first' };
  await assert.rejects(promisify(execFile)(process.execPath, [cli, 'keys', 'list'], { cwd: folder, env }), {
    code: 2,
    stdout: '',
    stderr: [
      'wartable: 3 settings are wrong:',
      `  DATABASE_URL ${badUrl}.`,
      '  API_PORT must be a port number between 0 and 65535, not "wrong".',
      '  OPS_PORT must be a port number between 0 and 65535, not "first".\n',
    ].join('\n'),
  });
});

test('faults that are hard to cause have their sentence, too', () => {
  const fileFault = (code: string, syscall: string) =>
    explainError(Object.assign(new Error(code), { code, syscall, path: '/feed' }), 'import').message;
  assert.equal(
    fileFault('EBUSY', 'open'),
    'Another program is using the file /feed: close it there, then try again.',
  );
  assert.equal(
    fileFault('EACCES', 'access'),
    'The file /feed cannot be read: give this user the right to read it.',
  );
  assert.equal(
    fileFault('ENOSPC', 'write'),
    'The output cannot be written, because the disk is full: free some space, then try again.',
  );
  const listenFault = (code: string, host = '127.0.0.1') =>
    new ListenError('ops', host, 80, Object.assign(new Error('listen trouble'), { code })).message;
  const cannot = 'The private listener cannot listen on';
  assert.equal(
    listenFault('EACCES'),
    `${cannot} 127.0.0.1:80: this user may not use the port: set OPS_PORT to one above 1023.`,
  );
  assert.equal(
    listenFault('ENOTFOUND', 'here'),
    `${cannot} here:80: there is no such host: correct OPS_HOST.`,
  );
  assert.equal(
    listenFault('EINVAL', '::1'),
    `${cannot} [::1]:80: listen trouble: check OPS_HOST and OPS_PORT.`,
  );
});

test('no key, no password and no control character is printed', () => {
  assert.equal(
    printable('svc_v1_abc postgres://ann:p@ss:w/rd@db/x https://b:c@d/ \u001b[31m\r\nnext'),
    'svc_v1_(withheld) postgres://ann:(withheld)@db/x https://b:(withheld)@d/ \u{FFFD}[31m\u{FFFD}\nnext',
  );
});

test('a server that starts without a database says why it is not ready, and ends on SIGTERM with 0', async () => {
  const child = spawn(process.execPath, ['src/cli.ts', 'serve'], {
    cwd: new URL('../..', import.meta.url),
    env: {
      ...bareEnvironment,
      DATABASE_URL: away,
      CURSOR_SECRETS: secret,
      DRAIN_SECONDS: '0',
      API_PORT: '0',
      SITE_PORT: '0',
      OPS_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  for await (const chunk of child.stdout) {
    log += String(chunk);
    if (log.includes('not ready: ')) child.kill('SIGTERM');
  }
  assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0);
  assert.match(log, /"msg":"not ready: no database answers: check DATABASE_URL and that PostgreSQL runs"}\n/);
  assert.doesNotMatch(log, /hidden|"stack"|"ready"/);
});

const noFullDisk = existsSync('/dev/full') ? false : 'only Linux has /dev/full';

test('output into a full disk is an error', { skip: noFullDisk }, async () => {
  await assert.rejects(shell('feed schema > /dev/full'), {
    code: 2,
    stderr:
      'wartable: The output cannot be written, because the disk is full: free some space, then try again.\n',
  });
});

test('a reader that has read enough is no error', async () => {
  assert.deepEqual(await shell('feed schema | true'), { stdout: '', stderr: '' });
});

async function shell(line: string): Promise<{ stdout: string; stderr: string }> {
  const script = `set -o pipefail; "${process.execPath}" src/cli.ts ${line}`;
  return promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: new URL('../..', import.meta.url),
    env: bareEnvironment,
  });
}
