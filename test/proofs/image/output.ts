import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program to its end and returns what it prints. */
export async function output(program: string, given: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, given, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
