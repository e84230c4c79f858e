import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientBase } from 'pg';
import { inOrder } from '../../src/database/row.ts';
import { Changes } from '../../src/publish/changes.ts';
import { battlePack, club, type player, type RowOf } from '../../src/record/tables.ts';
import { upsertRows } from '../../src/record/write/write-rows.ts';

const nowhere = { slug: 'tidewatch', name: 'Tidewatch', description: '', website: null, members: 12 };

test('cells go into the order of the columns, not of the row', () => {
  const row: RowOf<typeof club> = { country: 'Iceland', city: 'Vik', ...nowhere };
  const cells = ['tidewatch', 'Tidewatch', '', 'Vik', 'Iceland', null, 12];
  assert.deepEqual(inOrder<string>(Object.keys(club.columns), row), cells);
});

// The type checker tests the rest: `npm run check` fails when one of these lines is no error.

// @ts-expect-error a missing column
void ({ ...nowhere, city: 'Vik' } satisfies RowOf<typeof club>);
// @ts-expect-error a misspelt column
void ({ ...nowhere, city: 'Vik', contry: 'Iceland' } satisfies RowOf<typeof club>);
// @ts-expect-error a column of another table
void ({ id: 'ana-q', name: 'Ana', erased: false, city: 'Vik' } satisfies RowOf<typeof player>);
// @ts-expect-error a row by position
void (['ana-q', 'Ana', false] satisfies RowOf<typeof player>);

void ((client: ClientBase, players: RowOf<typeof player>[]) =>
  // @ts-expect-error rows of one table for another
  upsertRows<typeof battlePack, { name: string }>(client, battlePack, players, ['name']));

const changes = new Changes();
// @ts-expect-error a missing column
changes.add('standings', { tournament: 'open', stage: 'swiss' });
// @ts-expect-error a misspelt column
changes.add('standings', { tournament: 'open', stag: 'swiss', document: '{}' });
// @ts-expect-error a key without one of its columns
changes.remove('standings', { tournament: 'open' });
// @ts-expect-error a key with a column that is not in it
changes.remove('standings', { tournament: 'open', stage: 'swiss', document: '{}' });
