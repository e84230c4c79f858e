import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientBase } from 'pg';
import { valuesInOrder } from '../../src/database/row.ts';
import { Changes } from '../../src/publish/changes.ts';
import {
  as,
  boolean,
  type FactsOf,
  integer,
  type MembersOf,
  of,
  or,
  type RowOf,
  table,
  text,
} from '../../src/record/columns.ts';
import type {
  ArmyListEntry,
  BattleEntry,
  CasualBattleRecord,
} from '../../src/record/feed/tournament-records.ts';
import {
  battlePack,
  type battleColumns,
  type player,
  type battleSideColumns,
  type WholeList,
} from '../../src/record/tables.ts';
import { merged, rowOf } from '../../src/record/write/rows.ts';
import { upsertRows } from '../../src/record/write/write-rows.ts';

const banner = table({
  name: 'record.banner',
  key: ['slug'],
  columns: {
    slug: text,
    group_name: as('group', text),
    motto: or(text, ''),
    sewn_year: or(integer, null),
    colours: or(of<string[]>('text[]'), ['red']),
    is_torn: or(boolean, false),
    stitches: or(of<{ count: number }>('jsonb'), null),
  },
});

const sent = { slug: 'tidewatch', group: 'A' };
/** A record of the feed. */
interface Banner {
  slug: string;
  group: string;
  motto?: string | null;
  sewnYear?: number | null;
  colours?: string[];
  isTorn?: boolean;
  stitches?: { count: number } | null;
}

test('a row has what was sent under the names of the columns, and the defaults', () => {
  const least: Banner = sent;
  assert.deepEqual(rowOf(banner, least), {
    slug: 'tidewatch',
    group_name: 'A',
    motto: '',
    sewn_year: null,
    colours: '{"red"}',
    is_torn: false,
    stitches: null,
  });
  const most: Banner = {
    ...sent,
    motto: null,
    sewnYear: 1998,
    colours: ['a"b', 'c\\d'],
    stitches: { count: 2 },
  };
  assert.deepEqual(rowOf(banner, most), {
    slug: 'tidewatch',
    group_name: 'A',
    motto: '',
    sewn_year: 1998,
    colours: '{"a\\"b","c\\\\d"}',
    is_torn: false,
    stitches: '{"count":2}',
  });
});

test('a member that is left out keeps its recorded value, null takes the default', () => {
  const before: FactsOf<typeof banner> = {
    slug: 'tidewatch',
    group: 'A',
    motto: 'Hold',
    sewnYear: 1998,
    colours: ['blue'],
    isTorn: true,
    stitches: { count: 2 },
  };
  assert.deepEqual(merged<typeof banner, Banner>(banner, sent, before), before);
  const nulls: Banner = { ...sent, motto: null, sewnYear: null, isTorn: false, stitches: null };
  assert.deepEqual(merged(banner, nulls, before), {
    ...before,
    motto: '',
    sewnYear: null,
    isTorn: false,
    stitches: null,
  });
});

test('cells go into the order of the columns, not of the row', () => {
  const row: RowOf<typeof battlePack> = {
    grand_strategies: true,
    name: 'Almanac',
    battle_tactics: false,
    objectives: true,
  };
  assert.deepEqual(valuesInOrder<string>(Object.keys(battlePack.columns), row), [
    'Almanac',
    true,
    false,
    true,
  ]);
});

// The type checker tests the rest: `npm run check` fails if one of these lines is not an error.

const whole: Required<Banner> = {
  ...sent,
  motto: '',
  sewnYear: 1998,
  colours: [],
  isTorn: false,
  stitches: null,
};
// @ts-expect-error the feed does not have a member of the table
void ((given: Omit<Banner, 'sewnYear'>) => rowOf(banner, given));
// @ts-expect-error the table does not have a member of the feed
void ((given: Banner & { founder?: string }) => rowOf(banner, given));
// @ts-expect-error a member without a default is missing
void ((given: Omit<Banner, 'slug'> & { slug?: string }) => rowOf(banner, given));
// @ts-expect-error a member of another type
void (() => rowOf(banner, { ...whole, sewnYear: '1998' }));
// @ts-expect-error facts have every member
void ({ ...sent, motto: '', sewnYear: null, isTorn: true, stitches: null } satisfies FactsOf<typeof banner>);
// @ts-expect-error facts are null only where the column may be
void ({ ...whole, motto: null } satisfies FactsOf<typeof banner>);

// The rows of battles are written by hand. These lines fail if the feed has a member that no column holds.
type None<Of extends never> = Of;
void ((unrecorded: None<Exclude<keyof SideEntry, keyof MembersOf<typeof battleSideColumns> | 'erased'>>) =>
  unrecorded);
void ((unrecorded: None<Exclude<keyof Entry, keyof MembersOf<typeof battleColumns> | 'sides' | 'kind'>>) =>
  unrecorded);
void ((unrecorded: None<Exclude<keyof ArmyListEntry, keyof WholeList | 'faction'>>) => unrecorded);
type Entry = BattleEntry & CasualBattleRecord;
type SideEntry = BattleEntry['sides'][0] & CasualBattleRecord['sides'][0];

// @ts-expect-error a missing column
void ({ name: 'Almanac', objectives: true, battle_tactics: true } satisfies RowOf<typeof battlePack>);
// @ts-expect-error a column of another table
void ({ id: 'ana-q', name: 'Ana', erased: false, city: 'Vik' } satisfies RowOf<typeof player>);
// @ts-expect-error a row by position
void (['ana-q', 'Ana', false] satisfies RowOf<typeof player>);
// @ts-expect-error a key that is no column
void (() => table({ name: 'record.banner', key: ['slog'], columns: { slug: text } }));

void ((client: ClientBase, players: RowOf<typeof player>[]) =>
  // @ts-expect-error rows of one table for another
  upsertRows(client, battlePack, players, ['name']));

const changes = new Changes();
// @ts-expect-error a missing column
changes.add('standings', { tournament: 'open', stage: 'swiss' });
// @ts-expect-error a misspelt column
changes.add('standings', { tournament: 'open', stag: 'swiss', document: '{}' });
// @ts-expect-error a key without one of its columns
changes.remove('standings', { tournament: 'open' });
// @ts-expect-error a key with a column that is not in it
changes.remove('standings', { tournament: 'open', stage: 'swiss', document: '{}' });
