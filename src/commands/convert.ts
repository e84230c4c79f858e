import { readFile, stat, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { idPattern, slugPattern } from '../contract/patterns.ts';
import { convert, type ConvertOptions } from '../convert/convert.ts';
import { encodingOf, NotASheet, textRows, separators, textOf } from '../convert/dialect.ts';
import type { EventOptions } from '../convert/event-sheet.ts';
import { type EventFact, factNames } from '../convert/headers.ts';
import { template } from '../convert/template.ts';
import { type Language, languages } from '../text/languages.ts';
import { readNumberedPlayers } from '../record/facts/numbered-players.ts';
import { dayOf } from '../text/days.ts';
import { CannotRun } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { printable } from './help/printable.ts';
import { namedFiles } from './named-files.ts';
import { withPool } from './with-pool.ts';

export interface SheetOptions extends EventOptions {
  dates?: 'dmy' | 'mdy';
  players?: string;
  clubs?: string;
  newClubs?: true;
  encoding?: string;
  skipUnreadableResults?: true;
  tieBreaks?: string;
}

const about: Record<EventFact, string> = {
  slug: 'the last part of the address of the event page',
  name: 'the name of the event',
  status: 'whether the event is planned, ongoing or finished',
  published: 'whether the event is published: yes or no',
  start: 'the first day of the event',
  end: 'the last day of the event',
  city: 'the city of the event',
  country: 'the country of the event',
  size: 'the maximum points of an army',
  pack: 'the battle pack of the event',
  rounds: 'the number of rounds',
  top: 'how many players enter the knockout',
  scoring: 'battle points for a win, a draw and a loss, like 3/1/0',
  'tie-breaks': 'the tie-breaks in order: battlePoints, wins and so on',
  organiser: 'the club that runs the event',
};

export const convertCommand = addSheetOptions(
  new Command('convert')
    .description("turn an organiser's sheets (CSV) into a feed; docs/organisers.md explains it")
    .argument('[sheet...]', 'the sheets of one event: event, players, games')
    .option('--template', 'write three sheets to start from into the current folder')
    .addOption(
      new Option('--language <code>', 'the language of the Excel that will open the template')
        .choices(languages)
        .default('en'),
    ),
).action(
  async (given: string[], { template: isTemplate, language, ...options }: TemplateOptions & SheetOptions) => {
    if (isTemplate) return writeTemplate(language);
    const files = await namedFiles(given);
    if (files.length === 0)
      throw new CannotRun('No sheets were given: name their files, or write some with --template.');
    const feed = await convertSheets(files, options);
    if (feed === undefined) process.exitCode = 1;
    else process.stdout.write(feed);
  },
);

interface TemplateOptions {
  template?: true;
  language: Language;
}

/** Adds the options that every command for sheets has. */
export function addSheetOptions(command: Command): Command {
  for (const fact of factNames) command.option(`--${fact} <value>`, about[fact]);
  return command
    .addOption(new Option('--dates <order>', 'how to read dates like 05/11/2026').choices(['dmy', 'mdy']))
    .option('--players <file>', 'a CSV file with the number and id of each registered player')
    .option('--clubs <file>', 'a CSV file with the slug and name of each recorded club')
    .option('--new-clubs', 'also send clubs that --clubs does not list')
    .option('--encoding <name>', 'the encoding of the files, for example windows-1250')
    .option('--skip-unreadable-results', 'if the result of a game cannot be read, send the game without it');
}

/**
 * Converts the sheets into a feed, and prints mistakes and what was left out. Returns undefined if there are
 * mistakes.
 */
export async function convertSheets(
  files: string[],
  options: SheetOptions,
  isAlone = false,
): Promise<string | undefined> {
  const { dates, players, clubs, newClubs, encoding, skipUnreadableResults, tieBreaks, ...event } = options;
  checkEncoding(encoding);
  const sheets = await Promise.all(files.map(async (name) => ({ name, bytes: await readGiven(name) })));
  const given: ConvertOptions = {
    event: { ...event, ...(tieBreaks !== undefined && { 'tie-breaks': tieBreaks }) },
    dates,
    encoding,
    skipUnreadableResults: skipUnreadableResults === true,
    isAlone,
    players: players === undefined ? new Map() : await playerIds(players, encoding),
    clubs: {
      known: clubs === undefined ? [] : await pairs(clubs, slugPattern, 0, encoding),
      newClubs: newClubs === true,
    },
  };
  let converted = convert(sheets, given);
  const slug = converted.unnumbered;
  if (slug !== undefined && process.env['DATABASE_URL']) {
    const recorded = await withPool((pool) => readNumberedPlayers(pool, slug));
    converted = convert(sheets, { ...given, recorded });
  }
  for (const note of converted.notes) console.error(printable(`note: ${note}`));
  const problems = [...converted.skipped, ...converted.refusals];
  for (const problem of problems.slice(0, maxPrinted)) console.error(printable(problem));
  const left = problems.length - maxPrinted;
  if (left > 0) console.error(`and ${left} more ${left === 1 ? 'problem' : 'problems'}`);
  return converted.feed;
}

/** Enough for all the mistakes that a person makes. A wrong column gives one for each row. */
const maxPrinted = 100;

addExamples(
  convertCommand,
  ['Write three sheets to start from', 'wartable convert --template'],
  [
    'Check them, and write the feed',
    'wartable convert --slug cup event.csv players.csv games.csv > cup.ndjson',
  ],
  [
    'Override a fact that the sheet has',
    'wartable convert --slug cup --published yes event.csv players.csv games.csv',
  ],
);

export async function readGiven(file: string): Promise<Buffer> {
  if ((await stat(file)).isDirectory()) throw new CannotRun(`${file} is a folder: name the files in it.`);
  return readFile(file);
}

async function writeTemplate(language: Language): Promise<void> {
  const today = dayOf(Date.now());
  for (const [name, text] of Object.entries(template(today, language))) {
    try {
      await writeFile(name, text, { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      throw new CannotRun(`The file ${name} already exists: use an empty folder.`, { cause: error });
    }
    console.log(name);
  }
}

function checkEncoding(name: string | undefined): void {
  try {
    new TextDecoder(name);
  } catch (cause) {
    throw new CannotRun(
      `The encoding "${name}" is unknown: name one like utf-8, windows-1250 or iso-8859-2.`,
      {
        cause,
      },
    );
  }
}

async function playerIds(file: string, encoding: string | undefined): Promise<Map<number, string>> {
  const rows = await pairs(file, idPattern, 1, encoding);
  return new Map(rows.map(([no, id]) => [Number(no), id]));
}

/**
 * Reads the first two cells of each row. The key is the cell at `at` and must match `pattern`. The first row
 * may contain headers.
 */
async function pairs(
  file: string,
  pattern: string,
  at: 0 | 1,
  encoding: string | undefined,
): Promise<[string, string][]> {
  try {
    const bytes = await readGiven(file);
    const text = textOf(bytes, encodingOf(bytes, encoding));
    const widest = separators.toSorted((a, b) => text.split(b).length - text.split(a).length)[0] ?? ',';
    const rows = textRows(text, widest).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    return rows.flatMap(({ line, cells }, index): [string, string][] => {
      const [first = '', second = ''] = cells.map((cell) => cell.trim());
      const fits =
        new RegExp(pattern).test(at === 0 ? first : second) && (at === 0 || /^\d{1,6}$/.test(first));
      if (index === 0 && (!fits || first === 'slug' || first === 'club')) return [];
      if (fits) return [[first, second]];
      const wanted = at === 0 ? 'the slug of a club' : 'a number and the id of a player';
      throw new CannotRun(`${file}:${line}: expected ${wanted}, found ${JSON.stringify(cells.join(', '))}.`);
    });
  } catch (error) {
    if (error instanceof NotASheet) throw new CannotRun(`${file}: ${error.message}.`, { cause: error });
    throw error;
  }
}
