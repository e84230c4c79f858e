import { Command } from 'commander';
import { listEntries, readAudit } from '../audit/entries.ts';
import type { ForgottenEntry } from '../audit/forgotten.ts';
import { readAuditFile } from '../audit/read-file.ts';
import { publishBacklog } from '../publish/publisher.ts';
import { addExamples } from './help/examples.ts';
import { pastMoment } from './options/moment.ts';
import { replayAudit } from './replay-audit.ts';
import { reportFailures } from './report-failures.ts';
import { printJson, printTable } from './table.ts';
import { withPool } from './with-pool.ts';

export const auditCommand = new Command('audit')
  .description('show what operators did: keys, accounts, hidden and shown tournaments, erased people')
  .option('--since <moment>', 'only what happened since then: an age like 7d or 12h, or a date', pastMoment)
  .option('--json', 'print JSON, which `audit replay` and `doctor --audit` read')
  .action(async ({ since, json }: { since?: Date; json?: true }) => {
    if (json) return printJson(await withPool((pool) => readAudit(pool, since)));
    const entries = await withPool((pool) => listEntries(pool, since));
    printTable(
      ['at', 'login', 'action', 'kind', 'thing'],
      entries.map(({ at, login, action, kind, thing }) => [
        `${at.toISOString().slice(0, 19)}Z`,
        login,
        action,
        kind,
        thing,
      ]),
    );
  });

auditCommand
  .command('replay')
  .description('after a restore, repeat what operators have done since the backup; safe to run twice')
  .argument('<file>', 'the latest output of `audit --json`')
  .option(
    '--same-installation',
    'take the file even if nothing shows that it belongs to this database: keys and accounts with other origins are left alone',
  )
  .action(async (file: string, { sameInstallation = false }: { sameInstallation?: boolean }) => {
    const saved = await readAuditFile(file);
    await withPool(async (pool) => {
      const { done, byHand, skipped, open } = await replayAudit(pool, {
        ...saved,
        isTrusted: sameInstallation,
      });
      if (saved.since !== null)
        console.error(
          `The file was saved with --since, so what happened before ${saved.since.toISOString()} was not repeated.`,
        );
      print('Repeated:', done);
      print('Do this yourself if it is still wanted (see docs/backups.md):', byHand);
      print('Skipped, because something else happened since the restore:', skipped);
      print('Skipped, although it leaves open what the file has closed (see docs/backups.md):', open);
      if (done.length + byHand.length + skipped.length + open.length === 0)
        console.log('The database has forgotten nothing.');
      // This includes what an earlier replay was killed before it could publish.
      reportFailures((await publishBacklog(pool)).failed);
    });
  });

function print(title: string, entries: ForgottenEntry[]): void {
  if (entries.length > 0) console.log(title);
  for (const { at, action, thing, differs, successors = [], recordedFor } of entries) {
    const replaced =
      successors.length === 0 ? undefined : `also revoked: its successors ${successors.join(', ')}`;
    const unknown =
      recordedFor === undefined ? undefined : `not in this database, and recorded for source ${recordedFor}`;
    const remark = differs ?? replaced ?? unknown;
    console.log(
      `  ${at.toISOString().slice(0, 19)}Z ${action} ${thing}${remark === undefined ? '' : `; ${remark}`}`,
    );
  }
}

addExamples(
  auditCommand,
  ['What happened in the last week', 'wartable audit --since 7d'],
  ['Everything, for a script', 'wartable audit --json'],
  [
    'Save it, and repeat it in the restored database',
    'wartable audit --json > audit.json',
    'wartable audit replay audit.json',
  ],
);
