// Runs the four commands of docs/organisers.md as an organiser does, in a folder whose name has a space and
// an umlaut: `node harness/install/four-commands.ts [DIGEST]`. It needs no database, prints what the commands
// print, and ends with a digest of the saved pages without their clock times. With the digest of another
// machine, it fails if that one saved other pages.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Emulated or busy machines need minutes for what takes a laptop seconds. */
const patienceMs = 600_000;

/** Returns the digest of the saved pages. */
export async function runFourCommands(): Promise<string> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'wartable-'));
  try {
    const folder = path.join(scratch, 'Turnier März 1');
    const temporary = path.join(folder, 'tmp');
    await mkdir(temporary, { recursive: true });
    // If root runs this on Linux, PostgreSQL runs as nobody.
    for (const each of [scratch, folder, temporary]) await chmod(each, 0o755);
    const commands = new Commands(folder, temporary);
    await tryConvert(commands);
    await tryPreview(commands, folder);
    const digest = await trySave(commands, folder);
    await tryDemo(commands);
    return digest;
  } finally {
    await rm(scratch, { recursive: true, maxRetries: 20 });
  }
}

async function tryConvert(commands: Commands): Promise<void> {
  assert.equal(
    await commands.run('convert', '--template', '--language', 'de'),
    'event.csv\nplayers.csv\ngames.csv\n',
  );
  const feed = await commands.run('convert', '--slug', 'cup', '*.csv');
  assert.match(feed, /^\{"kind":"tournament","slug":"cup","published":false,"name":"Club Cup 2026",/);
}

async function tryPreview(commands: Commands, folder: string): Promise<void> {
  const preview = commands.start('preview', '*.csv');
  const [, address = ''] = await preview.until(/^ {2}(http:\S+)$/m);
  const page = async (below = '') => (await get(`${address}${below}`)).text();
  assert.match(await page(), /First Player/);
  const games = path.join(folder, 'games.csv');
  await writeFile(games, (await readFile(games, 'utf8')).replace('14;14', '37;14'));
  await eventually(async () => assert.match(await page('/rounds?round=2'), />37</), patienceMs);
  await preview.end();
}

/** Wine hangs while it looks up the addresses of localhost. */
const get = (address: string): Promise<Response> =>
  fetch(address.replace('//localhost:', '//127.0.0.1:'), { signal: AbortSignal.timeout(120_000) });

async function trySave(commands: Commands, folder: string): Promise<string> {
  const sheets = path.join(root, 'docs/sheets/*.csv');
  const output = await commands.run('preview', '--save', 'Seite für alle', '--new-clubs', sheets);
  assert.match(output, /^\d+ files were saved\. Open Seite für alle[\\/]index\.html\.$/m);
  await commands.untilNothingIsLeft();
  const saved = path.join(folder, 'Seite für alle');
  const digest = createHash('sha256');
  const names = (await readdir(saved)).toSorted();
  for (const name of names) {
    const content = await readFile(path.join(saved, name), 'latin1');
    digest.update(`${name}\n${content.replaceAll(/<span>Saved on .*?<\/span>|^DTSTAMP:.*$/gm, '')}\n`);
  }
  assert.ok(names.length > 100);
  return digest.digest('hex');
}

async function tryDemo(commands: Commands): Promise<void> {
  const demo = commands.start('demo');
  const [output] = await demo.until(/^[^]*Ctrl-C/);
  const [, address = ''] = /^ {2}(http\S+\/tournaments\/\S+)$/m.exec(output) ?? [];
  assert.equal((await get(address)).status, 200);
  const requests = output.match(/^curl\.exe .*$/gm) ?? [];
  if (process.platform === 'win32') assert.equal(requests.length, 3);
  // Wine has neither curl.exe nor PowerShell, but a Windows runner does.
  for (const request of process.env['CI'] ? requests : [])
    for (const [shell, ...words] of [
      ['cmd.exe', '/d', '/c'],
      ['powershell.exe', '-NoProfile', '-Command'],
    ] as const) {
      const { stdout } = await promisify(execFile)(shell, [...words, request.replace('.exe', '.exe -s -f')], {
        windowsVerbatimArguments: shell === 'cmd.exe',
        timeout: 120_000,
      });
      assert.match(stdout, /^\{"data":/);
    }
  await demo.end();
}

class Commands {
  readonly #folder: string;
  readonly #temporary: string;

  constructor(folder: string, temporary: string) {
    this.#folder = folder;
    this.#temporary = temporary;
  }

  /** Runs a command to its end. Returns what it has printed on its standard output. */
  async run(...words: string[]): Promise<string> {
    const { child, output } = this.#spawn(words);
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, words.join(' '));
    return output().replaceAll('\r\n', '\n');
  }

  start(...words: string[]) {
    const { child, output } = this.#spawn(words);
    return {
      until: async (pattern: RegExp): Promise<RegExpExecArray> => {
        await eventually(() => assert.ok(pattern.test(output()) || child.exitCode !== null), patienceMs);
        return pattern.exec(output()) ?? assert.fail(`no ${String(pattern)} in ${output()}`);
      },
      /**
       * Ends it as Ctrl-C does. On Windows no signal can do that, so there the process is killed, and its guard
       * must end PostgreSQL and delete the data.
       */
      end: async (): Promise<void> => {
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await ended;
        await this.untilNothingIsLeft();
      },
    };
  }

  async untilNothingIsLeft(): Promise<void> {
    await eventually(async () => assert.deepEqual(await readdir(this.#temporary), []), patienceMs);
  }

  #spawn(words: string[]): { child: ChildProcess; output: () => string } {
    console.log(`> wartable ${words.join(' ')}`);
    const temporary = { TEMP: this.#temporary, TMP: this.#temporary, TMPDIR: this.#temporary };
    const child = spawn(process.execPath, [path.join(root, 'src/cli.ts'), ...words], {
      cwd: this.#folder,
      env: { ...process.env, ...temporary, DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    return { child, output: () => output };
  }
}

if (import.meta.main) {
  const digest = await runFourCommands();
  console.log(`The saved pages: ${digest}`);
  const [, , wanted] = process.argv;
  if (wanted !== undefined) assert.equal(digest, wanted, 'another machine saved other pages');
}
