import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the processes that this process started, and those that they started. It reads /proc, so it needs
 * Linux.
 */
async function descendants(except: number[] = []): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The text has the form `12 (name) S 11 …`. A zombie has ended, but its parent has not asked for its exit
    // status yet.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, state, parent] = /\) (\S) (\d+) [^)]*$/.exec(stat) ?? [];
    if (parent !== undefined && state !== 'Z') parents.set(Number(name), Number(parent));
  }
  const found = new Set([process.pid]);
  const left = new Set(except);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent) && !left.has(pid)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found];
}

/**
 * Ends the processes by their ids, first with SIGINT and then with SIGKILL. Frozen ones are continued first.
 * Returns how many there were.
 */
export async function endDescendants(except: number[] = []): Promise<number> {
  const those = await descendants(except);
  send(those, 'SIGCONT');
  // PostgreSQL ends at once on SIGINT. On SIGTERM it would wait for its clients.
  send(those, 'SIGINT');
  for (let waited = 0; waited < 50; waited += 1) {
    if ((await descendants(except)).length === 0) return those.length;
    await sleep(100);
  }
  send(await descendants(except), 'SIGKILL');
  return those.length;
}

function send(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
}
