import type {
  BattleEntry,
  ByeEntry,
  ParticipantEntry,
  TournamentSide,
} from '../../src/record/feed/tournament-records.ts';
import type { SheetFile } from '../../src/convert/sheet.ts';
import type { WholeTournament } from '../../src/world/event/whole-tournament.ts';

// Writes a tournament as an organiser would: three sheets, in one of several dialects. Each person gets a
// number.

export interface Dialect {
  separator: ',' | ';' | '\t';
  lineEnd: '\n' | '\r\n';
  mark: boolean;
  /** The order of dates as in Germany or in the US. If undefined, dates are written as in the feed. */
  dates: 'dmy' | 'mdy' | undefined;
  decimal: '.' | ',';
  /** The form of the results: the number of the side, a letter, or only the points if they decide. */
  results: 'number' | 'letters' | 'points';
}

export type PersonName = (participant: ParticipantEntry) => string;

export function asSheets(event: WholeTournament, nameOf: PersonName, dialect: Dialect): SheetFile[] {
  const { participants, battles, byes } = event;
  const numbers = new Map(participants.map(({ id }, index) => [id, index + 1]));
  const noOf = (id: string): string => String(numbers.get(id));
  const date = (day: string | null | undefined): string => dateText(day, dialect.dates);
  const number = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : String(value).replace('.', dialect.decimal);
  const knockout = event.stages.find(({ id }) => id === 'knockout');
  const facts: [string, string | number | null | undefined][] = [
    ['slug', event.slug],
    ['name', event.name],
    ['status', event.status],
    ['published', event.published ? 'yes' : 'no'],
    ['start', date(event.startDate)],
    ['end', date(event.endDate)],
    ['city', event.city],
    ['country', event.country],
    ['size', event.battleSize],
    ['pack', event.battlePack],
    ['organiser', event.organizer],
    ['rounds', event.stages.find(({ id }) => id === 'swiss')?.rounds],
    ['top', knockout && 2 ** knockout.rounds],
  ];
  const people = participants.map((each) => [
    noOf(each.id),
    nameOf(each),
    each.player ?? '',
    each.club ?? '',
    each.group ?? '',
    each.faction ?? each.list?.faction ?? '',
    each.list?.subFaction ?? '',
    number(each.list?.points),
    each.list?.text ?? '',
    each.noShow ? 'no-show' : each.dropped ? 'yes' : '',
    number(each.finalPlacement),
  ]);
  const score = (side: TournamentSide | undefined): string => number(side && victoryPoints(side));
  const games = [
    ...battles.map((battle) => {
      const [first, second] = battle.sides;
      return [
        ...roundCells(battle, knockout?.rounds ?? 0),
        number(battle.table),
        noOf(first?.participant ?? ''),
        noOf(second?.participant ?? ''),
        resultText(battle, dialect),
        ...(battle.finished ? [score(first), score(second)] : ['', '']),
        ...(battle.finished ? [number(first?.battlePoints), number(second?.battlePoints)] : ['', '']),
        battle.scenario ?? '',
        date(battle.date),
      ];
    }),
    ...byes.map((bye) => [
      ...roundCells(bye, knockout?.rounds ?? 0),
      '',
      noOf(bye.participant),
      '',
      bye.win ? '' : 'draw',
      number(bye.victoryPoints ?? 0),
      number(((bye.victoryPoints ?? 0) * 100 - (bye.victoryPointsDiff ?? 0) * 100) / 100),
      number(bye.battlePoints),
      '',
      '',
      '',
    ]),
  ];
  const sheets = {
    event: facts.flatMap(([fact, value]) =>
      value === null || value === undefined ? [] : [[fact, String(value)]],
    ),
    players: [playersHeader, ...people],
    games: [gamesHeader, ...games],
  };
  return Object.entries(sheets).map(([name, rows]) => ({ name: `${name}.csv`, bytes: csvOf(rows, dialect) }));
}

const playersHeader = 'no,name,player id,club,group,faction,subfaction,points,list,dropped,place'.split(',');
const gamesHeader = 'stage,round,table,player 1,player 2,result,vp 1,vp 2,bp 1,bp 2,scenario,date'.split(',');

/** Returns the points as the site shows them: the recorded total, or the sum of the rounds. */
export function victoryPoints({ victoryPoints: total, rounds }: TournamentSide): number | undefined {
  if (total !== null && total !== undefined) return total;
  if (!rounds || rounds.length === 0) return undefined;
  return rounds.reduce((sum, round) => sum + Math.round((round.victoryPoints ?? 0) * 100), 0) / 100;
}

function roundCells({ stage, round }: BattleEntry | ByeEntry, knockoutRounds: number): [string, string] {
  const names = ['final', 'semi-final', 'quarter-final'];
  const left = knockoutRounds - round;
  if (stage === 'knockout') return ['', names[left] ?? `round of ${2 ** (left + 1)}`];
  return [stage === 'swiss' ? '' : stage, String(round)];
}

function resultText({ finished, winner, victorySize, sides }: BattleEntry, { results }: Dialect): string {
  if (!finished) return '';
  const [first, second] = sides.map(victoryPoints);
  const isFirst = winner === sides[0]?.participant;
  const decided = first !== undefined && second !== undefined && (isFirst ? first > second : second > first);
  if (!winner && results === 'letters') return 'D';
  if (!winner) return results === 'points' && first !== undefined && first === second ? '' : 'draw';
  const side = results === 'letters' ? (isFirst ? 'W' : 'L') : isFirst ? '1' : '2';
  const who = results === 'points' && decided ? '' : side;
  return `${who} ${victorySize ?? ''}`.trim();
}

function dateText(day: string | null | undefined, order: Dialect['dates']): string {
  const [year, month, date] = (day ?? '').split('-');
  if (!year || !month || !date) return '';
  if (order === undefined) return `${year}-${month}-${date}`;
  return order === 'dmy' ? `${date}.${month}.${year}` : `${Number(month)}/${Number(date)}/${year}`;
}

function csvOf(rows: string[][], { separator, lineEnd, mark }: Dialect): Buffer {
  const cell = (text: string): string =>
    /["\n\r]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  const text = rows.map((row) => row.map(cell).join(separator) + lineEnd).join('');
  return Buffer.from(`${mark ? '\ufeff' : ''}${text}`);
}
