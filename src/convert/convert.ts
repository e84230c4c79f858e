// Converts sheets into a feed. It opens no database: whatever the sheets name must already be recorded or be
// in the feed.
import { parseLine } from '../record/feed/parse-line.ts';
import { languages } from '../text/languages.ts';
import type { DateOrder } from './cells.ts';
import { checkGames } from './check-games.ts';
import { type ClubOptions, Clubs } from './clubs.ts';
import { type EventOptions, eventFacts } from './event-sheet.ts';
import { encodingOf } from './dialect.ts';
import { Findings } from './findings.ts';
import { languagesOfName } from './headers.ts';
import { type Game, readGamesSheet } from './games-sheet.ts';
import { hasNumber, readPlayersSheet } from './players-sheet.ts';
import type { RecordedPlayer } from './roster-numbers.ts';
import { scoredGames } from './scoring.ts';
import type { SheetRow } from './sheet-row.ts';
import { readSheet, type Sheet, type SheetFile } from './sheet.ts';
import { toFeed } from './to-feed.ts';

export interface ConvertOptions {
  event?: EventOptions;
  dates?: DateOrder | undefined;
  /** The ids of registered players by number. */
  players?: ReadonlyMap<number, string>;
  clubs?: ClubOptions;
  /**
   * The players of the recorded event, who keep their numbers if the sheet has none. Empty for a new event.
   */
  recorded?: RecordedPlayer[];
  /** The encoding of sheets without a byte order mark, as `TextDecoder` names it. */
  encoding?: string | undefined;
  /** If true, a game whose result cannot be read is sent without a result. */
  skipUnreadableResults?: boolean;
  /**
   * If true, nothing is recorded apart from the sheets: registered players become guests, known clubs are
   * sent, and an event without a slug gets one.
   */
  isAlone?: boolean;
}

export interface Converted {
  /** The lines of the feed, or undefined if something is refused. */
  feed: string | undefined;
  refusals: string[];
  /** The results that could not be read, if they are skipped. */
  skipped: string[];
  /** Notes about what was left out. */
  notes: string[];
  /**
   * Set if the players have no numbers of their own and need those of `recorded`: the slug of the event, or
   * empty if it has none yet.
   */
  unnumbered: string | undefined;
}

export function convert(files: SheetFile[], options: ConvertOptions = {}): Converted {
  const findings = new Findings(options.skipUnreadableResults);
  const encodings = encodingsOf(files, options.encoding, findings);
  const sheets = files.flatMap((file, index) => readSheet(file, encodings[index] ?? '', findings) ?? []);
  const rows = (kind: Sheet['kind']) => sheets.flatMap((sheet) => (sheet.kind === kind ? sheet.rows : []));
  const { isAlone = false, dates = writesDayFirst(sheets) ? 'dmy' : undefined } = options;
  const event = eventFacts(rows('event'), options.event ?? {}, dates, findings, isAlone);
  const playerRows = rows('players');
  const isUnnumbered = !isAlone && playerRows.length > 0 && !playerRows.some(hasNumber);
  const roster = readPlayersSheet(playerRows, options.players ?? new Map(), isAlone ? [] : options.recorded);
  if (isUnnumbered && options.recorded) findings.note(playerRows[0]?.file ?? '', undefined, knownByName);
  const played = readGamesSheet(rows('games'), roster, dates);
  const clubs = new Clubs(options.clubs ?? { known: [], newClubs: false }, isAlone);
  let feed: string[] = [];
  const games = [...played.games, ...played.withoutRound];
  requireResults(sheets, games, findings);
  const hasPlayers = roster.byNumber.size > 0 || playerRows.some(({ isRefused }) => isRefused);
  if (files.length === sheets.length) requireSheets(sheets, hasPlayers, event.status, findings);
  if (hasFewStages(played.games)) {
    checkGames(event, played);
    const scored = scoredGames(games, event, findings);
    const people = [...roster.byNumber.values()].map((player) =>
      isAlone ? { ...player, id: undefined } : player,
    );
    feed = toFeed(event, people, scored, clubs).map((record) => JSON.stringify(record));
  }
  for (const [club, times] of clubs.leftOut) {
    const where = times === 1 ? '' : ` (${times} times)`;
    findings.note(
      '',
      undefined,
      `the club ${JSON.stringify(club)} is not on the list of clubs and was left out${where}: add --new-clubs to show it, or see --clubs`,
    );
  }
  if (findings.refusals.length === 0) {
    // The checks above know the sheet. This one makes sure that the import accepts what they have let pass.
    for (const line of feed) {
      const parsed = parseLine(Buffer.from(line));
      if ('problems' in parsed)
        for (const { path, message } of parsed.problems) findings.refuseAll(`feed: ${path}`, message);
    }
  }
  noteLostLetters(roster.byNumber.values(), findings);
  const { refusals, skipped, notes } = findings;
  return {
    feed: refusals.length > 0 ? undefined : feed.map((line) => `${line}\n`).join(''),
    refusals,
    skipped,
    notes,
    unnumbered: isUnnumbered && options.recorded === undefined ? event.slug : undefined,
  };
}

