import { Command, InvalidArgumentError } from 'commander';
import { type AccountChanges, listAccounts, setAccount, setAccountActive } from '../keys/store.ts';
import { CannotRun, Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { oneLine } from './options/one-line.ts';
import { printJson, printTable, shortDate } from './table.ts';
import { withPool } from './with-pool.ts';

export const accountsCommand = new Command('accounts').description(
  'list accounts, deactivate or activate them, and set their contact and limit',
);

accountsCommand
  .command('list')
  .description('list all accounts')
  .option('--json', 'print a JSON array')
  .action(async ({ json }: { json?: true }) => {
    const accounts = await withPool(listAccounts);
    if (json) return printJson(accounts);
    printTable(
      ['id', 'account', 'contact', 'state', 'limit', 'created', 'keys'],
      accounts.map((account) => [
        account.id,
        account.name,
        account.contact ?? '-',
        account.active ? 'active' : 'inactive',
        account.limit === null ? '-' : String(account.limit),
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
    .description(active ? 'accept the keys of an account again' : 'refuse all keys of an account')
    .argument('<name>', 'the account')
    .action(async (name: string) => {
      const found = await withPool((pool) => setAccountActive(pool, name, active));
      if (!found)
        throw new Refused(`There is no account ${name}: \`wartable accounts list\` shows all accounts.`);
      console.log(`Account ${name} is ${active ? 'active' : 'inactive'}.`);
    });
}

accountsCommand
  .command('set')
  .description('set how to reach the people behind an account, and how many requests it may send')
  .argument('<name>', 'the account')
  .option('--contact <text>', 'for example an email address; an empty text removes it', (given: string) =>
    given === '' ? none : oneLine(given),
  )
  .option(
    '--limit <requests>',
    'requests per minute for all its keys together, if RATE_LIMIT is set; `none` removes the limit',
    requestsPerMinute,
  )
  .action(async (name: string, given: { contact?: string | None; limit?: number | None }) => {
    const changes: AccountChanges = { contact: valueOf(given.contact), limit: valueOf(given.limit) };
    const { contact, limit } = changes;
    if (contact === undefined && limit === undefined)
      throw new CannotRun('There is nothing to set: give --contact, --limit or both.');
    const found = await withPool((pool) => setAccount(pool, name, changes));
    if (!found)
      throw new Refused(`There is no account ${name}: \`wartable accounts list\` shows all accounts.`);
    if (contact !== undefined)
      console.log(`Account ${name} has ${contact === null ? 'no contact' : 'a new contact'}.`);
    if (limit !== undefined)
      console.log(
        limit === null
          ? `Account ${name} has no limit of its own.`
          : `The keys of account ${name} may together send ${limit} requests per minute.`,
      );
  });

/** The result of a parser for "no value", because commander turns a null into an empty text. */
const none = Symbol('none');
type None = typeof none;

function valueOf<T>(given: T | None | undefined): T | null | undefined {
  return given === none ? null : given;
}

function requestsPerMinute(given: string): number | None {
  if (given === 'none') return none;
  if (!/^[1-9]\d{0,6}$/.test(given))
    throw new InvalidArgumentError('It must be a number of requests per minute from 1 to 9999999, or none.');
  return Number(given);
}

addExamples(
  accountsCommand,
  [
    'Create an account together with its first key',
    'wartable keys create --account "Club site"',
    'wartable accounts list',
  ],
  [
    'Record how to reach the people behind it',
    'wartable accounts set "Club site" --contact web@club.example',
  ],
  [
    'Allow all its keys together 1,200 requests per minute, and remove that limit',
    'wartable accounts set "Club site" --limit 1200',
    'wartable accounts set "Club site" --limit none',
  ],
  [
    'Refuse all its keys, and accept them again',
    'wartable accounts deactivate "Club site"',
    'wartable accounts activate "Club site"',
  ],
);
