// Writes the facts as a feed, each thing once, in an order that can be imported: what is named comes before
// what names it.
import type { ClientBase } from 'pg';
import { fetchRows } from '../../database/fetch-rows.ts';
import { selected as columnsOf } from '../facts/read-table.ts';
import type { FeedRecord } from '../feed/records.ts';
import { longestText } from '../feed/scalars.ts';
import type { Table } from '../columns.ts';
import { battlePack, club, player } from '../tables.ts';
import { readCasualRows, readTournamentRows, type StoredRow } from './read-rows.ts';
import { casualBattleRecord, earlierRankings, tournamentRecord } from './to-records.ts';

export interface ExportOptions {
  /** Exports only what belongs to this source, and what that names. The default is everything. */
  source?: string;
  /** Exports only these tournaments, and what they name. */
  tournaments?: string[];
  /** Exports only tournaments that start in this window, and what they name. */
  from?: string;
  to?: string;
  /** Exports unpublished tournaments, too. */
  drafts?: boolean;
  /** Called with the path of each text that an import into another database would refuse. */
  onLongText?: (path: string) => void;
}

const rowsAtOnce = 2_000;
/** A large tournament has thousands of battles: ten at once took 450 MB. */
const tournamentsAtOnce = 3;

/** Yields the records. Call it in a transaction that reads one snapshot. */
export async function* exportFeed(client: ClientBase, options: ExportOptions): AsyncGenerator<FeedRecord> {
  const { tournaments, from, to, drafts = false, source } = options;
  const values = [tournaments ?? null, from ?? null, to ?? null, drafts, source ?? null];
  const selected = `select id from record.tournament where (slug = any($1::text[]) or $1 is null)
    and (start_date >= $2::date or $2 is null) and (start_date <= $3::date or $3 is null) and (published or $4)
    and (source = $5 or $5 is null)`;
  const casual = 'record.battle where tournament_id is null and (source = $5 or $5 is null)';
  const isPart = (tournaments ?? from ?? to) !== undefined;
  /**
   * Selects what the selected tournaments name. For a whole source, it also selects what the source owns and
   * what its casual battles name.
   */
  const only = (ofTournaments: string[], own: string, casually: string[]): string => {
    if (isPart) return ofTournaments.join(' union ');
    if (source === undefined) return '';
    const named = casually.map((column) => `select ${column} from ${casual}`);
    return [...ofTournaments, `${own} where source = $5`, ...named].join(' union ');
  };
  const ofSelected = (column: string, table: string): string =>
    `select ${column} from record.${table} where tournament_id in (${selected})`;

  const packs = only(
    [
      `select battle_pack from record.tournament where id in (${selected})`,
      ofSelected('battle_pack', 'battle'),
    ],
    'select name from record.battle_pack',
    ['battle_pack'],
  );
  yield* things('battlePack', battlePack, packs);
  const clubs = only(
    [`select organizer from record.tournament where id in (${selected})`, ofSelected('club', 'participant')],
    'select slug from record.club',
    ['club', 'first_club', 'second_club'],
  );
  yield* things('club', club, clubs);
  const players = only(
    [ofSelected('player', 'participant'), ofSelected('player', 'tournament_organizer')],
    'select id from record.player',
    ['first_player', 'second_player'],
  );
  yield* things('player', player, players);
  const slugs = `select slug as key from record.tournament where id in (${selected}) order by slug`;
  for await (const keys of keysOf(client, slugs, values, tournamentsAtOnce)) {
    const stored = await readTournamentRows(client, keys);
    for (const key of keys) {
      const one = found(stored.get(key));
      yield* longTexts(tournamentRecord(one), options);
      yield* earlierRankings(one);
    }
  }
  if (isPart) return;
  const battles =
    'select id as key from record.battle where tournament_id is null and (source = $1 or $1 is null) order by id';
  for await (const keys of keysOf(client, battles, [source ?? null], rowsAtOnce)) {
    const stored = await readCasualRows(client, keys);
    yield* keys.flatMap((key) => longTexts(casualBattleRecord(found(stored.get(key)).row), options));
  }
  for await (const rows of fetchRows<StoredRow>(client, movedThings, [drafts, source ?? null], rowsAtOnce)) {
    yield* rows.map(({ of, id, to: target }) => ({ kind: 'moved', of, id, to: target }) as FeedRecord);
  }

  async function* things(kind: FeedRecord['kind'], table: Table, some: string): AsyncGenerator<FeedRecord> {
    const [key = ''] = table.key;
    const text = `select ${columnsOf(table, 'member')} from ${table.name} t
      ${some && `where ${key} in (${some})`} order by ${key}`;
    for await (const rows of fetchRows<StoredRow>(client, text, some ? values : [], rowsAtOnce)) {
      for (const { erased, name, ...rest } of rows)
        yield* longTexts({ kind, ...rest, ...(erased ? { erased } : { name }) } as FeedRecord, options);
    }
  }
}

const isOwn = '(t.source = $2 or $2 is null)';

/**
 * Leaves out things whose new name is not in the feed, because an import would refuse them. $1 includes
 * drafts, and $2 limits them to one source.
 */
const movedThings = `select m.kind as of, m.id, m.target as to from record.moved m where case m.kind
    when 'tournament' then exists (select from record.tournament t where t.slug = m.target and (t.published or $1) and ${isOwn})
    when 'club' then exists (select from record.club t where t.slug = m.target and ${isOwn})
    else exists (select from record.player t where t.id = m.target and ${isOwn}) end order by m.kind, m.id`;

/** Yields the keys of a query, a few at once. */
export async function* keysOf(
  client: ClientBase,
  text: string,
  values: unknown[],
  atOnce: number,
): AsyncGenerator<string[]> {
  for await (const rows of fetchRows<{ key: string }>(client, text, values, atOnce))
    yield rows.map(({ key }) => key);
}

function found<Of>(stored: Of | undefined): Of {
  if (stored === undefined) throw new Error('a snapshot has lost a thing that it had');
  return stored;
}

/** Reports the texts of a record that are longer than a feed may contain. Returns the record. */
function longTexts<Of extends FeedRecord>(record: Of, { onLongText }: ExportOptions): Of[] {
  if (onLongText) walk(record, '');
  return [record];

  function walk(value: unknown, at: string): void {
    if (typeof value === 'string' && value.length > longestText / 3) {
      if (Buffer.byteLength(value) > longestText) onLongText?.(`${nameOf(record)}${at}`);
    } else if (Array.isArray(value))
      for (const [index, each] of value.entries()) walk(each, `${at}[${index}]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) walk(each, `${at}.${key}`);
    }
  }
}

const nameOf = (record: FeedRecord): string =>
  `${record.kind} ${'slug' in record ? record.slug : 'id' in record ? record.id : ''}`;
