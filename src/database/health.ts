import { setImmediate as nextTurn } from 'node:timers/promises';
import { isConnectionLoss, Unavailable } from '../availability/unavailable.ts';

/** The database does not answer at the moment, and another one does. */
export class DatabaseDown extends Unavailable {}

/** Made once: while the primary is away every read meets it, and an error with its stack takes longer than all else here. */
export const doesNotAnswer = new DatabaseDown('the database does not answer');

/** Whether one of several databases answers. */
export interface Health {
  /** True while it does not answer and another one does. So a single database is never down. */
  isDown: () => boolean;
  /** A query was sent. */
  begin: () => void;
  /** It ended, with this error or with an answer. */
  end: (error: unknown) => void;
}

export interface HealthOptions {
  /** Asks the database something easy on a connection of its own. Each probe has its own short time limit. */
  probes: ((signal: AbortSignal) => Promise<boolean>)[];
  onChange: (database: number, answers: boolean) => void;
  /** This database is down from now on: queries that wait for it should ask another one. */
  onDown: (database: number) => void;
  suspectMs?: number;
  probeAgainMs?: number;
}

export interface HealthGroup {
  /** In the order of the probes. */
  databases: Health[];
  close: () => void;
}

/**
 * Of each database:
 *
 *   answers ──► suspected    a connection broke, or queries waited for 200 ms and none was answered
 *   suspected ──► answers    a probe succeeds, or an answer came meanwhile
 *             └─► down       the probe fails; it is repeated every 250 ms until it succeeds
 *
 * A slow statement alone is no reason to leave a database alone, and a replica's old copy must not be sent because the primary
 * was busy. With a single database there is nothing to choose, so nothing is watched.
 */
export function createHealth({
  probes,
  onChange,
  onDown,
  suspectMs = 200,
  probeAgainMs = 250,
}: HealthOptions): HealthGroup {
  const closing = new AbortController();
  const members = probes.map((probe, index) => createMember(probe, index));
  // One timer for all queries.
  const watching =
    probes.length > 1 ? setInterval(() => members.forEach(look), suspectMs).unref() : undefined;

  const isDown = (member: Member) => !member.answers && members.some((other) => other.answers);

  function look(member: Member): void {
    if (member.waiting > 0 && member.answered === member.answeredBefore) member.suspect();
    member.answeredBefore = member.answered;
  }

  function createMember(probe: (signal: AbortSignal) => Promise<boolean>, index: number): Member {
    let isProbing = false;

    function suspect(): void {
      if (isProbing || probes.length === 1) return;
      isProbing = true;
      void probeUntilItAnswers();
    }

    async function probeUntilItAnswers(): Promise<void> {
      if (closing.signal.aborted) return;
      const before = member.answered;
      const isGood = await probe(closing.signal);
      // If this process was busy, answers may have arrived that it has not read yet.
      if (!isGood) await nextTurn();
      change(isGood || member.answered !== before);
      isProbing = !member.answers;
      if (isProbing) setTimeout(() => void probeUntilItAnswers(), probeAgainMs).unref();
    }

    function change(answers: boolean): void {
      if (closing.signal.aborted || member.answers === answers) return;
      member.answers = answers;
      onChange(index, answers);
      for (const [i, each] of members.entries()) if (isDown(each)) onDown(i);
    }

    const member: Member = {
      answers: true,
      waiting: 0,
      answered: 0,
      answeredBefore: 0,
      suspect,
      health: {
        isDown: () => isDown(member),
        begin: () => (member.waiting += 1),
        end: (error) => {
          member.waiting -= 1;
          if (error === undefined || isAnswer(error)) member.answered += 1;
          else if (isConnectionLoss(error)) suspect();
        },
      },
    };
    return member;
  }

  return {
    databases: members.map(({ health }) => health),
    close: () => {
      closing.abort();
      clearInterval(watching);
    },
  };
}

interface Member {
  answers: boolean;
  /** Queries without an answer. */
  waiting: number;
  /** Counts answers. */
  answered: number;
  /** When we last looked. */
  answeredBefore: number;
  suspect: () => void;
  health: Health;
}

/** Whether the error came from a PostgreSQL that works: a refusal is an answer, too. */
export function isAnswer(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) && !isConnectionLoss(error)
  );
}
