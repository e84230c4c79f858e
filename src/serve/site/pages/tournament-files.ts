import type { Battle, BattlePlayer } from '../../../contract/battle.ts';
import type { Participant } from '../../../contract/participant.ts';
import type { BoardRow, BracketMatch, Standings } from '../../../contract/standings.ts';
import { parseStored } from '../../documents/page-address.ts';
import type { Statement } from '../../documents/reader.ts';
import { attachment, type Cell, csv, csvType } from '../csv.ts';
import { isSlug, type MadePage, type PageRoute } from '../page.ts';
import {
  battlesOfFile,
  type FileRow,
  participantsOfFile,
  standingsOfFile,
} from '../statements/tournament-files.ts';

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
    ofRows('participants', participantsOfFile, (rows) => csv(participantHeader, participantRows(rows))),
    ofRows('battles', battlesOfFile, (rows) => csv(battleHeader, battleRows(rows))),
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
  if (stage.type === 'board') return csv(boardHeader, (data as BoardRow[]).map(boardCells));
  return csv(bracketHeader, (data as BracketMatch[]).map(bracketCells));
}

const boardHeader = [
  'rank',
  'group',
  'player',
  'playerId',
  'faction',
  'battlePoints',
  'wins',
  'draws',
  'losses',
  'victoryPoints',
  'victoryPointsDiff',
] as const satisfies (keyof BoardRow)[];

function boardCells(row: BoardRow): Cell[] {
  return boardHeader.map((name) => row[name]);
}

const bracketHeader = ['round', 'table', 'player1', 'player2', 'winner', 'battle'];

function bracketCells({ round, table, players: [first, second], winner, battle }: BracketMatch): Cell[] {
  return [round, table, first, second, winner, battle];
}

const participantHeader = [
  'player',
  'playerId',
  'club',
  'group',
  'dropped',
  'finalPlacement',
  'faction',
  'subFaction',
  'points',
  'battleTacticCards',
  'text',
];

function* participantRows(rows: FileRow[]): Generator<Cell[]> {
  for (const { document } of rows) {
    if (document !== null) yield participantCells(JSON.parse(document) as Participant);
  }
}

function participantCells({ list, ...row }: Participant): Cell[] {
  return [
    row.player,
    row.playerId,
    row.club,
    row.group,
    row.dropped,
    row.finalPlacement,
    list?.faction,
    list?.subFaction,
    list?.points,
    list?.battleTacticCards.join('; '),
    list?.text,
  ];
}

const battleFields = ['id', 'date', 'stage', 'round'] as const satisfies (keyof Battle)[];
const moreBattleFields = ['scenario', 'battlePack', 'battleSize', 'winner', 'victorySize'] as const;
const sideFields = [
  'player',
  'playerId',
  'faction',
  'subFaction',
  'outcome',
  'battlePoints',
  'victoryPoints',
  'objectivePoints',
  'battleTacticsScored',
  'grandStrategy',
  'grandStrategyScored',
  'drops',
  'role',
] as const satisfies (keyof BattlePlayer)[];

const battleHeader = [...battleFields, 'table', ...moreBattleFields, 'side', ...sideFields, 'metrics'];

/** One row for each side. */
function* battleRows(rows: FileRow[]): Generator<Cell[]> {
  for (const { document, table = null } of rows) {
    if (document !== null) yield* sidesOf(parseStored<Battle>(document), table);
  }
}

function sidesOf(battle: Omit<Battle, 'url'>, table: number | null): Cell[][] {
  return battle.players.map((side, index) => [
    ...battleFields.map((name) => battle[name]),
    table,
    ...moreBattleFields.map((name) => battle[name]),
    index + 1,
    ...sideFields.map((name) => side[name]),
    Object.keys(side.metrics).length === 0 ? null : JSON.stringify(side.metrics),
  ]);
}
