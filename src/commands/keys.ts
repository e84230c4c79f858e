import { Command, Option } from 'commander';
import { createKeyForAccount, listKeys, type NewKey, revokeKey, rotateKey } from '../keys/store.ts';
import { CannotRun, Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { durationMs, futureMoment } from './options/moment.ts';
import { oneLine } from './options/one-line.ts';
import { printJson, printTable, shortDate } from './table.ts';
import { withPool } from './with-pool.ts';

interface CreateOptions {
  account: string;
  label?: string;
  expires?: Date;
  json?: true;
}

export const keysCommand = new Command('keys').description('create, rotate, list and revoke API keys');

keysCommand
  .command('create')
  .description('create a key and print it; it cannot be shown again')
  .requiredOption(
    '--account <name>',
    'the account of the key, which is created if it does not exist',
    oneLine,
  )
  .option('--label <text>', 'what the key is for', oneLine)
  .option('--expires <moment>', 'when the key expires: a time from now like 90d, or a date', futureMoment)
  .option('--json', 'print the key, its id and its expiry as JSON')
  .action(async ({ account, label, expires, json }: CreateOptions) => {
    const made = await withPool((pool) => createKeyForAccount(pool, account, { label, expiresAt: expires }));
    if (json) console.log(JSON.stringify(made));
    else printKey(made);
  });

keysCommand
  .command('rotate')
  .description('create a new key with the same account and label, and let the old one expire')
  .argument('<id>', 'the old key, as `keys list` shows it', keyId)
  .addOption(
    new Option('--overlap <time>', 'how long the old key continues to work, like 7d or 12h')
      .argParser(durationMs)
      .default(durationMs('7d'), '7d'),
  )
  .option(
    '--expires <moment>',
    'when the new key expires, like 90d, or a date (default: after the same lifetime as the old key)',
    futureMoment,
  )
  .action(async (id: string, { overlap, expires }: { overlap: number; expires?: Date }) => {
    const rotated = await withPool((pool) => rotateKey(pool, id, { overlapMs: overlap, expiresAt: expires }));
    if ('refused' in rotated) throw new Refused(rotated.refused);
    console.error(`Key ${id} expires ${shortDate(rotated.oldExpiresAt)}.`);
    printKey(rotated.next);
  });

keysCommand
  .command('list')
  .description('list all keys by id; the keys themselves are not stored')
  .option('--json', 'print a JSON array')
  .action(async ({ json }: { json?: true }) => {
    const keys = await withPool(listKeys);
    if (json) return printJson(keys);
    printTable(
      ['id', 'account', 'label', 'contact', 'created', 'expires', 'last used', 'state'],
      keys.map((key) => [
        key.id,
        key.account,
        key.label ?? '-',
        key.contact ?? '-',
        shortDate(key.createdAt),
        shortDate(key.expiresAt),
        shortDate(key.lastUsedAt),
        key.state,
      ]),
    );
  });

keysCommand
  .command('revoke')
  .description('revoke a key; every running server refuses it within two seconds')
  .argument('<id>', 'its id, as `keys list` shows it', keyId)
  .action(async (id: string) => {
    const revoked = await withPool((pool) => revokeKey(pool, id));
    if (!revoked) throw new Refused(`There is no key ${id}: \`wartable keys list\` shows all keys.`);
    console.log(`Key ${id} is revoked.`);
  });

addExamples(
  keysCommand,
  [
    'Create a key, and another that expires',
    'wartable keys create --account "Club site"',
    'wartable keys create --account "Club site" --label ticker --expires 90d',
  ],
  ['See all keys', 'wartable keys list', 'wartable keys list --json'],
  ['Replace a key; the old one works for 3 more days', 'wartable keys rotate 1 --overlap 3d'],
  ['Refuse a key from now on', 'wartable keys revoke 1'],
);

/** Prints a new key. Only the key itself goes to standard output, so that a script can read it. */
function printKey({ id, key, account, accountActive, expiresAt }: NewKey): void {
  const end = expiresAt === null ? '' : ` It expires ${shortDate(expiresAt)}.`;
  console.error(
    `This is key ${id} of account ${account}. Save it now, because only its digest is stored.${end}`,
  );
  if (!accountActive)
    console.error(
      `The account is inactive, so the key will not work until you run \`wartable accounts activate\`.`,
    );
  console.log(key);
}

function keyId(given: string): string {
  // A user may paste the key itself by mistake, and an InvalidArgumentError would repeat it.
  if (!/^\d{1,18}$/.test(given))
    throw new CannotRun('Give the id of the key, a number, as `wartable keys list` shows it.');
  return given;
}
