// Compares a feed that contains everything with what is recorded. Things are compared as they come, and their
// keys are kept in a separate file, so that memory does not grow with the feed.
import type { ClientBase } from 'pg';
import { keysOf } from '../export/export.ts';
import { readCasualRows, readTournamentRows, type StoredRow } from '../export/read-rows.ts';
import { type More, readRows } from '../facts/read-table.ts';
import { parseLine } from '../feed/parse-line.ts';
import { problemLine } from '../feed/problem.ts';
import { type FeedInput, readLines, type Line } from '../feed/read-lines.ts';
import type {
  BattlePackRecord,
  ClubRecord,
  FeedRecord,
  PlayerRecord,
  TournamentRecord,
} from '../feed/records.ts';
import type { CasualBattleRecord, RankingRecord } from '../feed/tournament-records.ts';
import { type Table, text } from '../columns.ts';
import { battlePack, club, player, tournamentTables } from '../tables.ts';
import { rowOf } from '../write/rows.ts';
import { type SentErasure, forGood, staysErased } from '../write/write-clubs-players-packs.ts';
import {
  casualDifference,
  namedGuests,
  namedSides,
  rankingDifference,
  rowDifference,
  tournamentDifference,
} from './differences.ts';
import { mainSource } from '../sources/ownership.ts';
import { recordKey, type Kind, recordKind, Seen } from './seen.ts';

export interface RecordWindow {
  from?: string | undefined;
  to?: string | undefined;
}

interface CompareOptions extends RecordWindow {
  /**
   * The source of the feed. What belongs to other sources cannot be missing from it. The default is `main`.
   */
  source?: string;
}

export interface Report {
  /** Called with the first member that differs. */
  onDifference: (kind: Kind, key: string, member: string) => void;
  onlyInFeed: (kind: Kind, key: string) => void;
  /** Called only after a whole feed, first for battles and tournaments, then for what they name. */
  onlyRecorded: (kind: Kind, key: string) => void;
  /** Called with each reason why the feed does not contain everything. */
  onProblem: (line: string) => void;
  /**
   * Called for a person who is erased here although the feed names them. This does not count as a difference.
   */
  onStillNamed: (who: string) => void;
}

type Thing = BattlePackRecord | ClubRecord | PlayerRecord | TournamentRecord | CasualBattleRecord;
type Comparable = Thing | RankingRecord;

const recordsAtOnce = 500;
/** A large tournament has thousands of battles: ten at once took 450 MB. */
const tournamentsAtOnce = 3;

export interface Compared {
  /** The number of records in the feed. */
  records: number;
  /**
   * The number of things that the source owns (within the window, only tournaments), without erased players.
   * Undefined if the feed is not whole.
   */
  owned?: number;
}

/** Compares a feed. Call it in a transaction that reads one snapshot. */
export async function compareFeed(
  client: ClientBase,
  { name: file, chunks }: FeedInput,
  { source = mainSource, ...window }: CompareOptions,
  found: Report,
): Promise<Compared> {
  const seen = new Seen();
  const comparison = new Comparison(client, found);
  let isWhole = true;
  const problem = (line: number, message: string): void => {
    isWhole = false;
    found.onProblem(problemLine(file, line, { path: '', message }));
  };
  let end: { line: number; records: number } | undefined;
  let records = 0;
  let last = 0;
  try {
    for await (const lines of readLines(chunks)) {
      for (const line of lines) {
        last = line.number;
        if (line.bytes?.length === 0) continue;
        const parsed = read(line);
        if (end) {
          problem(line.number, 'expected nothing after the end, found a line');
          continue;
        }
        if (typeof parsed !== 'string' && parsed.kind === 'end') {
          end = { line: line.number, records: parsed.records };
          continue;
        }
        // A refused line is a problem of its own, but it counts as a record that arrived.
        records += 1;
        if (typeof parsed === 'string') problem(line.number, parsed);
        else if (parsed.kind !== 'moved') {
          const wrong =
            notComparable(parsed, window) ?? (parsed.kind === 'ranking' ? undefined : seen.add(parsed));
          if (wrong === undefined) await comparison.add(parsed as Comparable);
          else problem(line.number, wrong);
        }
      }
    }
    await comparison.end();
    if (!end) problem(last + 1, 'expected {"kind":"end","records":…} as the last line: the feed is cut');
    else if (end.records !== records) {
      const cut = records < end.records ? ': the feed is cut' : '';
      problem(end.line, `expected ${end.records} records before the end, found ${records}${cut}`);
    }
    return isWhole ? { records, owned: await findSurplus(client, source, window, seen, found) } : { records };
  } finally {
    seen.close();
  }
}

