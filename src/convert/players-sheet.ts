import { idPattern } from '../contract/patterns.ts';
import { fold } from '../text/fold.ts';
import { wholeNumberInCell, yesOrNo } from './cells.ts';
import type { NamedCell } from './findings.ts';
import { byWord, headerKey } from './headers.ts';
import { type RecordedPlayer, rosterNumbers } from './roster-numbers.ts';
import type { SheetRow } from './sheet-row.ts';
import { listText, nameInCell, withoutCommas, wordOf } from './texts.ts';

export interface Player {
  row: SheetRow;
  no: number;
  name: string;
  /** The public id of a registered player. */
  id?: string | undefined;
  club?: string | undefined;
  group?: string | undefined;
  faction?: string | undefined;
  subFaction?: string | undefined;
  points?: number | undefined;
  list?: string | undefined;
  dropped: boolean;
  noShow: boolean;
  lineOfRow?: number | undefined;
}

export interface Roster {
  byNumber: ReadonlyMap<number, Player>;
  /**
   * False if some player could not be read; then the games may contain the name or the number of that player.
   */
  hasAllNames: boolean;
  hasAllNumbers: boolean;
}

/**
 * Reads the players. `ids` come from a separate file; `recorded` are the players of the recorded event, for a
 * roster without numbers.
 */
export function readPlayersSheet(
  rows: SheetRow[],
  ids: ReadonlyMap<number, string>,
  recorded: RecordedPlayer[] | undefined,
): Roster {
  const players = new Map<number, Player>();
  const registered = new Map<string, Player>();
  const unnumbered = rows.find((row) => !hasNumber(row));
  // The numbers in --players are those of the sheet.
  const lacksNumbers = unnumbered && (recorded === undefined || ids.size > 0 || rows.some(hasNumber));
  if (lacksNumbers) {
    const advice =
      'number the players 1, 2, 3 … once, and never change the number of a player; or set DATABASE_URL, so that the recorded event keeps the numbers';
    unnumbered.refuse('no', `expected a column with a number for each player, found none (${advice})`);
  }
  const named = rows.filter((row) => {
    const { text } = wholeName(row);
    const isPlayer = !row.isRemark || isOnlyName(row);
    if (!isPlayer) row.note(`left out a row that has no ${unnumbered ? '' : 'number and '}name of a player`);
    else if (isBye(text)) row.note(`${JSON.stringify(text)} is a bye and no player`);
    // The number of a bye may appear in the games.
    return isPlayer && !(unnumbered && isBye(text));
  });
  const people = named.map((row) => ({ row, name: wholeName(row).text, id: row.cell('player id').text }));
  const numbers = unnumbered && rosterNumbers(people, recorded ?? []);
  let isWhole = rows.length > 0;
  for (const row of named) {
    const player = playerOf(row, ids, numbers);
    isWhole &&= player !== undefined;
    if (!player) continue;
    const twin = players.get(player.no);
    if (twin) {
      row.refuse('no', `expected each number once, found ${player.no} again (first ${lineOfRow(twin.row)})`);
      isWhole = false;
      continue;
    }
    players.set(player.no, player);
    const same = player.id === undefined ? undefined : registered.get(player.id);
    if (same)
      row.refuse(
        'player id',
        `expected each player once, found "${player.id}" again (first ${lineOfRow(same.row)})`,
      );
    else if (player.id !== undefined) registered.set(player.id, player);
  }
  const grouped = [...players.values()].find(({ group }) => group !== undefined);
  for (const { row, group, name } of players.values()) {
    if (grouped && group === undefined && !isBye(name))
      row.cell('group').refuse('a group, because other players have one');
  }
  return { byNumber: players, hasAllNames: isWhole, hasAllNumbers: isWhole && !lacksNumbers };
}

/** Returns true if the sheet has a column of numbers. Otherwise it identifies its players by name. */
export const hasNumber = (row: SheetRow): boolean => row.columns.includes('no');

/**
 * Returns true if a row of a roster without numbers contains only a player's name, which may also be "Tom99".
 * Several words with a number or a colon are a remark.
 */
const isOnlyName = (row: SheetRow): boolean =>
  !hasNumber(row) && !row.isTotal && /^(?:[^\d:]+|[^\s:]*\p{L}[^\s:]*)$/u.test(wholeName(row).text);

export const lineOfRow = ({ file, line }: SheetRow): string => `in ${file}:${line}`;

