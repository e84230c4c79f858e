// Performs jobs with wartable.mjs: all jobs at once, and the calls of a job one after the other. Runs on any
// version of Node, and in a page.

export async function perform({ Wartable }, jobs) {
  return Promise.all(jobs.map((job) => performJob(Wartable, job)));
}

async function performJob(Wartable, { options, calls, atOnce = false }) {
  const api = new Wartable(options);
  if (atOnce) return Promise.all(calls.map((call) => performCall(api, call)));
  const results = [];
  for (const call of calls) results.push(await performCall(api, call));
  return results;
}

/** `name` is a method. `take` ends an iterator after so many rows. */
async function performCall(api, { name, args = [], options, take }) {
  try {
    const [last, group] = name.split('.').toReversed();
    const owner = group === undefined ? api : api[group];
    const given =
      options?.wanted === undefined
        ? options
        : { ...options, wanted: (each) => each.kind === options.wanted };
    const result = owner[last](...args, ...(given === undefined ? [] : [given]));
    if (result[Symbol.asyncIterator] === undefined) return { value: await result };
    const rows = [];
    for await (const row of result) if (rows.push(row) === take) break;
    return { value: rows };
  } catch (error) {
    const { name: kind, message, status, code, requestId, retryAfter } = error;
    return { error: { kind, message, status, code, requestId, retryAfter } };
  }
}

if (globalThis.process?.argv[1]?.endsWith('perform.mjs')) {
  const jobs = JSON.parse(await new Response(process.stdin).text());
  const client = await import('../../docs/recipes/client/wartable.mjs');
  process.stdout.write(JSON.stringify(await perform(client, jobs)));
}
