import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Battle as ApiBattle } from '../../src/contract/battle.ts';
import { parseStored } from '../../src/read/page-address.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';

// Somebody watches an event of 24 players on a phone, from the first pairing to the end of round 2. After
// every record, no two statements on the page contradict each other, and nothing moves while the reader is
// looking.

const browser = await startBrowser();
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
type Battle = Extract<FeedRecord, { kind: 'battle'; round: number }>;

const isBattle = (record: FeedRecord): record is Battle => record.kind === 'battle' && 'round' in record;

/**
 * Splits the records into steps. A step is one result, or everything else that comes before the next result.
 */
function inSteps(records: readonly FeedRecord[]): FeedRecord[][] {
  const found: FeedRecord[][] = [[]];
  for (const record of records) {
    if (isBattle(record) && record.round > 2) break;
    if (isBattle(record) && record.finished) found.push([record], []);
    else found.at(-1)?.push(record);
  }
  return found.filter((step) => step.length > 0);
}

const today = new Date().toISOString().slice(0, 10);
const series = eventSeries({ seed: 72, players: 24, format: 'swiss', rounds: 5, start: dayNumber(today) });
const steps = inSteps(series.map(({ record }) => record));

/** Everything that the page says about the games, read at one moment. */
interface Seen {
  results: number;
  state: string;
  facts: string;
  title: string;
  filled: number;
  segments: number;
  open: string[];
  done: string[];
  justIn: string[];
  /** The cards of games with a result: who won, and who lost. */
  winners: string[];
  losers: string[];
  board: { place: string; moved: number; name: string; table: string; dots: string; record: string }[];
  heading: string;
  boardTop: number;
  nowHeight: number;
}

const reading = `(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const text = (element) => element?.textContent.replaceAll(/\\s+/g, ' ').trim() ?? '';
  const namesOf = (card) => all('.side bdi bdi, .side bdi', card).filter((each) => !each.querySelector('bdi')).map(text).join(' – ');
  const tableOf = (card) => {
    const number = card.querySelector('b > span').cloneNode(true);
    for (const each of all('.vh, small', number)) each.remove();
    return text(number).replace('–', '');
  };
  const cards = (selector) => all(selector).map((card) => tableOf(card) + ': ' + namesOf(card));
  const sides = (outcome) => all('.card.done:not(:has(.past-round)) .side')
    .filter((side) => text(side.querySelector('.vh')) === outcome)
    .map((side) => text(side.querySelector('bdi')));
  const dots = { w: 'W', x: 'D', l: 'L', b: 'B', p: 'P', t: '' };
  return JSON.stringify({
    results: Number(document.querySelector('[data-results]').dataset.results),
    state: all('.banner .state').map(text).join('; '),
    facts: text(document.querySelector('.banner .facts')),
    title: text(document.querySelector('.now h2')),
    filled: all('.meter .in').length,
    segments: all('.meter i').length,
    open: cards('.now .card.open'),
    done: cards('.now .card.done'),
    justIn: cards('.stack .card:not(:has(.past-round))'),
    winners: sides('won'),
    losers: sides('lost'),
    board: all('.board tbody tr:not(.head)').map((row) => ({
      place: text(row.querySelector('.pl b')),
      moved: ((arrow) => arrow === null ? 0 : Number(arrow[2]) * (arrow[1] === '▲' ? 1 : -1))(/([▲▼])(\\d+)/.exec(text(row.querySelector('.pl')))),
      name: text(row.querySelector('.name')),
      table: text(row.querySelector('.at')).replace(/.*T/, ''),
      dots: all('.run i', row).map((dot) => dots[dot.className]).join(''),
      record: text(row.querySelector('.run .vh')).split(',')[0],
    })),
    heading: text(document.querySelector('.standings .h2row .sub')),
    boardTop: document.querySelector('.board').getBoundingClientRect().top + scrollY,
    nowHeight: document.querySelector('.now').getBoundingClientRect().height,
  });
})()`;

/** Returns how far the event is, computed only from the records. */
function progress(records: readonly FeedRecord[]) {
  const battles = new Map<string, Battle>();
  for (const record of records) if (isBattle(record)) battles.set(record.id, record);
  const round = Math.max(0, ...[...battles.values()].map((each) => each.round));
  const own = [...battles.values()].filter((each) => each.round === round);
  const results = own.filter((each) => each.finished).length;
  return {
    round,
    games: own.length,
    results,
    all: [...battles.values()].filter((each) => each.finished).length,
  };
}

