import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { bareEnvironment } from './bare-environment.ts';
import { endDemo } from './demo.ts';
import { eventually } from './eventually.ts';

const cli = path.resolve(import.meta.dirname, '../../src/cli.ts');

export interface Preview {
  /** Returns what it has printed so far, on both outputs. */
  output: () => string;
  /** Waits until it has printed this after what it had printed at the last call. */
  untilSaid: (pattern: RegExp) => Promise<RegExpExecArray>;
  kill: () => void;
  /** Ends it as Ctrl-C does. */
  end: () => Promise<void>;
}

/** Starts `wartable preview` in this folder. Its PostgreSQL is in the subfolder `tmp`. */
export async function startPreview(folder: string, ...args: string[]): Promise<Preview> {
  const child = spawn(process.execPath, [cli, 'preview', ...args], {
    cwd: folder,
    env: { ...bareEnvironment, TMPDIR: await temporaryFolder(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let heard = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    output: () => output,
    untilSaid: async (pattern) => {
      await eventually(() => {
        assert.ok(pattern.test(output.slice(heard)) || child.exitCode !== null);
      });
      const found = pattern.exec(output.slice(heard));
      assert.ok(found, `no ${String(pattern)} in ${output}`);
      heard += found.index + found[0].length;
      return found;
    },
    kill: () => child.kill('SIGKILL'),
    end: () => endDemo(child, 'SIGINT'),
  };
}

/**
 * Creates a temporary directory that everybody can enter, because PostgreSQL runs as nobody if root runs the
 * tests.
 */
export async function temporaryFolder(folder: string): Promise<string> {
  const temporary = path.join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  for (const each of [folder, temporary]) await chmod(each, 0o755);
  return temporary;
}
