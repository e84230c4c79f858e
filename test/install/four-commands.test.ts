import { test } from 'node:test';
import { runFourCommands } from '../../harness/install/four-commands.ts';

// windows.yml runs the same on Windows, and compares the saved pages.
test('the four commands of an organiser run in a folder with a space and an umlaut', async () => {
  await runFourCommands();
});
