import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { createKeyForAccount, listKeys, revokeKey } from '../keys/store.ts';
import { Refused } from './explain-error.ts';
import { printTable, shortDate } from './table.ts';
import { withPool } from './with-pool.ts';

export const keysCommand = new Command('keys').description('create, list and revoke API keys');

keysCommand
  .command('create')
  .description('create a key and print it; it cannot be shown again')
  .requiredOption('--account <name>', 'account of the key; a new account is created', accountName)
  .action(async ({ account }: { account: string }) => {
    const { id, key, accountActive } = await withPool(readConfig(process.env).databaseUrl, (pool) =>
      createKeyForAccount(pool, account),
    );
    // Only the key goes to standard output, so that a script can read it.
    console.error(`Key ${id} of account ${account}. Save it now: only its digest is stored.`);
    if (!accountActive)
      console.error(`The account is not active: the key works after \`wartable accounts activate\`.`);
    console.log(key);
  });

keysCommand
  .command('list')
  .description('list all keys by id; the keys themselves are not stored')
  .action(async () => {
    const keys = await withPool(readConfig(process.env).databaseUrl, listKeys);
    printTable(
      ['id', 'account', 'created', 'last used', 'state'],
      keys.map((key) => [
        key.id,
        key.account,
        shortDate(key.createdAt),
        shortDate(key.lastUsedAt),
        key.revokedAt !== null ? 'revoked' : key.accountActive ? 'active' : 'account inactive',
      ]),
    );
  });

keysCommand
  .command('revoke')
  .description('revoke a key; every running server refuses it within two seconds')
  .argument('<id>', 'its id, as `keys list` shows it', keyId)
  .action(async (id: string) => {
    const revoked = await withPool(readConfig(process.env).databaseUrl, (pool) => revokeKey(pool, id));
    if (!revoked) throw new Refused(`There is no key ${id}.`);
    console.log(`Key ${id} is revoked.`);
  });

function accountName(given: string): string {
  if (!/\S/.test(given) || /\p{Cc}/u.test(given) || given.length > 200) {
    throw new InvalidArgumentError('It must be a name of at most 200 characters, on one line.');
  }
  return given;
}

function keyId(given: string): string {
  // A user may paste the key itself by mistake. The message does not repeat it.
  if (!/^\d{1,18}$/.test(given)) throw new InvalidArgumentError('It must be the id of a key, a number.');
  return given;
}
