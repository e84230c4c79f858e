// Sheets into a feed. It opens no database: what the sheets name must be recorded already, or be in the feed.
import { parseLine } from '../record/feed/parse-line.ts';
import type { DateOrder } from './cells.ts';
import { checkGames } from './check-games.ts';
import { type ClubOptions, Clubs } from './clubs.ts';
import { type EventOptions, eventFacts } from './event-sheet.ts';
import { Findings } from './findings.ts';
import { gamesOf } from './games-sheet.ts';
import { playersOf } from './players-sheet.ts';
import { readSheet, type Sheet, type SheetFile } from './sheet.ts';
import { toFeed } from './to-feed.ts';

export interface ConvertOptions {
  event?: EventOptions;
  dates?: DateOrder | undefined;
  /** The ids of registered players by number. */
  players?: ReadonlyMap<number, string>;
  clubs?: ClubOptions;
}

export interface Converted {
  /** The lines of the feed, or undefined when something is refused. */
  feed: string | undefined;
  refusals: string[];
  /** What was left out. */
  notes: string[];
}

export function convert(files: SheetFile[], options: ConvertOptions = {}): Converted {
  const findings = new Findings();
  const sheets = files.flatMap((file) => readSheet(file, findings) ?? []);
  const rows = (kind: Sheet['kind']) => sheets.flatMap((sheet) => (sheet.kind === kind ? sheet.rows : []));
  const event = eventFacts(rows('event'), options.event ?? {}, options.dates, findings);
  const players = playersOf(rows('players'), options.players ?? new Map());
  const games = players ? gamesOf(rows('games'), players, options.dates) : [];
  const clubs = new Clubs(options.clubs ?? { known: [], newClubs: false });
  let feed: string[] = [];
  if (event && players) {
    requireSheets(event.status, sheets, players.size, files.length === sheets.length, findings);
    checkGames(event, games);
    feed = toFeed(event, [...players.values()], games, clubs).map((record) => JSON.stringify(record));
  }
  for (const [club, times] of clubs.leftOut) {
    const where = times === 1 ? '' : ` (${times} times)`;
    findings.notes.push(
      `the club ${JSON.stringify(club)} is not a known one and was left out${where}: see --clubs and --new-clubs`,
    );
  }
  if (findings.refusals.length === 0) {
    // The checks above know the sheet. This one makes sure that the import takes what they let pass.
    for (const line of feed) {
      const parsed = parseLine(Buffer.from(line));
      if ('problems' in parsed)
        for (const { path, message } of parsed.problems)
          findings.refuse(`feed: ${path}`, undefined, '', message);
    }
  }
  const { refusals, notes } = findings;
  return {
    feed: refusals.length > 0 ? undefined : feed.map((line) => `${line}\n`).join(''),
    refusals,
    notes,
  };
}

/** The feed says the tournament whole. So a forgotten sheet would remove what is recorded. */
function requireSheets(
  status: string,
  sheets: Sheet[],
  players: number,
  allRead: boolean,
  findings: Findings,
): void {
  if (!allRead || status === 'planned') return;
  const given = new Set(sheets.map(({ kind }) => kind));
  if (given.has('players') && players === 0)
    findings.refuse('players sheet', undefined, '', 'expected at least one player, found none');
  for (const kind of ['players', 'games'] as const) {
    if (given.has(kind)) continue;
    findings.refuse(
      `${kind} sheet`,
      undefined,
      '',
      `expected one, because the event is ${status}, found none`,
    );
  }
}
