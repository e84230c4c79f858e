import assert from 'node:assert/strict';

/** Finds keys in any text. SECURITY.md gives the same pattern to scanners for leaked secrets. */
export const keyInText = /svc_v1_[0-9A-Za-z]{38}/;

/** Fails if a log contains a key. */
export function assertNoKey(log: string): void {
  const found = keyInText.exec(log);
  if (found)
    assert.fail(`a log line contains a key: …${log.slice(Math.max(0, found.index - 200), found.index)}`);
}
