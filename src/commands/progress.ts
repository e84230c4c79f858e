import type { ImportProgress } from '../record/import.ts';

type Output = Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

/**
 * Shows the progress of long work: on a terminal one line that is rewritten, otherwise a new line every 10
 * seconds. A file, a pipe or a terminal that cannot do it (TERM=dumb) gets no control characters.
 */
export function startProgress(stream: Output, terminal = process.env['TERM']) {
  const isRewritten = stream.isTTY === true && terminal !== 'dumb';
  const every = isRewritten ? 100 : 10_000;
  let shown = Date.now();
  let open = false;
  const clear = (): void => {
    if (open) stream.write('\r\u001b[K');
    open = false;
  };
  return {
    show(lineNow: () => string): void {
      const now = Date.now();
      if (now - shown < every) return;
      shown = now;
      const line = lineNow();
      if (!isRewritten) {
        stream.write(`${line}\n`);
        return;
      }
      clear();
      // A line that wraps could not be cleared.
      stream.write(line.slice(0, (stream.columns || 80) - 1));
      open = true;
    },
    /** Prints a line that is not rewritten. */
    print(line: string): void {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
}

export function importLine(progress: ImportProgress, seconds: number, bytes: number | undefined): string {
  const { records, battles, refused } = progress;
  const rate = Math.round((records + battles) / Math.max(seconds, 0.001));
  const parts = [`${records} records`, `${battles} battles`, `${rate}/s`];
  if (bytes !== undefined && progress.bytes > 0) {
    parts.push(`${duration((seconds * (bytes - progress.bytes)) / progress.bytes)} left`);
  }
  return [...parts, `${refused} refused`].join(' · ');
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
