import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { listAccounts, setAccountActive } from '../keys/store.ts';
import { Refused } from './explain-error.ts';
import { printTable, shortDate } from './table.ts';
import { withPool } from './with-pool.ts';

export const accountsCommand = new Command('accounts').description(
  'list accounts, deactivate and activate them',
);

accountsCommand
  .command('list')
  .description('list all accounts')
  .action(async () => {
    const accounts = await withPool(readConfig(process.env).databaseUrl, listAccounts);
    printTable(
      ['id', 'account', 'state', 'created', 'keys'],
      accounts.map((account) => [
        account.id,
        account.name,
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
      if (!found) throw new Refused(`There is no account ${name}.`);
      console.log(`Account ${name} is ${active ? 'active' : 'inactive'}.`);
    });
}
