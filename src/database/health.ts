import { setImmediate as nextTurn } from 'node:timers/promises';
import { isConnectionLoss, Unavailable } from '../availability/unavailable.ts';

/** Thrown when a database does not answer at the moment but another one does. */
export class DatabaseDown extends Unavailable {}

/**
 * Created only once, because every read gets this error while the primary is away, and recording a stack
 * trace takes longer than everything else here.
 */
export const doesNotAnswer = new DatabaseDown('the database does not answer');

/** The health of one of several databases. */
export interface DatabaseHealth {
  /** True while it does not answer but another one does, so a single database is never down. */
  isDown: () => boolean;
  /** Records that a query was sent. */
  begin: () => void;
  /** Records that a query ended, with an error or (undefined) with its rows. */
  end: (error: unknown) => void;
}

export interface HealthOptions {
  /** Each asks its database something easy on a connection of its own, with a short time limit of its own. */
  probes: ((signal: AbortSignal) => Promise<boolean>)[];
  onChange: (database: number, answers: boolean) => void;
  /** Called when this database goes down. Queries that wait for it should ask another one. */
  onDown: (database: number) => void;
  suspectMs?: number;
  probeAgainMs?: number;
}

export interface HealthGroup {
  /** The databases in the order of the probes. */
  databases: DatabaseHealth[];
  close: () => void;
}

/**
 * Watches databases. Each of them changes between these states:
 *
 *   answers ──► suspected    a connection broke, or queries waited for 200 ms and none was answered
 *   suspected ──► answers    a probe succeeds, or an answer came meanwhile
 *             └─► down       the probe fails; it is repeated every 250 ms until it succeeds
 *
 * A slow statement is not enough to give a database up, and a replica's older copy must not be served just
 * because the primary was busy. With a single database there is nothing to choose from, so nothing is
 * watched.
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
  // One timer serves all queries.
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
  /** Number of queries that wait for an answer. */
  waiting: number;
  /** Number of answers so far. */
  answered: number;
  /** Number of answers when we last looked. */
  answeredBefore: number;
  suspect: () => void;
  health: DatabaseHealth;
}

/** Returns true if the error came from a PostgreSQL that works. A refusal is an answer, too. */
export function isAnswer(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) && !isConnectionLoss(error)
  );
}
