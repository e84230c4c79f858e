// Battles as spreadsheet rows, one for each side, with the API's names as headers.
import type { Battle, BattlePlayer } from '../contract/battle.ts';
import type { CsvCell, CsvColumn } from '../text/csv.ts';

export interface BattleSide {
  battle: Omit<Battle, 'url'>;
  side: BattlePlayer;
  number: number;
  table: number | null;
}

export function sidesOf(battle: Omit<Battle, 'url'>, table: number | null): BattleSide[] {
  return battle.players.map((side, index) => ({ battle, side, number: index + 1, table }));
}

export const sideColumns: CsvColumn<BattleSide>[] = [
  ...ofBattle('id', 'date', 'stage', 'round'),
  { header: 'table', cell: ({ table }) => table },
  ...ofBattle('scenario', 'battlePack', 'battleSize', 'winner', 'victorySize'),
  { header: 'side', cell: ({ number }) => number },
  ...ofSide('player', 'playerId', 'faction', 'subFaction', 'outcome', 'battlePoints', 'victoryPoints'),
  ...ofSide('objectivePoints', 'battleTacticsScored', 'grandStrategy', 'grandStrategyScored'),
  ...ofSide('drops', 'role'),
  {
    header: 'metrics',
    cell: ({ side: { metrics } }) => (Object.keys(metrics).length === 0 ? null : JSON.stringify(metrics)),
  },
];

type NamesOfCells<T> = { [Name in keyof T & string]: T[Name] extends CsvCell ? Name : never }[keyof T &
  string];

function ofBattle(...names: NamesOfCells<BattleSide['battle']>[]): CsvColumn<BattleSide>[] {
  return names.map((header) => ({ header, cell: ({ battle }) => battle[header] }));
}

function ofSide(...names: NamesOfCells<BattlePlayer>[]): CsvColumn<BattleSide>[] {
  return names.map((header) => ({ header, cell: ({ side }) => side[header] }));
}
