import { setImmediate as nextTurn } from 'node:timers/promises';
import { isConnectionLoss, Unavailable } from './unavailable.ts';

/** The database does not answer at the moment, and another one does. */
export class LeftAlone extends Unavailable {}

/** Made once: while the primary is away every read meets it, and an error with its stack takes longer than all else here. */
const doesNotAnswer = new LeftAlone('the database does not answer');

/** Whether one of several databases answers. */
export interface Health {
  /** True while it does not answer and another one does. So a single database is never left alone. */
  isLeftAlone: () => boolean;
  /** Runs a query. Rejects with LeftAlone as soon as the database is left alone: the caller can ask another one. */
  watch: <T>(query: () => Promise<T>) => Promise<T>;
}

export interface HealthOptions {
  /** Asks the database something easy on a connection of its own. Each probe has its own short time limit. */
  probes: ((signal: AbortSignal) => Promise<boolean>)[];
  onChange: (database: number, answers: boolean) => void;
  suspectMs?: number;
  probeAgainMs?: number;
}

export interface HealthGroup {
  /** In the order of the probes. */
  databases: Health[];
  close: () => void;
}

/**
 * A database is suspected when a connection to it breaks, or when queries wait and none is answered for a moment. Then
 * we probe it. A slow statement alone is no reason to leave a database alone, and a replica's old copy must not be sent
 * because the primary was busy. While the probe fails, queries go to another database, also those that wait already. The
 * probe is repeated until it succeeds.
 */
export function createHealth({
  probes,
  onChange,
  suspectMs = 200,
  probeAgainMs = 250,
}: HealthOptions): HealthGroup {
  const closing = new AbortController();
  const members = probes.map((probe, index) => createMember(probe, index));

  const isLeftAlone = (member: Member) => !member.answers && members.some((other) => other.answers);

  function createMember(probe: (signal: AbortSignal) => Promise<boolean>, index: number): Member {
    const waiting = new Set<() => void>();
    let answered = 0;
    let isProbing = false;

    function suspect(): void {
      if (isProbing || probes.length === 1) return;
      isProbing = true;
      void probeUntilItAnswers();
    }

    async function probeUntilItAnswers(): Promise<void> {
      if (closing.signal.aborted) return;
      const before = answered;
      const isGood = await probe(closing.signal);
      // If this process was busy, answers may have arrived that it has not read yet.
      if (!isGood) await nextTurn();
      change(isGood || answered !== before);
      isProbing = !member.answers;
      if (isProbing) setTimeout(() => void probeUntilItAnswers(), probeAgainMs).unref();
    }

    function change(answers: boolean): void {
      if (closing.signal.aborted || member.answers === answers) return;
      member.answers = answers;
      onChange(index, answers);
      for (const each of members) if (isLeftAlone(each)) each.giveUp();
    }

    async function watch<T>(query: () => Promise<T>): Promise<T> {
      if (isLeftAlone(member)) throw doesNotAnswer;
      const leaving = Promise.withResolvers<never>();
      const giveUp = () => leaving.reject(new LeftAlone('the database stopped answering'));
      let before = answered;
      const timer = setInterval(() => {
        if (answered === before) suspect();
        before = answered;
      }, suspectMs);
      waiting.add(giveUp);
      try {
        return await Promise.race([leaving.promise, noted(query())]);
      } finally {
        clearInterval(timer);
        waiting.delete(giveUp);
      }
    }

    async function noted<T>(query: Promise<T>): Promise<T> {
      try {
        const result = await query;
        answered += 1;
        return result;
      } catch (error) {
        if (isConnectionLoss(error)) suspect();
        else if (isAnswer(error)) answered += 1;
        throw error;
      }
    }

    const member: Member = {
      answers: true,
      giveUp: () => waiting.forEach((each) => each()),
      health: { isLeftAlone: () => isLeftAlone(member), watch },
    };
    return member;
  }

  return { databases: members.map(({ health }) => health), close: () => closing.abort() };
}

interface Member {
  answers: boolean;
  /** Ends the wait of all queries. */
  giveUp: () => void;
  health: Health;
}

/** Whether the error came from a PostgreSQL that works: a refusal is an answer, too. */
export function isAnswer(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) && !isConnectionLoss(error)
  );
}
