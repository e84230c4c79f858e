#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEnvFile } from 'node:process';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { feedCommand } from './commands/feed.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { publishCommand } from './commands/publish.ts';
import { serveCommand } from './commands/serve.ts';
import { tournamentsCommand } from './commands/tournaments.ts';
import { worldCommand } from './commands/world.ts';
import { ForeignFormat } from './record/foreign-format.ts';

if (existsSync('.env')) loadEnvFile('.env');

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = new Command('wartable')
  .version(version)
  .description('Results of tabletop-wargame tournaments as a read-only JSON API')
  .addCommand(migrateCommand)
  .addCommand(importCommand)
  .addCommand(publishCommand)
  .addCommand(tournamentsCommand)
  .addCommand(serveCommand)
  .addCommand(keysCommand)
  .addCommand(accountsCommand)
  .addCommand(feedCommand)
  .addCommand(worldCommand);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`wartable: ${messageOf(error)}`);
  process.exitCode = error instanceof ForeignFormat ? 2 : 1;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const isUnmigrated = code === '42P01' || code === '3F000';
  return isUnmigrated ? 'The database is not migrated: run `wartable migrate`.' : error.message || error.name;
}
