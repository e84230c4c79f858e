#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { publishCommand } from './commands/publish.ts';
import { serveCommand } from './commands/serve.ts';

if (existsSync('.env')) loadEnvFile('.env');

const program = new Command('wartable')
  .description('Results of tabletop-wargame tournaments as a read-only JSON API')
  .addCommand(migrateCommand)
  .addCommand(importCommand)
  .addCommand(publishCommand)
  .addCommand(serveCommand)
  .addCommand(keysCommand)
  .addCommand(accountsCommand);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`wartable: ${error instanceof Error ? error.message || error.name : String(error)}`);
  process.exitCode = 1;
}