test(
  'a phone shows an event through two rounds without a contradiction and without a jump',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    const told: FeedRecord[] = [];
    const leaders = new Map<number, string>();
    const ranks = new Map<string, number>();
    const tops = new Set<number>();
    const heights = new Set<number>();
    let isOpen = false;
    let looks = 0;
    for (const step of steps) {
      told.push(...step);
      await publishFeed(database.pool, step);
      const now = progress(told);
      if (now.games === 0) continue;
      if (!isOpen) {
        const { rows } = await database.pool.query<{ slug: string }>('select slug from published.tournament');
        await browser.look({ width: 390, height: 660, scheme: 'light' });
        await browser.open(`${server.siteUrl}/tournaments/${rows[0]?.slug}`);
        isOpen = true;
      }
      const seen = await seenAfter(now);
      assertTrue(seen, now, leaders);
      await assertAsInApi(seen, now, ranks);
      tops.add(Math.round(seen.boardTop));
      heights.add(seen.nowHeight);
      looks += 1;
    }
    assert.ok(looks > 24, `${looks} looks`);
    assert.equal(tops.size, 1, `the board was at ${[...tops].join(', ')}`);
    assert.equal(heights.size, 1, `"Now" was ${[...heights].join(', ')} high`);
    assert.deepEqual([...leaders.keys()], [1, 2]);
    assert.deepEqual(browser.complaints, []);
  },
);

/**
 * Returns what is seen after the records. The page asks every ten seconds, and a tab that becomes visible
 * asks at once.
 */
async function seenAfter({ all, round, games }: ReturnType<typeof progress>): Promise<Seen> {
  let seen: Seen | undefined;
  await eventually(async () => {
    await browser?.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    seen = JSON.parse(String(await browser?.evaluate(reading))) as Seen;
    assert.equal(seen.results, all);
    assert.equal(seen.segments, games);
    assert.match(seen.state, new RegExp(`ound ${round} of 5`));
  });
  assert.ok(seen);
  return seen;
}

function assertTrue(
  seen: Seen,
  { round, games, results }: ReturnType<typeof progress>,
  leaders: Map<number, string>,
): void {
  const open = games - results;
  const isComplete = open === 0;
  const inAll = results === 0 ? 'no result yet' : `${results} of ${games} results in`;
  assert.equal(seen.state, `${isComplete ? 'After round' : 'Round'} ${round} of 5${inAll}`);
  assert.equal(seen.filled, results);
  assert.equal(
    seen.title,
    isComplete
      ? `Round ${round} is complete`
      : results === 0
        ? `Round ${round} pairings`
        : `${open} ${open === 1 ? 'table' : 'tables'} still playing`,
  );

  // "Now" and the board say the same about every table.
  const playing = new Map(seen.board.flatMap(({ name, table }) => (table === '' ? [] : [[name, table]])));
  assert.equal(playing.size, 2 * open, 'tables marked on the board');
  assert.equal(seen.open.length + seen.done.length, Math.min(8, games));
  for (const [cards, isPlaying] of [
    [seen.open, true],
    [seen.done, false],
    [seen.justIn, false],
  ] as const) {
    for (const each of cards) {
      const [table = '', names = ''] = each.split(': ');
      for (const player of names.split(' – '))
        assert.equal(playing.get(player), isPlaying ? table : undefined, each);
    }
  }

  // Each row adds up, and the board counts every result once.
  const records = seen.board.map(({ record }) => record.split('–').map(Number));
  const sum = (at: number) => records.reduce((total, each) => total + (each[at] ?? 0), 0);
  assert.equal((sum(0) + sum(1) + sum(2)) % 2, 0);
  for (const { name, dots, record, place, table } of seen.board) {
    const count = (letter: string) => dots.split(letter).length - 1;
    const [wins = 0, draws = 0, losses = 0] = record.split('–').map(Number);
    assert.deepEqual([count('D'), count('L'), count('P')], [draws, losses, table === '' ? 0 : 1], name);
    assert.equal(count('W') + count('B') >= wins, true, name);
    const hasPlayed = count('W') + count('D') + count('L') + count('B') > 0;
    assert.equal(
      place === '–',
      !hasPlayed,
      `${name} has ${place === '–' ? 'played and no' : 'not played and a'} place`,
    );
  }

  // Nobody leads before a round is complete, and afterwards the leader is the first on the board.
  if (isComplete) {
    const [first, second] = seen.board;
    if (first && second?.place !== '1') leaders.set(round, first.name);
    assert.equal(seen.heading, `After round ${round}`);
  } else {
    assert.equal(
      seen.heading,
      results > 0 ? `Provisional: round ${round} in progress` : round === 1 ? '' : `After round ${round - 1}`,
    );
  }
  const after = isComplete ? round : round - 1;
  const leader = leaders.get(after);
  assert.equal(/Leader after round/.test(seen.facts), leader !== undefined);
  if (leader !== undefined) assert.match(seen.facts, new RegExp(`Leader after round ${after}: ${leader}`));
  assert.equal(/Last result/.test(seen.facts), results > 0 || round > 1);
}

