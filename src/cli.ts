#!/usr/bin/env node
import { Command } from 'commander';

const program = new Command('wartable').description(
  'Results of tabletop-wargame tournaments as a read-only JSON API',
);

await program.parseAsync();
