import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, rowsOf, withColumns } from './columns.ts';

interface Row {
  name: string | null;
  points?: number;
  dropped?: true;
}

const rows: Row[] = [{ name: 'Ann', points: 0 }, { name: null, points: 3, dropped: true }, { name: 'Cy' }];

test('rows come back as they were, also through JSON: what a row lacks stays absent, and null stays null', () => {
  assert.deepEqual(rowsOf(columnsOf(rows)), rows);
  assert.deepEqual(rowsOf(JSON.parse(JSON.stringify(columnsOf(rows))) as ReturnType<typeof columnsOf>), rows);
  assert.deepEqual(rowsOf(columnsOf([])), []);
});

test('a member that every row has is stored as a list, another one by the number of the row', () => {
  assert.deepEqual(columnsOf(rows), {
    count: 3,
    columns: { name: ['Ann', null, 'Cy'], points: { 0: 0, 1: 3 }, dropped: { 1: true } },
  });
});

test('columns belong to as many rows as they were made from', () => {
  assert.throws(() => withColumns([{}], columnsOf(rows)), /1 rows cannot have columns of 3/);
});
