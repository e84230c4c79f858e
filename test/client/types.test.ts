import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { existsSync, globSync } from 'node:fs';
import { tablesOf } from '../../harness/guides/guide-blocks.ts';
import { atEnd } from '../../harness/support/at-end.ts';

// Uses the clients in a project that has nothing else.

const root = path.resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-client-'));
atEnd(() => rm(folder, { recursive: true }));
for (const file of ['wartable.mjs', 'wartable.d.mts', 'wartable.py'])
  await copyFile(path.join(root, 'docs/recipes/client', file), path.join(folder, file));
const mypy = '/usr/bin/mypy';
const run = promisify(execFile);

test('the clients stay short', async () => {
  for (const [file, most] of [
    ['wartable.mjs', 210],
    ['wartable.py', 160],
  ] as const) {
    const lines = (await readFile(path.join(folder, file), 'utf8')).trimEnd().split('\n');
    assert.ok(lines.length <= most, `${file} has ${lines.length} lines`);
    assert.deepEqual(
      lines.filter((line) => line.length > 120),
      [],
    );
  }
});

test('wartable.mjs has types in an empty project, and standings narrow by kind', async () => {
  await writeFile(path.join(folder, 'main.mts'), program);
  for (const module of ['nodenext', 'esnext']) {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022'],
      types: [],
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module,
      ...(module === 'esnext' && { moduleResolution: 'bundler' }),
    };
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['main.mts'] }),
    );
    for (const compiler of ['tsc', 'tsc6']) {
      const said = await run(path.join(root, 'node_modules/.bin', compiler), ['-p', folder]).catch(
        ({ stdout }: { stdout: string }) => ({ stdout }),
      );
      assert.equal(said.stdout, '', `${compiler}, ${module}`);
    }
  }
});

test(
  'wartable.py and the recipes pass mypy --strict',
  { skip: !existsSync(mypy) && 'there is no mypy on this machine' },
  async () => {
    await writeFile(path.join(folder, 'main.py'), pythonProgram);
    const recipes = globSync('docs/recipes/*.py', { cwd: root }).map((file) => path.join(root, file));
    const flags = ['--strict', '--python-version', '3.10', '--cache-dir', path.join(folder, 'cache')];
    const { stdout } = await run(
      mypy,
      [...flags, path.join(folder, 'wartable.py'), path.join(folder, 'main.py'), ...recipes],
      {
        env: { MYPYPATH: folder },
      },
    );
    assert.match(stdout, /^Success: no issues found in \d+ source files\n$/);
  },
);

test('the README lists every name that differs between the two languages', async () => {
  const read = (file: string) => readFile(path.join(root, 'docs/recipes/client', file), 'utf8');
  const [types = '', python = '', readme = ''] = await Promise.all(
    ['wartable.d.mts', 'wartable.py', 'README.md'].map(read),
  );
  const [table = []] = tablesOf(readme);
  const cells = table.map((row) => row.map((cell) => cell.replaceAll('`', '')) as [string, string]);
  const inPython = (name: string) => new Map(cells).get(name) ?? name;
  const all = (text: string, pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
  ];
  const [, error = '', client = ''] = types.split(/^export class /m);
  const [, errorInPython = '', , ...clientInPython] = python.split(/^class /m);

  // Only JavaScript has `signal`, as the README says about `watch`.
  const options = all(client, /\b(\w+)\?: /g).filter((name) => !['options', 'signal'].includes(name));
  const methods = clientInPython.join('').match(/^ {4}def (__init__|[a-z]).*$/gm) ?? [];
  const keywords = all(methods.join('\n'), /, ([a-z]\w*): [^=:]+ = /g);
  assert.deepEqual(options.map(inPython).toSorted(), keywords.toSorted());
  const members = ['message', ...all(error, /^ {2}(\w+): /gm)];
  const attributes = all(errorInPython, /\bself\.(\w+)/g).filter((name) => name !== 'is_passing');
  assert.deepEqual(members.map(inPython).toSorted(), attributes.toSorted());
  // The table contains these and no others.
  assert.deepEqual(
    cells.map(([name]) => name).toSorted(),
    ['baseUrl', ...[...options, ...members].filter((name) => inPython(name) !== name)].toSorted(),
  );
  assert.match(python, /def __init__\(self, base_url: str, key: str, /);
});

const program = `
import { Wartable, WartableError, type Battle, type Change } from './wartable.mjs';

const api = new Wartable({ baseUrl: 'https://api.example.org', key: 'svc_v1_x' });
const limited: Wartable = new Wartable({ baseUrl: '', key: '', timeoutSeconds: 5, pageSize: undefined });
for await (const { slug, stages } of api.tournaments.list({ status: 'ongoing', from: undefined })) {
  const standings = await api.tournaments.standings(slug, { stage: stages[0]?.id });
  if (standings.kind === 'board') {
    const rank: number | null | undefined = standings.data[0]?.rank;
    // @ts-expect-error: a row of a board has no winner
    standings.data[0]?.winner;
    void rank;
  } else {
    const winner: string | null | undefined = standings.data[0]?.winner;
    // @ts-expect-error: a match has no rank
    standings.data[0]?.rank;
    void winner;
  }
}
const battles: Battle[] = [];
for await (const battle of api.players.battles('p', { from: '2026-01-01' })) battles.push(battle);
const sides: [unknown, unknown] | undefined = battles[0]?.players;
const list: string | undefined = (await api.battles.get('b')).players[0].list?.text;
let pending: Change[] = [];
const news = await api.changes(null, { pending, wanted: ({ kind }) => kind === 'battle' });
pending = news.pending;
for (const thing of news.data) {
  if (thing.kind === 'battle') { const id: string | undefined = thing.document?.id; void id; }
  // @ts-expect-error: a tournament has a slug, and no id
  if (thing.kind === 'tournament') thing.document?.id;
}
const error = new WartableError('x');
const facts: [number, string, string | null, number | null] = [error.status, error.code, error.requestId, error.retryAfter];
// @ts-expect-error: no such status
api.tournaments.list({ status: 'over' });
// @ts-expect-error: no such filter
api.clubs.tournaments('c', { status: 'ongoing' });
// @ts-expect-error: the rows come one by one
(await api.clubs.battles('c')).data;
export { limited, sides, list, facts };
`;

const pythonProgram = `
from wartable import Changes, Wartable, WartableError

api = Wartable("https://api.example.org", "svc_v1_x", timeout_seconds=5)
for tournament in api.tournaments.list(status="ongoing", from_="2026-01-01"):
    kind: str = api.tournaments.standings(tournament["slug"], stage="swiss")["kind"]
news: Changes = api.changes(None, pending=[], wanted=lambda entry: entry["kind"] == "battle")
seconds: float | None = WartableError("x").retry_after
api.clubs.tournaments("c", status="x")  # type: ignore[call-arg]
`;
