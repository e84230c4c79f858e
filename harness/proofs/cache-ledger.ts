import assert from 'node:assert/strict';
import { hash } from 'node:crypto';

// Judges answers by what was committed and when, and by what each instance has sent.

export const promptMs = 1_000;
const deafMs = 5_000;

interface Change {
  sequence: number;
  revision: number;
  /** Undefined until the writer knows that the change is committed. */
  committed: Moment | undefined;
}

/**
 * A point in time. Servers, readers and the writer share one process; `awakeMs` leaves out the periods in
 * which it could not run.
 */
interface Moment {
  ms: number;
  awakeMs: number;
}

interface Asked {
  instance: number;
  target: string;
  at: Moment;
  /** The newest revision that the instance had sent for the target. */
  floor: number;
  era: number;
}

export interface Ledger {
  /** Must be called before the commit. Returns a function to call after it. */
  change: (targets: readonly string[], sequence: number, revision: number) => () => void;
  ask: (instance: number, target: string) => Asked;
  /** Throws if the answer breaks a rule. */
  judge: (asked: Asked, answer: { etag: string; body: string | undefined }) => void;
  /**
   * Notes that instances may receive no notices from now on. Returns a function to call when they receive
   * them again.
   */
  deafen: () => () => void;
  /** Notes that the primary does not answer from now on. */
  suspend: () => void;
  /**
   * Notes that the primary answers again. Commits with a newer revision than the target's present one are
   * lost.
   */
  resume: (revisions: ReadonlyMap<string, number>) => void;
  counts: () => { judged: number; observed: number; lost: number; oldestMs: number; oldestDeafMs: number };
  wasObserved: (sequence: number) => boolean;
  close: () => void;
}

export function createLedger(targets: readonly string[]): Ledger {
  const changes = new Map<string, Change[]>(targets.map((target) => [target, []]));
  const sent = new Map<string, number>();
  const bodies = new Map<string, string>();
  const observed = new Set<number>();
  /** Periods, which may overlap, in which instances may receive no notices. */
  const deafTimes: { from: number; until: number }[] = [];
  let era = 0;
  let isSuspended = false;
  let judged = 0;
  let lost = 0;
  const oldest = { prompt: 0, deaf: 0 };
  const clock = createClock();

  const changesOf = (target: string) => changes.get(target) ?? [];

  function judgeBody(target: string, etag: string, revision: number, body: string): void {
    const digest = hash('sha256', body);
    const known = bodies.get(etag);
    assert.ok(known === undefined || known === digest, `two bodies under ${etag}: ${body.slice(0, 300)}`);
    bodies.set(etag, digest);
    const sequences = [...body.matchAll(/seq (\d+)/g)].map(([, sequence]) => Number(sequence));
    const shown = Math.max(...sequences);
    observed.add(shown);
    const change = changesOf(target).find((each) => each.revision === revision);
    if (change !== undefined) assert.equal(shown, change.sequence, `${target} under ${etag}`);
  }

  /** Returns how long before the request the first change was committed that the answer does not show. */
  function ageOf({ target, at }: Asked, revision: number): Moment {
    const committed = changesOf(target).find((change) => change.revision > revision)?.committed ?? at;
    return { ms: Math.max(at.ms - committed.ms, 0), awakeMs: Math.max(at.awakeMs - committed.awakeMs, 0) };
  }

  return {
    change(moved, sequence, revision) {
      const change: Change = { sequence, revision, committed: undefined };
      for (const target of moved) {
        const all = changesOf(target);
        all.push(change);
        // No answer is that old, and this keeps the search short.
        if (all.length > 3_000) all.splice(0, 1_000);
      }
      return () => (change.committed = clock.now());
    },
    ask: (instance, target) => ({
      instance,
      target,
      at: clock.now(),
      floor: sent.get(`${instance} ${target}`) ?? 0,
      era,
    }),
    judge(asked, { etag, body }) {
      const { instance, target, at, floor } = asked;
      const revision = Number(/^W\/"(\d+)\./.exec(etag)?.[1]);
      assert.ok(revision > 0, `${target} has the tag ${etag}`);
      if (body !== undefined) judgeBody(target, etag, revision, body);
      if (isSuspended || asked.era !== era) return;
      const name = `${target} of instance ${instance}`;
      assert.ok(revision >= floor, `${name}: ${revision} after ${floor}`);
      const isDeaf = deafTimes.some(({ from, until }) => from <= at.ms && at.ms <= until + promptMs);
      const { ms, awakeMs } = ageOf(asked, revision);
      assert.ok(ms < deafMs || !isDeaf, `${name}: ${Math.round(ms)} ms old while it may be deaf`);
      assert.ok(awakeMs < promptMs || isDeaf, `${name}: ${Math.round(awakeMs)} ms old`);
      if (isDeaf) oldest.deaf = Math.max(oldest.deaf, ms);
      else oldest.prompt = Math.max(oldest.prompt, awakeMs);
      const key = `${instance} ${target}`;
      sent.set(key, Math.max(sent.get(key) ?? 0, revision));
      judged += 1;
    },
    deafen() {
      const time = { from: performance.now(), until: Infinity };
      deafTimes.push(time);
      return () => (time.until = performance.now());
    },
    suspend() {
      isSuspended = true;
      era += 1;
    },
    resume(revisions) {
      const gone = new Set<number>();
      for (const [target, revision] of revisions) {
        const all = changesOf(target);
        for (const change of all) if (change.revision > revision) gone.add(change.sequence);
        changes.set(
          target,
          all.filter((change) => change.revision <= revision),
        );
      }
      lost += gone.size;
      sent.clear();
      era += 1;
      isSuspended = false;
    },
    counts: () => ({
      judged,
      observed: observed.size,
      lost,
      oldestMs: Math.round(oldest.prompt),
      oldestDeafMs: Math.round(oldest.deaf),
    }),
    wasObserved: (sequence) => observed.has(sequence),
    close: clock.close,
  };
}

function createClock(): { now: () => Moment; close: () => void } {
  let last = performance.now();
  let awakeMs = 0;
  const timer = setInterval(() => {
    awakeMs += Math.min(performance.now() - last, 2 * tickMs);
    last = performance.now();
  }, tickMs);
  return { now: () => ({ ms: performance.now(), awakeMs }), close: () => clearInterval(timer) };
}

const tickMs = 10;