/**
 * Returns true if all headers are in one language other than English. Excel in these languages puts the day
 * first, also in the dates of our template.
 */
function writesDayFirst(sheets: Sheet[]): boolean {
  const names = sheets.flatMap(({ kind, rows }) =>
    // Each row of a table has all its columns.
    (kind === 'event' ? rows : rows.slice(0, 1)).flatMap((row) =>
      row.columns.map((column) => languagesOfName(kind, column, row.header(column))),
    ),
  );
  const fitting = languages.filter((language) => names.every((each) => each.includes(language)));
  return fitting.length > 0 && !fitting.includes('en');
}

const knownByName =
  'the players have no numbers, so they are known by name: somebody who is renamed becomes a new player with a new address, and two people who share a name need a column "no" with numbers';

/**
 * Decides the encoding of each sheet. They come from one program, so if one of them is Windows-1250, the
 * others that are not UTF-8 are, too.
 */
function encodingsOf(files: SheetFile[], given: string | undefined, findings: Findings): string[] {
  const found = files.map(({ bytes }) => encodingOf(bytes, given));
  const windows = found.includes('windows-1250') ? 'windows-1250' : 'windows-1252';
  return found.map((encoding, index) => {
    if (given !== undefined || !encoding.startsWith('windows-')) return encoding;
    const advice = 'if letters are wrong, save it as UTF-8 or see --encoding';
    findings.note(files[index]?.name ?? '', undefined, `not UTF-8, so it was read as ${windows}: ${advice}`);
    return windows;
  });
}

/**
 * Refuses games without any result if unknown columns may contain the results. Each round may be a separate
 * sheet.
 */
function requireResults(sheets: Sheet[], games: Game[], findings: Findings): void {
  const isTyped = ({ outcome, row }: Game): boolean => outcome !== undefined || row.hasUnreadableResult;
  for (const { rows, leftOut } of sheets) {
    if (leftOut.length === 0) continue;
    const ownRows = new Set(rows);
    const [game, ...others] = games.filter(({ second, row }) => second && ownRows.has(row));
    if (!game || [game, ...others].some(isTyped)) continue;
    const found = `found only ${leftOut.map((name) => JSON.stringify(name)).join(', ')} with content`;
    const advice = `call them vp 1 and vp 2 (victory points), bp 1 and bp 2 (battle points), result or winner; if they have no results, put the name in brackets, like (${leftOut[0]})`;
    findings.refuseAll(game.row.file, `expected a result in a column that is known, ${found}: ${advice}`);
  }
}

/** Excel's older CSV format saves a question mark for each letter that the language of Windows lacks. */
function noteLostLetters(players: Iterable<{ name: string; row: SheetRow }>, findings: Findings): void {
  const lost = [...players].filter(({ name }) => name.includes('?'));
  const [first] = lost;
  if (first === undefined) return;
  const more = lost.length === 1 ? '' : ` and ${lost.length - 1} more`;
  findings.note(
    first.row.file,
    first.row.line,
    `${JSON.stringify(first.name)}${more}: if the question mark was a letter, type it again and save as "CSV UTF-8"`,
  );
}

const maxStages = 100;

function hasFewStages(games: Game[]): boolean {
  const stages = new Set<string>();
  for (const { stage, row } of games) {
    if (stages.add(stage).size <= maxStages) continue;
    row.cell('round').refuse(`at most ${maxStages} different stages and places in an event`);
    return false;
  }
  return true;
}

/**
 * Refuses a missing sheet. The feed contains the whole tournament, so a forgotten sheet would remove what is
 * recorded.
 */
function requireSheets(sheets: Sheet[], hasPlayers: boolean, status: string, findings: Findings): void {
  if (status === 'planned') return;
  const given = new Set(sheets.map(({ kind }) => kind));
  if (given.has('players') && !hasPlayers)
    findings.refuseAll('players sheet', 'expected at least one player, found none');
  for (const kind of ['players', 'games'] as const) {
    if (given.has(kind)) continue;
    findings.refuseAll(`${kind} sheet`, 'expected one for an event that is not planned, found none');
  }
}
