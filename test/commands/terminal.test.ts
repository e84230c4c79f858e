import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgress } from '../../src/commands/progress.ts';
import { tableLines } from '../../src/commands/table.ts';

const head = ['id', 'account'];
const rows = [
  ['1', 'Club site'],
  ['20', 'Ticker'],
];

test('a table that fits has aligned columns', () => {
  assert.deepEqual(tableLines(head, rows, 13), ['id  account', '1   Club site', '20  Ticker']);
});

test('a name gives no commands to a terminal and begins no line', () => {
  const named = [['1', 'A\u001b[31m\nB']];
  assert.deepEqual(tableLines(head, named, Infinity), ['id  account', '1   A\uFFFD[31m\uFFFDB']);
});

test('on a terminal that is too narrow, each row is a block', () => {
  assert.deepEqual(tableLines(head, rows, 12), [
    'id       1',
    'account  Club site',
    '',
    'id       20',
    'account  Ticker',
  ]);
  assert.deepEqual(tableLines(head, [], 5), ['id  account']);
});

for (const [what, stream, terminal] of [
  ['a file', { isTTY: false }, 'xterm'],
  ['a terminal that cannot rewrite a line', { isTTY: true, columns: 80 }, 'dumb'],
] as const) {
  test(`${what} gets whole lines and no control characters`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'] });
    const { progress, written } = start(stream, terminal);
    progress.show(() => 'too early');
    t.mock.timers.tick(10_001);
    progress.show(() => 'half');
    progress.print('a warning');
    progress.end();
    assert.equal(written(), 'half\na warning\n');
  });
}

test('a terminal gets one line that is rewritten, and it never wraps', async () => {
  const { progress, written } = start({ isTTY: true, columns: 10 }, 'xterm');
  await sleep(110);
  progress.show(() => 'a progress line');
  progress.print('a warning that is longer');
  assert.equal(written(), 'a progres\r\u001b[Ka warning that is longer\n');
});

function start(stream: { isTTY: boolean; columns?: number }, terminal: string) {
  let text = '';
  const write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  return { progress: startProgress({ ...stream, write }, terminal), written: () => text };
}
