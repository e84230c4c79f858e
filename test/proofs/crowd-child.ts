import { Agent, get } from 'node:http';
import { parseArgs } from 'node:util';

// node test/proofs/crowd-child.ts --url URL --key KEY --callers N --seconds S
//
// N callers, each on its own connection. Each sends the next request after an answer, until the time is over.
// Prints how often each status came, and the longest and the 99th percentile of the times in milliseconds.
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    callers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '0' },
  },
});
const callers = Number(values.callers);
const agent = new Agent({ keepAlive: true, maxSockets: callers });
const statuses: Record<string, number> = {};
const times: number[] = [];
const endAt = performance.now() + Number(values.seconds) * 1_000;

await Promise.all(Array.from({ length: callers }, callUntilTheEnd));
agent.destroy();
times.sort((a, b) => a - b);
console.log(JSON.stringify({ statuses, p99: times[Math.floor(times.length * 0.99)], longest: times.at(-1) }));

async function callUntilTheEnd(): Promise<void> {
  do {
    const startedAt = performance.now();
    const status = await statusOf();
    times.push(Math.round(performance.now() - startedAt));
    statuses[status] = (statuses[status] ?? 0) + 1;
  } while (performance.now() < endAt);
}

function statusOf(): Promise<string> {
  const headers = { authorization: `Bearer ${values.key}` };
  return new Promise((resolve) => {
    get(values.url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