/**
 * Compares the page with the API, which a program in SQL checks elsewhere: who won and lost, the order of the
 * board, and the arrows, with the ranks after the last round. `ranks` keeps those by name.
 */
async function assertAsInApi(
  { winners, losers, board }: Seen,
  { round, games, results }: ReturnType<typeof progress>,
  ranks: Map<string, number>,
): Promise<void> {
  const { rows: battles } = await database.pool.query<{ document: string }>(
    'select document from published.battle where round = $1',
    [round],
  );
  for (const { document } of battles) {
    const { winner, players } = parseStored<ApiBattle>(document);
    for (const { player } of players) {
      const isLoser = winner !== null && player !== winner;
      if (player !== winner) assert.ok(!winners.includes(player), `${player} has not won`);
      if (!isLoser) assert.ok(!losers.includes(player), `${player} has not lost`);
    }
  }
  const { rows: standings } = await database.pool.query<{ name: string; rank: number | null }>(
    `select row ->> 'player' as name, (row ->> 'rank')::int as rank
    from published.standings, json_array_elements(document::json -> 'data') with ordinality listed (row, at)
    order by at`,
  );
  const placed = board.filter(({ place }) => place !== '–');
  assert.deepEqual(
    placed.map(({ place, name }) => `${place} ${name}`),
    standings.flatMap(({ rank, name }) =>
      placed.some((row) => row.name === name) ? [`${rank} ${name}`] : [],
    ),
  );
  if (results < games) return;
  assert.ok(winners.length > 0 && losers.length > 0);
  for (const { name, place, moved } of placed) {
    const before = ranks.get(name);
    if (before !== undefined) assert.equal(moved, before - Number(place), `${name} moved`);
    ranks.set(name, Number(place));
  }
}

// The other events are small, and each is at a moment at which two statements are easily at odds.

type Tournament = Extract<FeedRecord, { kind: 'tournament' }>;

/** Returns a battle at a table. Without a winner it has no result yet. */
function game(slug: string, table: number, round: number, pair: string, winner?: string) {
  const side = (participant: string) => ({
    participant,
    ...(winner !== undefined && { victoryPoints: winner === participant ? 40 : 10 }),
  });
  const [first = '', second = ''] = pair;
  return {
    id: `${slug}-${round}-${pair}`,
    stage: 'swiss',
    round,
    table,
    ...(winner !== undefined && { finished: true, winner }),
    sides: [side(first), side(second)] as [ReturnType<typeof side>, ReturnType<typeof side>],
  };
}

/** Returns a running event of three rounds. Each letter is the id of a participant. */
const event = (slug: string, participants: string, fields: Partial<Tournament>): Tournament => ({
  kind: 'tournament',
  slug,
  name: 'Lamp Cup',
  published: true,
  status: 'ongoing',
  startDate: today,
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: participants.split('').map((id) => ({ id, name: `Player ${id.toUpperCase()}` })),
  ...fields,
});

/** Publishes a tournament and returns a function that reads a part of one of its pages as words. */
async function shown(record: Tournament) {
  await publishFeed(database.pool, [record]);
  return async (path: string, from: string, to: string): Promise<string> => {
    const text = await (await fetch(`${server.siteUrl}/tournaments/${record.slug}${path}`)).text();
    const [part = ''] = text.slice(text.indexOf(from)).split(to);
    return part
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  };
}

const parts = {
  state: ['', '<p class="state"', '</p>'],
  facts: ['', '<p class="facts"', '</p>'],
  now: ['', '<h2 id="now"', '</header>'],
  board: ['', '<section class="standings"', '<thead'],
  round: ['/rounds', '<h2 id="round"', '</h2>'],
  firstRow: ['', '<tbody', '</tr>'],
  tables: ['/rounds', '<div class="rounds">', '</section>'],
} as const;