function read(line: Line): FeedRecord | string {
  if (!line.bytes) return 'expected a shorter line';
  const parsed = parseLine(line.bytes, line.last);
  if ('record' in parsed) return parsed.record;
  return parsed.problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}

/** Says why this record cannot be part of a feed that contains everything. */
function notComparable(record: FeedRecord, window: RecordWindow): string | undefined {
  if (recordKind(record) === undefined && record.kind !== 'ranking')
    return `expected whole things, as \`wartable feed export\` writes them, found ${record.kind === 'battle' ? 'a battle of a tournament' : record.kind}`;
  const { from, to } = window;
  if (record.kind !== 'tournament' || (from ?? to) === undefined) return undefined;
  const date = record.startDate;
  const isInside = date && date >= (from ?? date) && date <= (to ?? date);
  return isInside ? undefined : `expected a tournament that starts in the window, found "${record.slug}"`;
}

/** Compares a few things at once, because one costs as many statements as a batch. */
class Comparison {
  readonly #client: ClientBase;
  readonly #found: Report;
  #waiting: Comparable[] = [];
  #tournaments = 0;

  constructor(client: ClientBase, found: Report) {
    this.#client = client;
    this.#found = found;
  }

  async add(record: Comparable): Promise<void> {
    this.#waiting.push(record);
    if (record.kind === 'tournament') this.#tournaments += 1;
    if (this.#waiting.length >= recordsAtOnce || this.#tournaments >= tournamentsAtOnce) await this.end();
  }

  async end(): Promise<void> {
    const records = this.#waiting;
    this.#waiting = [];
    this.#tournaments = 0;
    const of = <Of extends Comparable>(kind: Of['kind']): Of[] =>
      records.filter((record): record is Of => record.kind === kind);
    const packs = await this.#rows(battlePack, of<BattlePackRecord>('battlePack'));
    const clubs = await this.#rows(club, of<ClubRecord>('club'));
    const players = await this.#rows(player, of<PlayerRecord>('player'), forGood);
    const tournaments = await readTournamentRows(this.#client, keys(of<TournamentRecord>('tournament')));
    const battles = await readCasualRows(this.#client, keys(of<CasualBattleRecord>('battle')));
    const rankings = await this.#rankings(of<RankingRecord>('ranking'));
    for (const record of records) {
      const key = recordKey(record);
      switch (record.kind) {
        case 'ranking': {
          const { tournament, stage, afterRound } = record;
          const member = rankingDifference(rankings.get(`${tournament} ${stage} ${afterRound}`), record);
          if (member !== undefined) this.#found.onDifference('tournament', tournament, member);
          break;
        }
        case 'battlePack':
          this.#tell(record, packs.get(key), (row) =>
            rowDifference(battlePack, row, rowOf(battlePack, record)),
          );
          break;
        case 'club':
          this.#tell(record, clubs.get(key), (row) => clubDifference(row, record));
          break;
        case 'player':
          this.#tell(record, players.get(key), (row) => playerDifference(row, record));
          if (isStillNamed(players.get(key), record)) this.#found.onStillNamed(`player ${key}`);
          break;
        case 'tournament':
          this.#tell(record, tournaments.get(key), (stored) => tournamentDifference(stored, record));
          for (const id of namedGuests(tournaments.get(key), record))
            this.#found.onStillNamed(`participant ${id} of ${key}`);
          break;
        default:
          this.#tell(record, battles.get(key), (stored) => casualDifference(stored, record));
          for (const _ of namedSides(battles.get(key), record))
            this.#found.onStillNamed(`a guest of battle ${key}`);
      }
    }
  }

  #tell<Stored>(
    record: Thing,
    stored: Stored | undefined,
    differ: (stored: Stored) => string | undefined,
  ): void {
    if (stored === undefined) return this.#found.onlyInFeed(record.kind, recordKey(record));
    const member = differ(stored);
    if (member !== undefined) this.#found.onDifference(record.kind, recordKey(record), member);
  }

  async #rankings(records: RankingRecord[]): Promise<Map<string, StoredRow>> {
    if (records.length === 0) return new Map();
    const rest =
      'join record.tournament named on named.id = t.tournament_id where named.slug = any($1::text[])';
    const slugs = records.map(({ tournament }) => tournament);
    const rows = await readRows(this.#client, tournamentTables.rankings, [rest, [slugs]], {
      slug: ['named.slug', text],
    });
    return new Map(rows.map((row) => [`${row.slug} ${row.stage} ${row.after_round}`, row]));
  }

  async #rows<Of extends Table, Other extends More>(table: Of, records: Thing[], more?: Other) {
    const [key = ''] = table.key;
    const rest = `where ${key} = any($1::text[])`;
    const rows =
      records.length === 0 ? [] : await readRows(this.#client, table, [rest, [keys(records)]], more);
    return new Map(rows.map((row) => [String((row as StoredRow)[key]), row]));
  }
}

