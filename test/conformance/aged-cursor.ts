import assert from 'node:assert/strict';
import { createCursors, type CursorPosition } from '../../src/api/cursor.ts';
import { testCursorSecret } from '../../harness/support/server.ts';

/** Returns the cursor of a `next` as the server would have written it that many hours ago. */
export function agedCursor(next: string | null, hours: number): string {
  assert.ok(next);
  const { pathname, searchParams } = new URL(next);
  const given = searchParams.get('cursor') ?? '';
  // The position is between a header of 5 bytes and a signature of 16.
  const bytes = Buffer.from(given, 'base64url').subarray(5, -16);
  const position = JSON.parse(bytes.toString('utf8')) as CursorPosition;
  const cursors = createCursors([testCursorSecret], () => Date.now() - hours * 3_600_000);
  return cursors.cursorEpoch(`${pathname}?`).write(position);
}
