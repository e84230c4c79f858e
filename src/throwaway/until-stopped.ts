import { sentenceOf } from '../failures/explain.ts';

/** What a run gets: when to stop, and where to put what must happen at its end. */
export interface Life {
  signal: AbortSignal;
  /** The last goes first. */
  ends: End[];
}

type End = () => Promise<unknown>;

/** For the end. The guard of PostgreSQL does not depend on it. */
const maxMs = 20_000;

/**
 * Runs until it is done or somebody stops it (Ctrl-C, SIGTERM, a closed terminal), then ends all that it started, and this
 * process.
 */
export async function untilStopped(
  command: string,
  farewell: string,
  run: (life: Life) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const ends: End[] = [];
  // A closed terminal takes no more words, but it must still end in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const end = async (): Promise<boolean> => {
    // Work that the end cuts off fails. The first to come here has the last word.
    if (stopping.signal.aborted) return false;
    stopping.abort();
    setTimeout(() => process.exit(1), maxMs);
    await endAll(ends);
    return true;
  };
  const stop = async (): Promise<void> => {
    if (!(await end())) return;
    console.log(farewell);
    // Work that was cut off may have said that it is not done.
    process.exit();
  };
  // Not closeWithGrace: a second signal would end the process at once. npm passes on a Ctrl-C that we have already.
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

/** The end of the process closes the pool: work that is cut off need not be waited for. */
async function endAll(ends: End[]): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end().catch(() => {});
}
