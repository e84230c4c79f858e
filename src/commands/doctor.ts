import { Command } from 'commander';
import { readAuditFile } from '../audit/read-file.ts';
import { readConfig } from '../config/config.ts';
import { createPool } from '../database/pool.ts';
import { examine } from '../doctor/examine.ts';
import { durationMs } from './options/moment.ts';

interface Options {
  thorough?: boolean;
  audit?: string;
  sameInstallation?: boolean;
  backupAge?: number;
  json?: true;
}

export const doctorCommand = new Command('doctor')
  .description('check the installation and say what is wrong; the exit code is 1 if there is a fault')
  .option('--thorough', 'compare all documents with a fresh derivation, not just a sample')
  .option(
    '--audit <file>',
    'the output of `audit --json`: check whether a restored database has forgotten any of it',
  )
  .option('--same-installation', 'with --audit: take the file even if nothing shows that it belongs here')
  .option('--backup-age <age>', 'how old the newest backup may be, like 12h (default: 26h)', durationMs)
  .option('--json', 'print a JSON array')
  .action(async ({ thorough = false, audit, sameInstallation, backupAge: backupAgeMs, json }: Options) => {
    const { databaseUrl, readUrls, trialKey } = readConfig(process.env);
    const saved = audit === undefined ? undefined : { file: audit, ...(await readAuditFile(audit)) };
    const savedAudit = saved && { ...saved, isTrusted: sameInstallation === true };
    const pool = createPool(databaseUrl, {
      applicationName: 'wartable-doctor',
      size: 2,
    });
    try {
      const about = { readUrls, trialKey, thorough, savedAudit, backupAgeMs };
      const findings = await examine({ pool, ...about, now: Date.now });
      if (json) console.log(JSON.stringify(findings, null, 2));
      else if (findings.length === 0) console.log('Nothing is wrong.');
      else for (const { level, sentence } of findings) console.log(`${level}: ${sentence}`);
      if (findings.some(({ level }) => level === 'fault')) process.exitCode = 1;
    } finally {
      await pool.end();
    }
  });
