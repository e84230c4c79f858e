import { createKeyForAccount } from '../src/keys/store.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { startPostgres } from '../harness/support/postgres.ts';
import { createPool } from '../src/database/pool.ts';
import { withDatabase } from '../harness/proofs/proof.ts';
import { publishFeedOf } from '../harness/proofs/site-world.ts';
import { type Request, startCaller } from '../harness/measure/load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { startServe } from '../harness/measure/serve-process.ts';
import { spreadOf } from '../harness/measure/spread.ts';

/**
 * Compares the page of a board of 200 players with the answer of the API for the same board, in turns of one
 * second.
 */
export const site: Measurement = async (options) => {
  const postgres = await startPostgres();
  try {
    return await withDatabase(postgres.url, async (url) => {
      const pool = createPool(url, { applicationName: 'wartable-bench', size: 4 });
      // There are enough boards that no two callers in one turn ask for the same one at the same time,
      // because they would share one read.
      const feed = Array.from({ length: 24 }, (_, seed) =>
        eventFeed(
          { seed, players: 200, format: 'swiss', rounds: 5, start: dayNumber('2025-03-01') },
          'finished',
        ),
      ).flat();
      await publishFeedOf(url, pool, feed);
      const machine = machineLine(await machineOf(pool));
      const { key } = await createKeyForAccount(pool, 'bench');
      const { rows } = await pool.query<{ slug: string }>('select slug from published.tournament');
      // Answers in memory are compressed only once. Compressing each cold one would hide what making it
      // costs.
      const headersOf = (isHot: boolean) => (isHot ? { 'accept-encoding': 'br' } : {});
      const pagesOf = (isHot: boolean) =>
        rows.map(({ slug }): Request => ({ path: `/tournaments/${slug}`, headers: headersOf(isHot) }));
      const answersOf = (isHot: boolean) =>
        rows.map(({ slug }): Request => ({
          path: `/api/v1/tournaments/${slug}/standings`,
          headers: { authorization: `Bearer ${key}`, ...headersOf(isHot) },
        }));
      const lines = [machine];
      const figures: Record<string, unknown> = { machine };
      const failures: string[] = [];
      // A cold page reads more than the answer does, so this figure has no bar.
      for (const [name, megabytes, least] of [
        ['cold', '0', undefined],
        ['hot', '64', 0.8],
      ] as const) {
        options.say(`${name} …`);
        const server = await startServe(url, { CACHE_MB: megabytes });
        const caller = startCaller();
        try {
          const rates = { page: [] as number[], answer: [] as number[] };
          for (let slice = 0; slice < options.slices + 1; slice += 1) {
            const ofPage = await caller.call(server.siteOrigin, pagesOf(name === 'hot'), { seconds: 1 });
            const ofAnswer = await caller.call(server.origin, answersOf(name === 'hot'), { seconds: 1 });
            // The first turn warms up.
            if (slice === 0) continue;
            rates.page.push(ofPage.answers / ofPage.seconds);
            rates.answer.push(ofAnswer.answers / ofAnswer.seconds);
          }
          const [ofPages, ofAnswers] = [spreadOf(rates.page), spreadOf(rates.answer)];
          const ratio = Math.round((ofPages.median / ofAnswers.median) * 100) / 100;
          const bar = least === undefined ? '' : ` (at least ${least})`;
          if (least !== undefined && ratio < least) failures.push(`a page, ${name}: ${ratio}`);
          figures[name] = { pages: ofPages, answers: ofAnswers, ratio, least };
          lines.push(
            `${name}: ${ofPages.median} pages a second, ${ofAnswers.median} answers a second; ratio ${ratio}${bar}`,
          );
        } finally {
          await caller.close();
          await server.close();
        }
      }
      await pool.end();
      return { lines, figures, failures };
    });
  } finally {
    await postgres.remove();
  }
};
