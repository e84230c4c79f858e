import type { Battle } from '../../contract/battle.ts';
import type { Participant } from '../../contract/participant.ts';
import type { BoardRow, BracketMatch, Standings } from '../../contract/standings.ts';
import { type BattleSide, sideColumns, sidesOf } from '../../read/battle-sides.ts';
import { parseStored } from '../../read/page-address.ts';
import type { Statement } from '../../read/reader.ts';
import type { CsvColumn } from '../../text/csv.ts';
import { attachment, csv, csvType } from '../parts/csv.ts';
import { isSlug, type MadePage, type PageRoute } from '../page.ts';
import { battlesOfFile, type FileRow, participantsOfFile, standingsOfFile } from './file-statements.ts';

// Files of a tournament for spreadsheets: what the API answers, field by field, under the names of the API.

export function tournamentFiles(): PageRoute[] {
  return [
    {
      path: '/tournaments/:slug/standings.csv',
      query: ['stage'],
      scope: ({ slug }) => `tournament:${slug}`,
      make: async ({ params: { slug }, query: { stage }, read }) => {
        if (!isSlug(slug)) return undefined;
        const [row] = await read<FileRow>(standingsOfFile, [slug, stage ?? null]);
        if (row?.document === undefined || row.document === null) return undefined;
        const standings = JSON.parse(row.document) as Standings;
        return file(`${slug}-${standings.stage.id}`, await standingsFile(standings));
      },
    },
    ofRows('participants', participantsOfFile, (rows) => csv(participantColumns, participantsIn(rows))),
    ofRows('battles', battlesOfFile, (rows) => csv(sideColumns, sidesIn(rows))),
  ];
}

function ofRows(name: string, statement: Statement, write: (rows: FileRow[]) => Promise<string>): PageRoute {
  return {
    path: `/tournaments/:slug/${name}.csv`,
    query: [],
    isLarge: true,
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, read }) => {
      if (!isSlug(slug)) return undefined;
      const rows = await read<FileRow>(statement, [slug]);
      return rows.length === 0 ? undefined : file(`${slug}-${name}`, await write(rows));
    },
  };
}

function file(name: string, text: string): MadePage {
  return { text, type: csvType, headers: attachment(name) };
}

async function standingsFile({ stage, data }: Standings): Promise<string> {
  return stage.type === 'board'
    ? csv(boardColumns, data as BoardRow[])
    : csv(bracketColumns, data as BracketMatch[]);
}

const boardColumns: CsvColumn<BoardRow>[] = [
  { header: 'rank', cell: ({ rank }) => rank },
  { header: 'group', cell: ({ group }) => group },
  { header: 'player', cell: ({ player }) => player },
  { header: 'playerId', cell: ({ playerId }) => playerId },
  { header: 'faction', cell: ({ faction }) => faction },
  { header: 'battlePoints', cell: ({ battlePoints }) => battlePoints },
  { header: 'wins', cell: ({ wins }) => wins },
  { header: 'draws', cell: ({ draws }) => draws },
  { header: 'losses', cell: ({ losses }) => losses },
  { header: 'victoryPoints', cell: ({ victoryPoints }) => victoryPoints },
  { header: 'victoryPointsDiff', cell: ({ victoryPointsDiff }) => victoryPointsDiff },
];

const bracketColumns: CsvColumn<BracketMatch>[] = [
  { header: 'round', cell: ({ round }) => round },
  { header: 'table', cell: ({ table }) => table },
  { header: 'player1', cell: ({ players }) => players[0] },
  { header: 'player2', cell: ({ players }) => players[1] },
  { header: 'winner', cell: ({ winner }) => winner },
  { header: 'battle', cell: ({ battle }) => battle },
];

const participantColumns: CsvColumn<Participant>[] = [
  { header: 'player', cell: ({ player }) => player },
  { header: 'playerId', cell: ({ playerId }) => playerId },
  { header: 'club', cell: ({ club }) => club },
  { header: 'group', cell: ({ group }) => group },
  { header: 'dropped', cell: ({ dropped }) => dropped },
  { header: 'finalPlacement', cell: ({ finalPlacement }) => finalPlacement },
  { header: 'faction', cell: ({ list }) => list?.faction },
  { header: 'subFaction', cell: ({ list }) => list?.subFaction },
  { header: 'points', cell: ({ list }) => list?.points },
  { header: 'battleTacticCards', cell: ({ list }) => list?.battleTacticCards.join('; ') },
  { header: 'text', cell: ({ list }) => list?.text },
];

function* participantsIn(rows: FileRow[]): Generator<Participant> {
  for (const { document } of rows) if (document !== null) yield JSON.parse(document) as Participant;
}

function* sidesIn(rows: FileRow[]): Generator<BattleSide> {
  for (const { document, table = null } of rows) {
    if (document === null) continue;
    yield* sidesOf(parseStored<Battle>(document), table);
  }
}
