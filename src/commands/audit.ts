import { Command } from 'commander';
import { listEntries } from '../audit/entries.ts';
import { addExamples } from './help/examples.ts';
import { pastMoment } from './options/moment.ts';
import { printJson, printTable } from './table.ts';
import { withPool } from './with-pool.ts';

export const auditCommand = new Command('audit')
  .description('show what operators did: keys, accounts, hidden and shown tournaments, erased people')
  .option('--since <moment>', 'only what happened since then: an age like 7d or 12h, or a date', pastMoment)
  .option('--json', 'print a JSON array')
  .action(async ({ since, json }: { since?: Date; json?: true }) => {
    const entries = await withPool((pool) => listEntries(pool, since));
    if (json) return printJson(entries);
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

addExamples(
  auditCommand,
  ['What happened in the last week', 'wartable audit --since 7d'],
  ['Everything, for a script', 'wartable audit --json'],
);
