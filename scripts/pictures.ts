import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { createPool, type Pool } from '../src/database/pool.ts';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventFeed, eventSeries } from '../src/world/one-event.ts';
import { feedOf, sheetsIn } from '../harness/convert/fixtures.ts';
import { withDatabase } from '../harness/proofs/proof.ts';
import { startProofServer } from '../harness/proofs/serving.ts';
import { publishFeedOf, siteFeed } from '../harness/proofs/site-world.ts';
import { type Look, startBrowser } from '../harness/support/browser.ts';
import { startPostgres } from '../harness/support/postgres.ts';

// npm run pictures            the pictures of the documents, in docs/pictures
// npm run pictures -- FOLDER  each kind of page of an invented world in FOLDER, at 390 and 1,280 px,
//                             light and dark, and each scene of the screen in the hall at three sizes
const folder = process.argv[2];
const documents = new URL('../docs/pictures/', import.meta.url).pathname;
await mkdir(folder ?? documents, { recursive: true });
const start = '2026-06-30';
mock.timers.enable({ apis: ['Date'], now: Date.parse(`${start}T08:00:00Z`) });
const given = process.env['TEST_DATABASE_URL'];
const throwaway = given === undefined ? await startPostgres() : undefined;
const browser = await startBrowser();
if (browser === undefined) throw new Error('Pictures need Chromium: install the package chromium.');

/** An event with table numbers, so the page says where to sit. */
const live = eventSeries({
  seed: 67,
  players: 32,
  format: 'swiss+knockout',
  rounds: 5,
  start: dayNumber(start),
});

const slug = live.flatMap(({ record }) => (record.kind === 'tournament' ? record.slug : []))[0];
const event = `/tournaments/${slug}`;

/**
 * Returns how many records of the event there are until that many battles of a round are known, and that many
 * have a result.
 */
function recordsUntil(stage: string, round: number, battles: number, results: number): number {
  const open = new Set<string>();
  const over = new Set<string>();
  const last = live.findIndex(({ record }) => {
    if (record.kind !== 'battle' || !('stage' in record)) return false;
    if (record.stage !== stage || record.round !== round) return false;
    (record.finished ? over : open).add(record.id);
    return open.size >= battles && over.size >= results;
  });
  return last + 1;
}

/** The pages that a phone and a wide screen show at some moments of the event. */
const moments: [records: number, pages: Record<string, string>][] = [
  [
    live.findIndex(({ record }) => record.kind === 'tournament' && record.status === 'ongoing'),
    { planned: '' },
  ],
  [recordsUntil('swiss', 3, 16, 0), { before: '' }],
  [
    recordsUntil('swiss', 3, 16, 9),
    {
      during: '',
      participant: '/players/e1',
      rounds: '/rounds',
      'rounds-by-name': '/rounds?by=player',
      players: '/participants',
      embed: 'embed',
    },
  ],
  [recordsUntil('swiss', 3, 16, 16), { between: '' }],
  [recordsUntil('knockout', 1, 2, 1), { 'bracket-running': '?stage=knockout' }],
  [live.length, { finished: '' }],
];

/** Pages of the rest of the world. */
const others: Record<string, (pool: Pool) => Promise<string>> = {
  bracket: (pool) =>
    one(
      pool,
      `select '/tournaments/' || slug || '?stage=knockout' as path from published.tournament
        where status = 'finished' and 'placement-swiss' = any(stages) order by length(document) desc`,
    ),
  groups: (pool) =>
    one(
      pool,
      `select '/tournaments/' || tournament || '?stage=' || stage as path from published.standings
        where document like '%"group"%' order by length(document) desc`,
    ),
  player: (pool) =>
    one(
      pool,
      `select '/players/' || player as path from published.player_battle group by player order by count(*) desc`,
    ),
  club: (pool) =>
    one(
      pool,
      `select '/clubs/' || club as path from published.club_battle group by club order by count(*) desc`,
    ),
  battle: (pool) =>
    one(pool, `select '/battles/' || id as path from published.battle_detail order by length(document) desc`),
  home: async () => '/',
  tournaments: async () => '/tournaments',
  clubs: async () => '/clubs',
  factions: async () => '/factions?window=all',
  faction: (pool) =>
    one(
      pool,
      `select '/factions/' || (f ->> 0) || '?window=all' as path
        from published.faction_month, json_array_elements(counts -> 'factions') f where pack = '' and not is_long
        group by 1 order by sum((f ->> 1)::integer) desc`,
    ),
  search: async () => '/search?q=open',
  'not-found': async () => '/nowhere',
  documents: async () => '/docs',
  guide: async () => '/docs/polling',
};

/**
 * Returns an event in the middle of round 3 of its first stage: the games at tables after `resultsUpTo` have
 * no result yet.
 */
function inRoundThree(players: number, format: string, resultsUpTo: number): FeedRecord[] {
  const feed = eventFeed({ seed: 68, players, format, rounds: 5, start: dayNumber(start) }, 'finished');
  return feed.map((record): FeedRecord => {
    if (record.kind !== 'tournament') return record;
    const [stage] = record.stages ?? [];
    const battles = [1, 2, 3].flatMap((round) =>
      (record.battles ?? [])
        .filter((battle) => battle.stage === stage?.id && battle.round === round)
        .map((battle, index) => {
          const table = index + 1;
          if (round < 3 || table <= resultsUpTo) return { ...battle, table };
          const sides = battle.sides.map(({ participant }) => ({ participant })) as typeof battle.sides;
          return { id: battle.id, stage: battle.stage, round, table, sides };
        }),
    );
    return { ...record, status: 'ongoing', stages: stage ? [stage] : [], battles, byes: [], matches: [] };
  });
}

