import { idPattern } from '../contract/patterns.ts';
import { fold } from '../text/fold.ts';
import { wholeNumber, yesOrNo } from './cells.ts';
import { byWord, keyOf } from './headers.ts';
import type { SheetRow } from './sheet-row.ts';
import { listText, nameOf, wordOf } from './texts.ts';

export interface Player {
  row: SheetRow;
  no: number;
  name: string;
  /** The public id of a registered player. */
  id: string | undefined;
  club: string | undefined;
  group: string | undefined;
  faction: string | undefined;
  subFaction: string | undefined;
  points: number | undefined;
  list: string | undefined;
  dropped: boolean;
  noShow: boolean;
  place: number | undefined;
}

/** By number. `ids` are those of a separate file. Undefined when a player is missing: then the games name unknown ones. */
export function playersOf(
  rows: SheetRow[],
  ids: ReadonlyMap<number, string>,
): Map<number, Player> | undefined {
  const players = new Map<number, Player>();
  const registered = new Map<string, Player>();
  const [first] = rows;
  if (first && !first.columns.includes('no')) {
    const advice = 'number the players 1, 2, 3 … once, and never change the number of a player';
    return first.refuse('no', `expected a column with a number for each player, found none (${advice})`);
  }
  let isWhole = true;
  for (const row of rows) {
    if (row.isRemark) {
      row.note('left out a row that has no number and name of a player');
      continue;
    }
    const player = playerOf(row, ids);
    isWhole &&= player !== undefined;
    if (!player) continue;
    const twin = players.get(player.no);
    if (twin) {
      row.refuse('no', `expected each number once, found ${player.no} again (first ${place(twin.row)})`);
      continue;
    }
    players.set(player.no, player);
    if (isBye(player.name)) row.note(`${JSON.stringify(player.name)} is a bye and no player`);
    const same = player.id === undefined ? undefined : registered.get(player.id);
    if (same)
      row.refuse(
        'player id',
        `expected each player once, found "${player.id}" again (first ${place(same.row)})`,
      );
    else if (player.id !== undefined) registered.set(player.id, player);
  }
  const grouped = [...players.values()].find(({ group }) => group !== undefined);
  for (const { row, group, name } of players.values()) {
    if (grouped && group === undefined && !isBye(name))
      row.cell('group').refuse('a group, because other players have one');
  }
  return isWhole ? players : undefined;
}

export const place = ({ file, line }: SheetRow): string => `in ${file}:${line}`;

function playerOf(row: SheetRow, ids: ReadonlyMap<number, string>): Player | undefined {
  const noCell = row.cell('no');
  const no =
    noCell.text === '' ? noCell.refuse('the number of this player') : wholeNumber(noCell, 1, 999_999);
  const name = wholeName(row);
  const idCell = row.cell('player id');
  const fitsId = idCell.text === '' || new RegExp(idPattern).test(idCell.text);
  if (!fitsId) idCell.refuse('the id of a registered player: letters, digits, _ and -, at most 64');
  const absent = absences.has(keyOf(row.cell('dropped').text));
  const faction = nameOf(row.cell('faction'));
  const points = wholeNumber(row.cell('points'), 0, 1_000_000);
  const list = listText(row.cell('list', true));
  if (list !== undefined && points === undefined) row.cell('points').refuse('the points of the list');
  if ((list ?? points) !== undefined && faction === undefined)
    row.cell('faction').refuse('the faction of the list');
  const player = {
    row,
    id: fitsId && idCell.text !== '' ? idCell.text : ids.get(no ?? 0),
    club: nameOf(row.cell('club')),
    group: nameOf(row.cell('group')),
    faction,
    subFaction: wordOf(row.cell('subfaction')),
    points,
    list,
    dropped: absent ? false : (yesOrNo(row.cell('dropped')) ?? false),
    noShow: absent,
    place: wholeNumber(row.cell('place'), 1, 10_000),
  };
  return no === undefined || name === undefined ? undefined : { no, name, ...player };
}

const absences = byWord({
  absent: 'no show, noshow; nicht erschienen; absent; ausente; assente; nieobecny, nieobecna',
});

/** Programs that pair may have a player of this name. */
export const isBye = (name: string): boolean => byes.has(keyOf(name));

const byes = byWord({
  bye: 'bye; freilos, spielfrei; exempt; descanso, descansa, libre; riposo; wolny los, pauza',
});

/** With two of the three columns, `name` is the missing one: "Vorname, Name" and "Nombre, Apellidos" are usual. */
function wholeName(row: SheetRow): string | undefined {
  const [name, first, last] = ['name', 'first name', 'last name'].map((column) => row.cell(column));
  const both = [
    first,
    row.columns.includes('first name') && row.columns.includes('last name') ? undefined : name,
    last,
  ];
  const text = both.flatMap((cell) => cell?.text || []).join(' ');
  const cell = name ?? row.cell('name');
  if (text === '') return cell.refuse('the name of this player');
  return nameOf({ text, refuse: cell.refuse });
}

/** How the games may name a player. Undefined for an unknown name; several when people share it. */
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

/** "Müller, Anna" is Anna Müller. */
function withoutCommas(name: string): string {
  return name.replace(/^([^,]+),([^,]+)$/, '$2 $1').replaceAll(',', ' ');
}