const keys = (records: Thing[]): string[] => records.map(recordKey);

function clubDifference(stored: StoredRow, { onlyIfNew, ...record }: ClubRecord): string | undefined {
  return onlyIfNew
    ? undefined
    : rowDifference(club, stored, rowOf(club, { ...record, name: record.name ?? '' }));
}

function playerDifference(stored: StoredRow & SentErasure, record: PlayerRecord): string | undefined {
  if (staysErased(record, stored)) return undefined;
  return rowDifference(player, stored, rowOf(player, record));
}

const isStillNamed = (stored: SentErasure | undefined, record: PlayerRecord): boolean =>
  stored !== undefined && staysErased(record, stored) && record.erased !== true && record.name !== undefined;

/**
 * Finds what the source owns and the feed lacks, and returns how many things it owns. An erased player, of
 * whom only the id is left, does not count.
 */
async function findSurplus(
  client: ClientBase,
  source: string,
  window: RecordWindow,
  seen: Seen,
  found: Report,
): Promise<number> {
  const { from, to } = window;
  const isWindow = (from ?? to) !== undefined;
  const dated = isWindow
    ? `and start_date >= coalesce($2::date, start_date) and start_date <= coalesce($3::date, start_date)`
    : '';
  const all: [Kind, string][] = [
    ['battle', 'select id as key from record.battle where tournament_id is null and source = $1 order by id'],
    ['tournament', `select slug as key from record.tournament where source = $1 ${dated} order by slug`],
    ['club', 'select slug as key from record.club where source = $1 order by slug'],
    ['battlePack', 'select name as key from record.battle_pack where source = $1 order by name'],
    ['player', 'select id as key from record.player where source = $1 and not erased order by id'],
  ];
  let owned = 0;
  for (const [kind, query] of all) {
    if (isWindow && kind !== 'tournament') continue;
    const values = isWindow ? [source, from ?? null, to ?? null] : [source];
    for await (const some of keysOf(client, query, values, 2_000)) {
      owned += some.length;
      for (const key of some) if (!seen.has(kind, key)) found.onlyRecorded(kind, key);
    }
  }
  return owned;
}
