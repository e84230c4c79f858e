// `wartable import --metrics-file`: what the textfile collector of node_exporter reads. An import ends, so Prometheus
// cannot scrape it.
import {
  closeSync,
  fchmodSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { ImportProgress, Recorded } from '../record/import.ts';

const everyMs = 5_000;

export interface ImportMetrics {
  progress: (progress: ImportProgress) => void;
  recorded: (recorded: Pick<Recorded, 'line'>) => void;
}

/** Writes the file now, every few seconds, and when the process ends. It never throws: the import is worth more. */
export function startImportMetrics(file: string, tell: (line: string) => void): ImportMetrics {
  const label = `{import="${nameOf(file)}"}`;
  const started = seconds();
  let line = 0;
  let counts = { records: 0, battles: 0, refused: 0 };
  let ended = lastEnd(file);
  let isTold = false;

  function write(running: 0 | 1): void {
    const values: [name: string, type: 'gauge' | 'counter', help: string, value: number | undefined][] = [
      ['running', 'gauge', '1 while the import runs. One that is killed with SIGKILL leaves 1.', running],
      ['started_timestamp_seconds', 'gauge', 'When the import started.', started],
      ['updated_timestamp_seconds', 'gauge', 'When this file was written.', seconds()],
      ['line', 'gauge', 'All lines of the current file up to this one are recorded or refused.', line],
      ['records_total', 'counter', 'Records that this import recorded.', counts.records],
      ['battles_total', 'counter', 'Battles in them.', counts.battles],
      ['refused_total', 'counter', 'Lines that this import refused.', counts.refused],
      [
        'exit_code',
        'gauge',
        'Of the last import that ended: 0 done, 1 something refused, 2 could not run.',
        ended.code,
      ],
      ['last_success_timestamp_seconds', 'gauge', 'When an import last ended with 0.', ended.succeeded],
    ];
    const lines = values.flatMap(([name, type, help, value]) =>
      value === undefined
        ? []
        : [
            `# HELP wartable_import_${name} ${help}`,
            `# TYPE wartable_import_${name} ${type}`,
            `wartable_import_${name}${label} ${value}`,
          ],
    );
    const beside = `${file}.${process.pid}.tmp`;
    try {
      // A killed import with the same process id may have left one behind, and somebody else a link to another file.
      remove(beside);
      const handle = openSync(beside, 'wx');
      try {
        writeFileSync(handle, `${lines.join('\n')}\n`);
        // The collector is another user, and the umask may hide the file from it. It has only numbers.
        fchmodSync(handle, 0o644);
      } finally {
        closeSync(handle);
      }
      renameSync(beside, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!isTold) tell(`The metrics file ${file} cannot be written (${code}); the import goes on.`);
      isTold = true;
      remove(beside);
    }
  }

  process.once('exit', (code) => {
    ended = { code, succeeded: code === 0 ? seconds() : ended.succeeded };
    write(0);
  });
  // Stopped on purpose: no end that could be good or bad.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      write(0);
      process.kill(process.pid, signal);
    });
  // Only now: a signal before the handlers are there must not leave a file that says 1.
  write(1);
  setInterval(() => write(1), everyMs).unref();
  return {
    progress: (now) => (counts = { ...now }),
    recorded: (now) => ({ line } = now),
  };
}

/** What the import before this one left in the file. */
function lastEnd(file: string): { code: number | undefined; succeeded: number | undefined } {
  let text = '';
  try {
    // A pipe would block the import.
    if (statSync(file).isFile()) text = readFileSync(file, 'utf8');
  } catch {
    // The first import, or write() tells it.
  }
  const value = (name: string) => {
    const [, found] = new RegExp(`^wartable_import_${name}\\{.*\\} ([\\d.]+)$`, 'm').exec(text) ?? [];
    const number = Number(found);
    return Number.isFinite(number) ? number : undefined;
  };
  return { code: value('exit_code'), succeeded: value('last_success_timestamp_seconds') };
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder may be read-only now.
  }
}

/** Two files with the same label would be a fault for the collector, so the label is the name of the file. */
function nameOf(file: string): string {
  return path
    .basename(file, '.prom')
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

function seconds(): number {
  return Date.now() / 1_000;
}
