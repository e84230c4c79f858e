import { sentenceOf } from '../failures/explain.ts';

/**
 * The parameters of a run: a signal that says when to stop, and a list for everything that must happen at the
 * end.
 */
export interface Life {
  signal: AbortSignal;
  /** The last one is called first. */
  ends: End[];
}

type End = () => Promise<unknown>;

/** The time limit for ending everything. The guard of PostgreSQL does not depend on it. */
const maxMs = 20_000;

/**
 * Runs until the work is done or somebody stops it (Ctrl-C, SIGTERM, a closed terminal). Then ends everything
 * that it started, and finally this process.
 */
export async function untilStopped(
  command: string,
  farewell: string,
  run: (life: Life) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const ends: End[] = [];
  // A closed terminal accepts no more output, but everything must still end in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const end = async (): Promise<boolean> => {
    // Work that is cut off at the end fails. Only the first to get here reports the outcome.
    if (stopping.signal.aborted) return false;
    stopping.abort();
    setTimeout(() => process.exit(1), maxMs);
    await endAll(ends);
    return true;
  };
  const stop = async (): Promise<void> => {
    if (!(await end())) return;
    console.log(farewell);
    // Work that was cut off may have set a failure as the exit code.
    process.exit();
  };
  // We don't use closeWithGrace because it would end the process at once on a second signal, and npm passes
  // on a Ctrl-C that we have already received.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  const fail = async (error: unknown): Promise<void> => {
    if (!(await end())) return;
    console.error(`wartable: ${sentenceOf(error, command)}`);
    process.exit(2);
  };
  process.on('uncaughtException', (error) => void fail(error));
  try {
    await run({ signal: stopping.signal, ends });
  } catch (error) {
    await fail(error);
    return;
  }
  if (await end()) process.exit();
}

/**
 * Calls all the ends. The end of the process closes the pool, so there is no need to wait for work that is
 * cut off.
 */
async function endAll(ends: End[]): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end().catch(() => {});
}
