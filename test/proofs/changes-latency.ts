import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openImport } from '../support/open-import.ts';
import type { Answer, Get } from './changes-mirror.ts';
import { tolerate } from './changes-servers.ts';
import { onClient } from './proof.ts';

const changes = '/api/extra/v1/changes';

/** Milliseconds from a commit to its entry, of one change after the other. */
export async function measureLatency(
  url: string,
  get: Get,
  isEnough: () => boolean,
  isOver: () => boolean,
): Promise<number[]> {
  const { child, stdin, ended } = openImport({ DATABASE_URL: url });
  const found: number[] = [];
  const pause = async () => {
    assert.ok(!isOver(), 'it is over before a change was seen');
    await sleep(5);
  };
  const work = onClient(url, async (client) => {
    const committed = async (name: string) => {
      const { rows } = await client.query<{ revision: string }>(
        "select revision from published.club where slug = 'probe' and document like $1",
        [`%"${name}"%`],
      );
      return rows[0] && Number(rows[0].revision);
    };
    let { after } = JSON.parse((await firstAnswer(get, changes)).text) as { after: string };
    /** Whether a page that was not read before has it. */
    const isListed = async (revision: number): Promise<boolean> => {
      const { text } = await get(`${changes}?limit=100&after=${after}`);
      const page = JSON.parse(text) as { data: { key: string; revision: number }[]; after: string };
      after = page.after;
      return page.data.some((entry) => entry.key === 'probe' && entry.revision >= revision);
    };
    for (let number = 0; number === 0 || !isEnough(); number += 1) {
      stdin.write(`${JSON.stringify({ kind: 'club', slug: 'probe', name: `Probe ${number}` })}\n`);
      let revision: number | undefined;
      while ((revision = await committed(`Probe ${number}`)) === undefined) await pause();
      const committedAt = performance.now();
      while ((await isListed(revision).catch(tolerate(() => {}))) !== true) await pause();
      found.push(performance.now() - committedAt);
      await sleep(50);
    }
  });
  await work.catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  stdin.end();
  assert.equal((await ended).code, 0);
  return found;
}

async function firstAnswer(get: Get, target: string): Promise<Answer> {
  for (;;) {
    const answer = await get(target).catch(tolerate(() => {}));
    if (answer !== undefined) return answer;
  }
}
