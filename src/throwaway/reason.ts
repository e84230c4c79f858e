/** Why PostgreSQL did not start. */
export interface Reason {
  problem: string;
  /** What to do about it, if that is known. */
  advice?: string | undefined;
}

/** Returns the reason from an error of one of PostgreSQL's programs, in the words of that program. */
export function reasonOf(error: unknown): Reason {
  const { stderr = '', message, code } = error as Error & { stderr?: string; code?: unknown };
  if (code === missingLibrary)
    return {
      problem: 'the Microsoft Visual C++ runtime is missing',
      advice: 'install it from https://aka.ms/vs/17/release/vc_redist.x64.exe',
    };
  return { problem: sentenceIn(stderr) ?? sentenceIn(message) ?? message };
}

/** The exit code 0xC0000135 of a program of which Windows cannot find a library. */
const missingLibrary = 3_221_225_781;

/**
 * Returns the line that says what is wrong. Other lines give hints, or say what a program did because of the
 * mistake. While a server starts, it refuses each connection with a fatal error, which is not the reason.
 */
function sentenceIn(output: string): string | undefined {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.includes('the database system is'));
  const line =
    lines.findLast((each) => /\b(?:FATAL|PANIC): /.test(each)) ??
    lines.findLast((each) => /\berror: /.test(each)) ??
    lines[0];
  return line?.replace(/^.*?\b(?:FATAL|PANIC|error): +/, '');
}
