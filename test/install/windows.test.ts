import { test } from 'node:test';
import { runFourCommands } from '../../harness/install/four-commands.ts';

const skip = process.platform === 'win32' ? false : 'this is not Windows';

test('the four commands of an organiser run on Windows', { skip }, async () => {
  await runFourCommands();
});
