import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { listAccounts, setAccountActive, setAccountContact } from '../keys/store.ts';
import { Refused } from './explain-error.ts';
import { addExamples } from './help/examples.ts';
import { oneLine } from './options/one-line.ts';
import { printJson, printTable, shortDate } from './table.ts';
import { withPool } from './with-pool.ts';

export const accountsCommand = new Command('accounts').description(
  'list accounts, deactivate and activate them, set their contact',
);

accountsCommand
  .command('list')
  .description('list all accounts')
  .option('--json', 'print a JSON array')
  .action(async ({ json }: { json?: true }) => {
    const accounts = await withPool(readConfig(process.env).databaseUrl, listAccounts);
    if (json) return printJson(accounts);
    printTable(
      ['id', 'account', 'contact', 'state', 'created', 'keys'],
      accounts.map((account) => [
        account.id,
        account.name,
        account.contact ?? '-',
        account.active ? 'active' : 'inactive',
        shortDate(account.createdAt),
        String(account.keys),
      ]),
    );
  });

for (const [verb, active] of [
  ['deactivate', false],
  ['activate', true],
] as const) {
  accountsCommand
    .command(verb)
    .description(active ? 'let the keys of an account work again' : 'refuse all keys of an account')
    .argument('<name>', 'the account')
    .action(async (name: string) => {
      const found = await withPool(readConfig(process.env).databaseUrl, (pool) =>
        setAccountActive(pool, name, active),
      );
      if (!found) throw new Refused(`There is no account ${name}: \`wartable accounts list\` shows all.`);
      console.log(`Account ${name} is ${active ? 'active' : 'inactive'}.`);
    });
}

accountsCommand
  .command('set')
  .description('set how to reach the people behind an account')
  .argument('<name>', 'the account')
  .requiredOption(
    '--contact <text>',
    'for example a mail address; an empty text removes it',
    (given: string) => (given === '' ? given : oneLine(given)),
  )
  .action(async (name: string, { contact }: { contact: string }) => {
    const found = await withPool(readConfig(process.env).databaseUrl, (pool) =>
      setAccountContact(pool, name, contact === '' ? null : contact),
    );
    if (!found) throw new Refused(`There is no account ${name}: \`wartable accounts list\` shows all.`);
    console.log(`Account ${name} has ${contact === '' ? 'no contact' : 'a new contact'}.`);
  });

addExamples(
  accountsCommand,
  [
    'The first key of an account makes the account',
    'wartable keys create --account "Club site"',
    'wartable accounts list',
  ],
  ['Note how to reach its people', 'wartable accounts set "Club site" --contact web@club.example'],
  [
    'Refuse all its keys, and accept them again',
    'wartable accounts deactivate "Club site"',
    'wartable accounts activate "Club site"',
  ],
);