function playerOf(
  row: SheetRow,
  ids: ReadonlyMap<number, string>,
  numbers: ReadonlyMap<SheetRow, number> | undefined,
): Player | undefined {
  const no = numbers ? numbers.get(row) : numberOf(row.cell('no'));
  const nameCell = wholeName(row);
  const name = nameCell.text === '' ? nameCell.refuse('the name of this player') : nameInCell(nameCell);
  const idCell = row.cell('player id');
  const fitsId = idCell.text === '' || new RegExp(idPattern).test(idCell.text);
  if (!fitsId) idCell.refuse('the id of a registered player: letters, digits, _ and -, at most 64');
  const absent = absences.has(headerKey(row.cell('dropped').text));
  const faction = nameInCell(row.cell('faction'));
  const points = wholeNumberInCell(row.cell('points'), 0, 1_000_000);
  const list = listText(row.cell('list', true));
  if (list !== undefined && points === undefined) row.cell('points').refuse('the points of the list');
  if ((list ?? points) !== undefined && faction === undefined)
    row.cell('faction').refuse('the faction of the list');
  const player = {
    row,
    id: fitsId && idCell.text !== '' ? idCell.text : ids.get(no ?? 0),
    club: nameInCell(row.cell('club')),
    group: nameInCell(row.cell('group')),
    faction,
    subFaction: wordOf(row.cell('subfaction')),
    points,
    list,
    dropped: absent ? false : (yesOrNo(row.cell('dropped')) ?? false),
    noShow: absent,
    lineOfRow: wholeNumberInCell(row.cell('place'), 1, 10_000),
  };
  return no === undefined || name === undefined ? undefined : { no, name, ...player };
}

const numberOf = (cell: NamedCell): number | undefined =>
  cell.text === '' ? cell.refuse('the number of this player') : wholeNumberInCell(cell, 1, 999_999);

const absences = byWord({
  absent: 'no show, noshow; nicht erschienen; absent; ausente; assente; nieobecny, nieobecna',
});

/** Returns true for a name that stands for a bye. Pairing programs may have a player with such a name. */
export const isBye = (name: string): boolean => byes.has(headerKey(name));

const byes = byWord({
  bye: 'bye; freilos, spielfrei; exempt; descanso, descansa, libre; riposo; wolny los, pauza',
});

/**
 * Joins the name of a player. If the sheet has two of the three columns, `name` is the missing part:
 * "Vorname, Name" and "Nombre, Apellidos" are usual.
 */
function wholeName(row: SheetRow): NamedCell {
  const has = (column: string): boolean => row.columns.includes(column);
  const own = has('first name') && has('last name') ? [] : ['name'];
  const columns = ['first name', ...own, 'last name'];
  const text = columns.flatMap((column) => row.cell(column).text || []).join(' ');
  const { refuse } = row.cell(['name', 'last name', 'first name'].find(has) ?? 'name');
  return { text, refuse };
}

/**
 * Finds the players whom a name in the games may mean: none for an unknown name, several if people share it.
 */
export class PlayerNames {
  readonly #byName = new Map<string, Set<Player>>();

  constructor(players: Iterable<Player>) {
    for (const player of players) {
      const words = fold(withoutCommas(player.name)).split(' ');
      const turned = [words.at(-1), ...words.slice(0, -1)].join(' ');
      for (const key of [words.join(' '), turned, fold(player.name.replaceAll(',', ' '))]) {
        const known = this.#byName.get(key) ?? new Set();
        this.#byName.set(key, known.add(player));
      }
    }
  }

  of(name: string): Player[] {
    const given = fold(withoutCommas(name));
    const exact = [...(this.#byName.get(given) ?? [])];
    const straight = exact.filter((player) => fold(withoutCommas(player.name)) === given);
    return straight.length > 0 ? straight : exact;
  }
}

/** Parses "7", "#7", "07" and "7.". Returns undefined for a name. */
export function playerNumber(text: string): number | undefined {
  const [, digits] = /^#?0*(\d{1,6})\.?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export const oneOfSeveral = (named: Player[]): string =>
  `the number ${named.map(({ no, row }) => `${no} (${lineOfRow(row)})`).join(' or ')}, because they have the same name`;

/** Returns how messages refer to a player: by number if the sheet has numbers, otherwise by name. */
export const shown = ({ row, no, name }: Player): string =>
  hasNumber(row) ? String(no) : JSON.stringify(name);

/** Returns how a row of the games sheet refers to a player: by number or by name. */
export const shownIn = (row: SheetRow, column: string, { no, name }: Player): string =>
  playerNumber(row.cell(column).text) === undefined ? JSON.stringify(name) : String(no);

/**
 * Returns a placeholder for a player who is missing in the players sheet, so that the rest of the game can be
 * checked.
 */
export const strangerOf = (row: SheetRow, name: string): Player => ({
  row,
  no: Number.NaN,
  name,
  dropped: false,
  noShow: false,
});

export const isStranger = ({ no }: Player): boolean => Number.isNaN(no);
