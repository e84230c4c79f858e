import type { ImportProgress } from '../record/import.ts';

/** Shows the progress of long work: on a terminal one line that is rewritten, otherwise a new line every 10 s. */
export function startProgress(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>) {
  const every = stream.isTTY ? 100 : 10_000;
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
      if (!stream.isTTY) {
        stream.write(`${line}\n`);
        return;
      }
      clear();
      stream.write(line);
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
