import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import type { Pool } from '../database/pool.ts';
import { publishNow } from '../publish/publish-now.ts';
import { type Dossier, readDossier } from '../record/people/dossier.ts';
import { type Erasure, erasePerson } from '../record/people/erase-person.ts';
import { findPeople } from '../record/people/find-people.ts';
import { NamePattern } from '../record/people/name-pattern.ts';
import { findGuests, findPlayer, isTournament, type Location } from '../record/people/person.ts';
import { CannotRun, Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { reportFailures } from './report-failures.ts';
import { printJson, printTable } from './table.ts';
import { withPool } from './with-pool.ts';

export const playersCommand = new Command('players').description(
  'find people, show what is stored about a person, or erase a person',
);

interface Who {
  guest?: string;
  tournament?: string;
}

playersCommand
  .command('find')
  .description('find people by name: the ids of players, and where guests played')
  .argument('<name>', 'a name or a part of it, in whole words; case and accents do not matter')
  .option('--json', 'print a JSON array')
  .action(async (name: string, { json }: { json?: true }) => {
    if (!name.trim()) throw new CannotRun('Give a name.');
    const people = await withPool((pool) => findPeople(pool, name));
    if (json) return printJson(people);
    if (people.length === 0) throw new Refused('Nobody has this name: check the spelling.');
    printTable(
      ['player', 'name', 'guest of tournament', 'guest of battle'],
      people.map((each) => [each.player ?? '-', each.name, each.tournament ?? '-', each.battle ?? '-']),
    );
  });

playersCommand
  .command('show')
  .description('show everything that is stored about a person, and what merely mentions them')
  .argument('[id]', 'a registered player')
  .option('--guest <name>', 'guests with this name instead')
  .option('--tournament <slug>', 'only guests of this tournament')
  .option('--json', 'print JSON')
  .action(async (id: string | undefined, { json, ...who }: Who & { json?: true }) => {
    await withPool(async (pool) => {
      const { pattern, dossier } = await find(pool, id, who);
      const { data, mentions, copies } = dossier;
      if (pattern === undefined) console.error(unknownName);
      if (json) console.log(JSON.stringify({ data, mentions, copies }, null, 2));
      else {
        showLocations('Stored about this person', data);
        showLocations('Mentions of the name in what others wrote', mentions);
        showLocations('Published documents with the name', copies);
      }
    });
  });

playersCommand
  .command('erase')
  .description('erase a person for good: name, army lists, reasons for adjustments')
  .argument('[id]', 'a registered player')
  .option('--guest <name>', 'guests with this name instead')
  .option('--tournament <slug>', 'only guests of this tournament')
  .option('--yes', 'do not ask')
  .action(async (id: string | undefined, options: Who & { yes?: true }) => {
    await withPool(async (pool) => {
      const { person, pattern, dossier } = await find(pool, id, options);
      listErasure(dossier, pattern);
      if (pattern === undefined) console.error(unknownName);
      if (!options.yes && !(await isConfirmed())) throw new Refused('Nothing was erased.');
      const marks = await erasePerson(pool, person);
      const failed = await publishNow(pool, marks);
      console.log('Erased.');
      if (failed.length > 0) console.error('These answers still show what was published before:');
      reportFailures(failed);
    });
  });

addExamples(
  playersCommand,
  [
    'Answer a person who asks what is stored',
    'wartable players find "First Player"',
    'wartable players show --guest "First Player" --tournament cup',
    'wartable players show --guest "First Player" --json > answer.json',
  ],
  ['Erase that person', 'wartable players erase --guest "First Player" --yes'],
);

/** Printed because "no mentions" would otherwise look like the result of a search. */
const unknownName =
  'The name was erased before, so nothing was searched for mentions of it. Give the name with --guest to find them.';

interface FoundPerson {
  person: Erasure;
  /** Undefined if a player was erased before, because then there is no name to search for. */
  pattern: NamePattern | undefined;
  dossier: Dossier;
}

async function find(pool: Pool, id: string | undefined, { guest, tournament }: Who): Promise<FoundPerson> {
  if ((id === undefined) === (guest === undefined))
    throw new CannotRun('Give either the id of a player or --guest with a name.');
  if (tournament !== undefined && guest === undefined)
    throw new CannotRun('--tournament works only with --guest, because a player is erased everywhere.');
  if (id !== undefined) {
    const player = await findPlayer(pool, id);
    if (!player) throw new Refused(`There is no player ${id}: check the id.`);
    const pattern = player.name === null ? undefined : new NamePattern(player.name);
    return { person: { player: id }, pattern, dossier: await readDossier(pool, player, pattern) };
  }
  if (!guest?.trim()) throw new CannotRun('--guest needs a name.');
  if (tournament !== undefined && !(await isTournament(pool, tournament)))
    throw new Refused(`There is no tournament ${tournament}: check the slug.`);
  const pattern = new NamePattern(guest);
  const dossier = await readDossier(pool, await findGuests(pool, pattern, tournament), pattern);
  if (dossier.data.length === 0 && dossier.mentions.length === 0)
    throw new Refused('There is no guest with this name, and nothing mentions it: check the spelling.');
  return { person: { guest: pattern, tournament }, pattern, dossier };
}

/**
 * Lists where something will be erased, without the values, because what a command prints may end up in a
 * log. `players show` prints the values.
 */
function listErasure({ goes, mentions }: Dossier, pattern: NamePattern | undefined): void {
  const list = (title: string, locations: Location[]): void => {
    if (locations.length > 0) console.log(title);
    for (const { table, key, values } of locations) {
      const named = pattern?.without(keyText(key)) ?? keyText(key);
      console.log(`  ${table} ${named}: ${Object.keys(values).join(', ')}`);
    }
  };
  if (goes.length === 0) console.log('There is nothing left to erase about this person.');
  list('This will be erased:', goes);
  list('This only mentions the name and will stay (correct it where it comes from):', mentions);
}

const keyText = (key: Location['key']): string =>
  Object.entries(key)
    .map(([column, value]) => `${column}=${String(value)}`)
    .join(' ');

function showLocations(title: string, locations: Location[]): void {
  console.log(`${title}: ${locations.length === 0 ? 'nothing' : ''}`.trimEnd());
  for (const { table, key, values } of locations) {
    console.log(`  ${table} ${keyText(key)}`);
    for (const [column, value] of Object.entries(values)) {
      console.log(`    ${column}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    }
  }
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CannotRun(
      'The input is not a terminal, so the command cannot ask for confirmation: give --yes.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Erase? This cannot be undone. [y/N] ')).trim().toLowerCase() === 'y';
  } finally {
    terminal.close();
  }
}
