import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { createPool } from '../database/pool.ts';
import { examine } from '../doctor/examine.ts';

export const doctorCommand = new Command('doctor')
  .description('look at the installation and say what is wrong; the exit code is 1 if there is a fault')
  .option('--thorough', 'compare all documents with a fresh derivation, not a sample')
  .option('--json', 'print a JSON array')
  .action(async ({ thorough = false, json }: { thorough?: boolean; json?: true }) => {
    const { databaseUrl, readUrls } = readConfig(process.env);
    const pool = createPool(databaseUrl, {
      applicationName: 'wartable-doctor',
      size: 2,
    });
    try {
      const findings = await examine({ pool, readUrls, thorough, now: Date.now });
      if (json) console.log(JSON.stringify(findings, null, 2));
      else if (findings.length === 0) console.log('Nothing is wrong.');
      else for (const { level, sentence } of findings) console.log(`${level}: ${sentence}`);
      if (findings.some(({ level }) => level === 'fault')) process.exitCode = 1;
    } finally {
      await pool.end();
    }
  });