/** Returns an event of groups, and one of 120 tables in which a guest at the last table has a penalty. */
function running(): { records: FeedRecord[]; pages: Record<string, string> } {
  const groups = inRoundThree(48, 'groups', 12);
  const large = inRoundThree(240, 'swiss', 80);
  const addressOf = (records: readonly FeedRecord[]) =>
    `/tournaments/${records.flatMap((record) => (record.kind === 'tournament' ? record.slug : []))[0]}`;
  const address = addressOf(large);
  let pages: Record<string, string> = { 'groups-running': addressOf(groups), large: address };
  const records = large.map((record): FeedRecord => {
    if (record.kind !== 'tournament') return record;
    const [player = '', guest = ''] =
      record.battles?.at(-1)?.sides.map(({ participant }) => participant) ?? [];
    pages = {
      ...pages,
      'large-participant': `${address}/players/${player}`,
      'large-guest': `${address}/players/${guest}`,
    };
    const participants = (record.participants ?? []).map((each) =>
      each.id === guest ? { ...each, player: null, name: 'Jesús Zúñiga' } : each,
    );
    const late = { stage: 'swiss', participant: guest, battlePoints: -2, reason: 'Late list' };
    return { ...record, participants, adjustments: [late] };
  });
  return { records: [...groups, ...records], pages };
}

async function one(pool: Pool, query: string): Promise<string> {
  const { rows } = await pool.query<{ path: string }>(`${query} limit 1`);
  return rows[0]?.path ?? '/';
}

/**
 * Shows the first page of the screen in the hall, and keeps it there. Otherwise the screen might turn to the
 * next page before the picture is taken, which would show it in the middle of its fade.
 */
const firstPage = `(() => {
  turn = () => {};
  for (const [index, page] of document.querySelectorAll('.page').entries()) page.classList.toggle('on', index === 0);
  for (const each of document.getAnimations()) each.finish();
})()`;
const phone: Look = { width: 390, height: 860, scheme: 'light' };
const wide: Look = { width: 1_280, height: 860, scheme: 'light' };
const hall: Look = { width: 1_280, height: 720, scheme: 'light' };
const everyHall: Look[] = [
  hall,
  { ...hall, width: 1_920, height: 1_080 },
  { ...hall, width: 3_840, height: 2_160 },
];
const everyLook: Look[] = [phone, wide, { ...phone, scheme: 'dark' }, { ...wide, scheme: 'dark' }];

try {
  await withDatabase(given ?? throwaway?.url ?? '', async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-pictures', size: 4 });
    const server = await startProofServer(url);
    const picture = async (name: string, target: string, look: Look, extent: 'visible' | 'whole') => {
      await browser.look(look);
      await browser.open(`${server.siteUrl}${target}`);
      const file = path.join(folder ?? documents, `${name}.png`);
      if (target.endsWith('/screen')) await browser.evaluate(firstPage);
      await writeFile(file, await browser.screenshot(extent));
      console.log(`${file} ${target}`);
    };
    const each = async (name: string, target: string) => {
      for (const look of everyLook) {
        await picture(`${name}-${look.width}-${look.scheme}`, target, look, 'whole');
      }
    };
    try {
      await publishFeedOf(url, pool, siteFeed(2_000, 'stated'));
      // These are published after the queries, which choose pages of the world.
      const paths = await Promise.all(
        Object.entries(others).map(async ([name, find]) => [name, await find(pool)] as const),
      );
      const sheets = feedOf(sheetsIn('docs/sheets')).trim().split('\n');
      await publishFeedOf(
        url,
        pool,
        sheets.map((line) => JSON.parse(line) as FeedRecord),
      );
      let sent = 0;
      for (const [records, pages] of moments) {
        for (const { at, record } of live.slice(sent, records)) {
          mock.timers.setTime(Math.max(Date.now(), at * 1_000));
          await publishFeedOf(url, pool, [record]);
        }
        sent = records;
        for (const [name, tab] of Object.entries(pages)) {
          if (folder !== undefined) await each(name, tab === 'embed' ? `/embed${event}` : `${event}${tab}`);
          else if (name === 'during') {
            await picture('now-phone', event, phone, 'visible');
            await picture('screen', `${event}/screen`, hall, 'visible');
          }
        }
        if (folder !== undefined)
          for (const look of everyHall)
            await picture(
              `screen-${Object.keys(pages)[0]}-${look.width}`,
              `${event}/screen`,
              look,
              'visible',
            );
      }
      if (folder !== undefined) {
        const { records, pages } = running();
        await publishFeedOf(url, pool, records);
        for (const [name, target] of Object.entries(pages)) await each(name, target);
      }
      for (const [name, target] of paths) {
        if (folder !== undefined) await each(name, target);
        else if (name === 'factions') await picture('factions-phone', target, phone, 'visible');
      }
      if (folder === undefined) {
        const fromSheets = '/tournaments/autumn-cup-2026';
        await picture('sheet-event-wide', fromSheets, wide, 'visible');
        await picture('sheet-bracket-wide', `${fromSheets}?stage=knockout`, wide, 'visible');
        await picture('sheet-rounds-phone', `${fromSheets}/rounds`, phone, 'visible');
      }
      for (const complaint of new Set(browser.complaints)) console.log(complaint);
    } finally {
      await server.close();
      await pool.end();
    }
  });
} finally {
  await browser.close();
  await throwaway?.remove();
}
