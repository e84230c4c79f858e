import { spawn } from 'node:child_process';
import { skippedInCi } from './skipped-tests.ts';

/**
 * Runs test files with node:test and returns the exit code. `report` is a new file for the tests that are
 * skipped.
 */
export async function runTestFiles(
  files: string[],
  flags: string[],
  environment: NodeJS.ProcessEnv,
  report: string,
): Promise<number> {
  const reporters = [
    ['spec', 'stdout'],
    [import.meta.resolve('./skipped-tests.ts'), report],
  ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  const child = spawn(process.execPath, ['--test', ...reporters, ...flags, ...files], {
    stdio: 'inherit',
    env: environment,
  });
  // Ctrl-C also reaches the child, so wait for it before cleaning up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) =>
    child.once('exit', (exitCode) => resolve(exitCode ?? 1)),
  );
  const skipped = await skippedInCi(report);
  for (const { test, why } of skipped) console.error(`Skipped in CI: ${test} (${why})`);
  if (skipped.length === 0) return code;
  console.error('In CI a skipped test is a failure. .ci/install brings what it needs, or');
  console.error('scripts/may-skip-in-ci.json lists it with its reason.');
  return code === 0 ? 1 : code;
}
