import type { Battle } from '../contract/battle.ts';
import { type BattleSide, sideColumns, sidesOf } from '../read/battle-sides.ts';
import { parseStored } from '../read/page-address.ts';
import { type CsvColumn, csvHeader, csvLine } from '../text/csv.ts';

/** A query, and the files that its rows become. */
interface Source {
  /**
   * The query for `month` and `document`, ordered by date so that each month is one run of rows. A unique key
   * comes last in the order.
   */
  text: string;
  outputs: readonly Output[];
}

export interface Output {
  kind: string;
  extension: 'ndjson' | 'csv';
  /** The text before the first line. */
  header: string;
  lines: (row: SourceRow) => string[];
}

export interface SourceRow {
  /** A month such as 2026-04. Null for rows without a date. */
  month: string | null;
  document: string;
  /** Present only for a battle: its full form, and the number of its table. */
  detail?: string;
  table?: number | null;
}

const monthOf = (date: string): string =>
  `case when isfinite(${date}) then to_char(${date}, 'YYYY-MM') end as month`;
/**
 * Builds a query for the parts of tournaments. Their documents do not name the tournament, so its slug is
 * inserted; it contains nothing that JSON has to escape. PostgreSQL can run a lateral join only as a loop, so
 * the rows keep the order of the tournaments, and no documents have to be sorted.
 */
const partsOf = (table: string, key: string): string => `
  select ${monthOf('t.start_date')}, '{"tournament":"' || t.slug || '",' || substr(part.document, 2) as document
  from (select slug, start_date from published.tournament order by start_date, slug) t
  cross join lateral (select document from published.${table} where tournament = t.slug order by ${key}) part`;

const documents = (kind: string, line: (row: SourceRow) => string = ({ document }) => document): Output => ({
  kind,
  extension: 'ndjson',
  header: '',
  lines: (row) => [`${line(row)}\n`],
});

const columns: CsvColumn<BattleSide>[] = [
  { header: 'tournament', cell: ({ battle }) => battle.tournament },
  ...sideColumns,
];

export const fileSources: readonly Source[] = [
  {
    text: `select null as month, document from published.club order by slug`,
    outputs: [documents('clubs', withoutAddress)],
  },
  {
    text: `select ${monthOf('start_date')}, document from published.tournament order by start_date, slug`,
    outputs: [documents('tournaments', withoutAddress)],
  },
  { text: partsOf('standings', 'stage'), outputs: [documents('standings')] },
  { text: partsOf('participant', 'sort_key, id'), outputs: [documents('participants')] },
  {
    // Only keys are sorted here, because a second copy of the documents of ten million battles would not fit
    // on many disks.
    text: `select ${monthOf('b.date')}, b.table_number as table,
        (select document from published.battle where id = b.id) as document,
        (select document from published.battle_detail where id = b.id) as detail
      from (
        select id, date, table_number from published.battle order by date, tournament, stage_order, round, id
      ) b`,
    outputs: [
      documents('battles', withoutAddress),
      documents('battle-details', ({ detail = '' }) => withoutAddress({ document: detail })),
      {
        kind: 'battle-sides',
        extension: 'csv',
        header: csvHeader(columns),
        lines: ({ document, table = null }) =>
          sidesOf(parseStored<Battle>(document), table).map((side) => csvLine(columns, side)),
      },
    ],
  },
];

/**
 * Removes `url`, the last member, because addresses are settings of a server. No text inside the document can
 * look like it, because quotes in texts are escaped.
 */
function withoutAddress({ document }: Pick<SourceRow, 'document'>): string {
  return `${document.slice(0, document.lastIndexOf(',"url":"'))}}`;
}
