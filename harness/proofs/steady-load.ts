import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../measure/spread.ts';

interface Answered {
  /** The time of the answer, by performance.now(). */
  at: number;
  ms: number;
  status: number;
}

interface Phase {
  requests: number;
  failed: number;
  perSecond: number;
  /** The 99th percentile in milliseconds, for the requests that also began in this period. */
  p99: number;
}

export interface SteadyLoad {
  count: () => number;
  /** Returns what was answered between two times of performance.now(). */
  phase: (from: number, to: number) => Phase;
  /** Returns the longest time in milliseconds between two answers in this period. */
  longestGap: (from: number, to: number) => number;
  /** Returns the number of answers by status, such as `200: 1930, 503: 12`. */
  statuses: () => string;
  /** Makes callers take their next keys from these. */
  useKeys: (keys: string[]) => void;
  stop: () => Promise<void>;
}

/** Starts callers, each of which sends its next request after the answer to the last one. */
export function startLoad(apiUrl: string, keys: string[], callers: number): SteadyLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const answered: Answered[] = [];
  let inUse = keys;
  let sent = 0;
  const stopping = new AbortController();

  async function call(): Promise<void> {
    while (!stopping.signal.aborted) {
      sent += 1;
      const path = paths[sent % paths.length] ?? '';
      const key = inUse[sent % inUse.length] ?? '';
      const begun = performance.now();
      const status = await get(agent, `${apiUrl}/api/v1${path}`, key);
      const at = performance.now();
      answered.push({ at, ms: at - begun, status });
      // A failed request must not make the caller faster.
      if (status !== 200) await sleep(10);
    }
  }

  const calling = Array.from({ length: callers }, call);
  const between = (from: number, to: number) => answered.filter(({ at }) => at >= from && at < to);
  return {
    count: () => answered.length,
    phase(from, to) {
      const those = between(from, to);
      const times = those
        .filter(({ at, ms }) => at - ms >= from)
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b);
      return {
        requests: those.length,
        failed: those.filter(({ status }) => status !== 200).length,
        perSecond: (those.length / (to - from)) * 1_000,
        p99: quantile(times, 0.99),
      };
    },
    longestGap(from, to) {
      const moments = [from, ...between(from, to).map(({ at }) => at), to];
      return Math.max(...moments.slice(1).map((at, i) => at - (moments[i] ?? at)));
    },
    statuses() {
      const counts = Map.groupBy(answered, ({ status }) => status);
      return [...counts].map(([status, those]) => `${status}: ${those.length}`).join(', ');
    },
    useKeys: (next) => (inUse = next),
    async stop() {
      stopping.abort();
      await Promise.all(calling);
      agent.destroy();
    },
  };
}

const paths = [
  '/tournaments?limit=20',
  '/tournaments/event-0',
  '/tournaments/event-1/standings',
  '/tournaments/event-2/participants',
  '/tournaments/event-3/battles',
  '/clubs/club-0',
  '/clubs/club-1/tournaments',
];

/** Returns the status, or 0 if there was no answer. */
function get(agent: Agent, url: string, key: string): Promise<number> {
  return new Promise((resolve) => {
    const sending = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
    });
    sending.on('error', () => resolve(0));
    sending.end();
  });
}
