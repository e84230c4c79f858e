import assert from 'node:assert/strict';
import { test } from 'node:test';

import { examples } from '../../scripts/openapi/examples.ts';
import type { Standings } from '../../src/contract/standings.ts';

// Callers are advised to do this in docs/api/joining.md. `npm run check` is part of the test, because it
// fails if the types do not narrow.

test("'rank' in row tells the row of a board from the match of a bracket", () => {
  const { board, bracket } = examples.getTournamentStandings;
  assert.equal(firstOf(board?.value as Standings), 'Inês Carvalho (Lanternsworn)');
  assert.deepEqual(ranksOf(board?.value as Standings), [1, 2, 3, null]);
  assert.equal(firstOf(bracket?.value as Standings), 'Semi-final: Inês Carvalho');
});

function firstOf(standings: Standings): string | undefined {
  for (const row of standings.data)
    return 'rank' in row ? `${row.player} (${row.faction})` : `${row.round}: ${row.winner}`;
  return undefined;
}

function ranksOf(standings: Standings): (number | null)[] {
  if (standings.stage.type !== 'board') return [];
  // @ts-expect-error: a member of `stage` does not narrow `data`.
  return standings.data.map(({ rank }) => rank);
}
