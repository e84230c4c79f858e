import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../harness/support/database.ts';
import type { Table } from '../../src/record/columns.ts';
import { battlePack, club, player, tournament, tournamentTables } from '../../src/record/tables.ts';

// The types of what is read from PostgreSQL come from the descriptions in tables.ts, so these must be
// correct.

const { pool } = await createTestDatabase();

/**
 * Columns that no feed contains: PostgreSQL assigns the number, an operator the permanent erasure, and the
 * import the digest, the source and the time at which a result arrived.
 */
const unwritten = [
  'record.tournament.id',
  'record.player.erased_for_good',
  'record.ranking.results',
  'record.battle.arrived',
  ...['club', 'player', 'battle_pack', 'tournament', 'battle'].map((table) => `record.${table}.source`),
];

test('each description has the columns of its table, with the same types, and null where null may be', async () => {
  const { rows } = await pool.query<{ table: string; column: string; type: string; nullable: boolean }>(
    `select attrelid::regclass::text as table, attname as column, format_type(atttypid, null) as type,
        not attnotnull as nullable
      from pg_attribute where attnum > 0 and not attisdropped and attrelid = any($1::text[]::regclass[])`,
    [described.map(({ name }) => name)],
  );
  const inSchema = rows.map(({ table, column, type, nullable }) =>
    line(`${table}.${column}`, type, nullable),
  );
  const inTables = described.flatMap(({ name, list }) =>
    list.map(({ column, type, fallback }) => line(`${name}.${column}`, type, fallback === null)),
  );
  const differing = [
    ...inTables.filter((each) => !inSchema.includes(each)).map((each) => `tables.ts alone has ${each}`),
    ...inSchema
      .filter((each) => !inTables.includes(each) && !unwritten.some((name) => each.startsWith(`${name} `)))
      .map((each) => `schema.sql alone has ${each}`),
  ];
  assert.deepEqual(differing, []);
});

const described: Table[] = [club, player, battlePack, tournament, ...Object.values(tournamentTables)];

const line = (name: string, type: string, nullable: boolean): string =>
  `${name} ${type}${nullable ? ' or null' : ''}`;
