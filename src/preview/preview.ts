// Shows an organiser's sheets, or a feed, as pages, using a database and a server that leave nothing behind.
//
//   files ──► feed ──► dry run ──► import ──► publish ──► the open page reloads itself
//
// A mistake stops this at any step, and the page stays as it was.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Command } from 'commander';
import { addSheetOptions, type SheetOptions } from '../commands/convert.ts';
import { CannotRun, sentenceOf } from '../failures/explain.ts';
import { openFolder } from '../commands/files.ts';
import { namedFiles } from '../commands/named-files.ts';
import { addExamples } from '../commands/help/examples.ts';
import { printable } from '../commands/help/printable.ts';
import { type Config, readConfig, settings } from '../config/config.ts';
import { migrate } from '../database/migrate.ts';
import { createPool, type Pool } from '../database/pool.ts';
import { stampIfEmpty } from '../publish/mark-all.ts';
import { startGuardedPostgres } from '../throwaway/guarded-postgres.ts';
import { serveOnFreePorts } from '../throwaway/ports.ts';
import { type Life, untilStopped } from '../throwaway/until-stopped.ts';
import { noEvent, readFeed } from './read-feed.ts';
import { savedPages } from './saved-pages.ts';
import { showFeed } from './show-feed.ts';
import { watchFiles } from './watch-files.ts';
import { writeFolder } from './write-folder.ts';

interface Options extends SheetOptions {
  save?: string;
  tournament?: string;
}

const ended = '\nThe preview has ended. Its data is deleted.';
const stopped = '\nStopped. The folder is not complete, so save it again.';

export const previewCommand = addSheetOptions(
  new Command('preview')
    .description('show sheets or a feed as a page that is updated while you edit them')
    .argument('<file...>', 'the sheets of one event, or a feed')
    .option('--save <folder>', 'write the event as files for any web host, and exit')
    .option('--tournament <slug>', 'which event to save if a feed has several'),
)
  .addHelpText(
    'after',
    `
Uses a throwaway PostgreSQL of its own, and nothing that you have recorded.
Ctrl-C ends everything.`,
  )
  .action((given: string[], { save: folder, tournament, ...options }: Options) =>
    untilStopped('preview', folder === undefined ? ended : stopped, async (life) => {
      const files = await namedFiles(given);
      await (folder === undefined
        ? follow(files, options, life)
        : save(files, options, { folder, tournament }, life));
    }),
  );

addExamples(
  previewCommand,
  [
    'Show three sheets as a page',
    'wartable convert --template',
    'wartable preview event.csv players.csv games.csv',
  ],
  ['Save the same as files', 'wartable preview --save page event.csv players.csv games.csv'],
);

async function follow(files: string[], options: SheetOptions, { signal, ends }: Life): Promise<void> {
  const watched = [...files, options.players, options.clubs].filter((file) => file !== undefined);
  const untilSaved = await watchFiles(watched, signal);
  let feed = await readFeed(files, options);
  const { pool, config } = await openDatabase(ends);
  const { started: server } = await serveOnFreePorts(config, process.env);
  ends.push(() => server.close());
  let shown: string[] = [];
  for (;;) {
    if (feed !== undefined && (await showFeed(pool, feed, shown))) {
      if (feed.slugs.join() !== shown.join()) console.log(welcome(server.public.siteUrl, feed.slugs));
      shown = feed.slugs;
    } else {
      console.error(shown.length === 0 ? 'There is no page yet.' : 'The page stays as it was.');
    }
    if (!(await untilSaved())) return;
    feed = await readFeed(files, options).catch((error: unknown) => {
      console.error(printable(sentenceOf(error, 'preview')));
      return undefined;
    });
  }
}

async function save(
  files: string[],
  options: SheetOptions,
  { folder, tournament }: { folder: string; tournament: string | undefined },
  { ends }: Life,
): Promise<void> {
  process.exitCode = 1;
  const feed = await readFeed(files, options);
  if (feed === undefined) return console.error('Nothing was saved.');
  const slug = slugToSave(feed.slugs, tournament);
  await openFolder(folder, `Nothing can be written into the folder ${folder}: name another folder.`);
  const { pool, config } = await openDatabase(ends);
  if (!(await showFeed(pool, feed, []))) return console.error('Nothing was saved.');
  const saving = { ...config, embed: false, savedAt: new Date() };
  // Another preview may be running on the ports from the settings.
  const { started: server } = await serveOnFreePorts(saving, {});
  ends.push(() => server.close());
  const pages = await savedPages(server.siteUrl, slug);
  await writeFolder(folder, pages);
  process.exitCode = 0;
  console.log(`${pages.size} files were saved. Open ${path.join(folder, 'index.html')}.`);
}

function slugToSave(slugs: string[], wanted: string | undefined): string {
  const [first, ...others] = slugs;
  if (first === undefined) throw new CannotRun(noEvent);
  if (wanted === undefined && others.length === 0) return first;
  if (wanted !== undefined && slugs.includes(wanted)) return wanted;
  const found = wanted === undefined ? 'several events' : `no event ${wanted}`;
  throw new CannotRun(`The feed has ${found}: choose one with --tournament: ${slugs.join(', ')}.`);
}

async function openDatabase(ends: Life['ends']): Promise<{ pool: Pool; config: Config }> {
  // Report a mistake in the settings before doing any work.
  const config = readSettings();
  console.log('Starting a throwaway PostgreSQL …');
  const { url } = await startGuardedPostgres({ command: 'preview' }, (remove) => ends.push(remove));
  const pool = createPool(url, { applicationName: 'wartable-preview', size: 8 });
  await migrate(url);
  await stampIfEmpty(pool);
  return { pool, config: { ...config, databaseUrl: url } };
}

const welcome = (siteUrl: string, slugs: string[]): string => `
${slugs.map((slug) => `  ${siteUrl}/tournaments/${slug}\n`).join('')}
Whenever you save a file while the event is ongoing, the page is updated.
Ctrl-C ends the preview and deletes its data.
`;

/**
 * Reads the settings of the preview. It ignores those of a server on the same machine, such as its database
 * and its public addresses.
 */
function readSettings(): Config {
  const own = ['siteName', 'siteLanguage', 'apiPort', 'sitePort', 'opsPort'] as const;
  return readConfig({
    ...Object.fromEntries(own.map((key) => [settings[key].name, process.env[settings[key].name]])),
    [settings.databaseUrl.name]: 'postgres://localhost/not-yet',
    [settings.cursorSecrets.name]: randomBytes(32).toString('hex'),
    [settings.logLevel.name]: 'error',
    [settings.drainSeconds.name]: '0',
  });
}