test('a bye of the next round counts, so the board is not called after the round before', async () => {
  const first = [game('byes', 1, 1, 'ab', 'a'), game('byes', 2, 1, 'cd', 'c'), game('byes', 3, 1, 'ef', 'e')];
  const second = [game('byes', 1, 2, 'ac'), game('byes', 2, 2, 'bd')];
  const record = event('byes', 'abcdefg', {});
  const participants = record.participants?.map((each) => ({
    ...each,
    ...(each.id === 'f' && { dropped: true }),
    ...(each.id === 'g' && { noShow: true }),
  }));
  const byes = [{ stage: 'swiss', round: 2, participant: 'e', win: true, battlePoints: 2 }];
  for (const [fields, state, heading] of [
    [{ battles: first }, 'After round 1 of 3 3 of 3 results in', 'After round 1'],
    [{ battles: [...first, ...second] }, 'Round 2 of 3 no result yet', 'After round 1'],
    [
      { battles: [...first, ...second], byes },
      'Round 2 of 3 no result yet',
      'Provisional: round 2 in progress',
    ],
    // Only the bye of round 2 is known, so nothing is in progress.
    [{ battles: first, byes }, 'After round 1 of 3 3 of 3 results in', ''],
  ] as const) {
    const read = await shown({ ...record, participants: participants ?? [], ...fields } as Tournament);
    await eventually(async () => {
      assert.equal(await read(...parts.state), state);
      assert.equal(await read(...parts.board), `Swiss ${heading} Standings`.replace('  ', ' '));
    });
    assert.match(await read(...parts.firstRow), 'byes' in fields ? / Player E .* 2–0–0/ : / 1–0–0/);
  }
});

test('a game of an event that has not begun is not missing a result, and one of a finished event is', async () => {
  const battles = [game('early', 1, 1, 'ab'), game('early', 2, 1, 'cd')];
  const record = event('early', 'abcd', { battles });
  for (const [status, heading] of [
    ['planned', 'No result yet'],
    ['ongoing', 'No result yet'],
    ['finished', 'Result missing'],
  ] as const) {
    const read = await shown({ ...record, status, ...(status === 'planned' && { startDate: '2099-11-20' }) });
    await eventually(async () =>
      assert.equal(
        await read(...parts.tables),
        `${heading} Table 1 Player A Player B Table 2 Player C Player D`,
      ),
    );
  }
});

test('groups in different rounds: nothing is said of all of them that is true of one, and all counts agree', async () => {
  const of = (group: string, ids: string) =>
    ids.split('').map((id) => ({ id, name: `Player ${id.toUpperCase()}`, group }));
  const record = event('groups', '', {
    groups: ['Red', 'Blue'],
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3, grouped: true }],
    participants: [...of('Red', 'abcd'), ...of('Blue', 'efgh')],
  });
  const red = [game('groups', 1, 1, 'ab', 'a'), game('groups', 2, 1, 'cd', 'd')];
  const blue = [game('groups', 3, 1, 'ef', 'f'), game('groups', 4, 1, 'gh', 'g')];
  const second = (ac?: string, bd?: string) => [
    game('groups', 1, 2, 'ac', ac),
    game('groups', 2, 2, 'bd', bd),
  ];
  for (const [battles, results, now, ofRed] of [
    // Red has begun round 2, and Blue round 1.
    [
      [...red, ...second(), game('groups', 3, 1, 'ef'), game('groups', 4, 1, 'gh')],
      '0 of 4',
      'Rounds 1–2 pairings',
      '0 of 2',
    ],
    // Red is playing round 2, and Blue is not paired further.
    [[...red, ...second('c'), ...blue], '3 of 4', '1 table still playing', '1 of 2'],
    // Nobody is playing, and the next round of Blue is one that Red has finished.
    [
      [...red, ...second('c', 'b'), ...blue],
      '4 of 4',
      'Rounds 1–2 The next round hasn’t been paired yet.',
      '2 of 2',
    ],
    // Only the first game of Red's round 2 is known.
    [
      [...red, ...second('c').slice(0, 1), ...blue],
      '3',
      'Rounds 1–2 The other games of this round aren’t known yet.',
      undefined,
    ],
  ] as const) {
    const read = await shown({ ...record, battles: [...battles] });
    await eventually(async () => {
      assert.equal(await read(...parts.state), `Rounds 1–2 of 3 ${results} results in`);
      assert.equal(await read(...parts.now), now);
    });
    assert.match(await read(...parts.round), new RegExp(`^Swiss , rounds 1–2 ${results} results in`));
    const board = await read(...parts.board);
    const group = ofRed === undefined ? 'Round 2' : `Round 2 · ${ofRed} results in`;
    assert.equal(board, `Swiss Red ${group} Red`);
  }
  // Both are in step again.
  const read = await shown({ ...record, battles: [...red, ...blue] });
  await eventually(async () =>
    assert.equal(await read(...parts.state), 'After round 1 of 3 4 of 4 results in'),
  );
  assert.equal(await read(...parts.now), 'Round 1 is complete Next: round 2');
  assert.equal(await read(...parts.board), 'Swiss After round 1 Red 2 of 2 results in Red');
});
