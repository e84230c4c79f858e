import assert from 'node:assert/strict';
import { rule } from './rule.ts';
import { startWorld } from './world.ts';

// Paging, date windows, and what each endpoint returns in which order.

type Row = Record<string, unknown>;
interface List {
  data: Row[];
  next: string | null;
}

const world = await startWorld();
const list = async (path: string) => (await world.get(path)).json as List;
const slugs = (rows: Row[]) => rows.map((row) => String(row['slug']));
const lists = [
  '/tournaments',
  '/tournaments/grand-final/participants',
  '/tournaments/grand-final/battles',
  '/clubs/lantern-street/tournaments',
  '/clubs/lantern-street/battles',
  '/users/p_1/battles',
];
const long = lists.filter((path) => !path.endsWith('lantern-street/tournaments'));

const paging = 'Pagination';
rule(paging, 'limit: the default is 20', async () => {
  for (const path of long) assert.equal((await list(path)).data.length, 20, path);
});
rule(paging, 'limit: the maximum is 100', async () => {
  for (const path of lists) assert.ok((await list(`${path}?limit=100`)).data.length > 0);
});
rule(paging, 'limit: results per page', async () => {
  for (const path of lists) assert.equal((await list(`${path}?limit=2`)).data.length, 2, path);
});
rule(paging, 'The first request (no cursor) returns the first page', async () => {
  for (const path of lists) {
    const all = await world.all(path);
    assert.deepEqual((await list(`${path}?limit=2`)).data, all.slice(0, 2));
  }
});
rule(
  paging,
  'next is a complete absolute address that already carries the filters, the page size and the cursor',
  async () => {
    const { next } = await list('/tournaments?status=finished&from=2025-01-01&to=2025-12-31&limit=7');
    const url = new URL(next ?? '');
    assert.equal(url.pathname, '/api/v1/tournaments');
    assert.equal(url.searchParams.get('status'), 'finished');
    assert.equal(url.searchParams.get('from'), '2025-01-01');
    assert.equal(url.searchParams.get('to'), '2025-12-31');
    assert.equal(url.searchParams.get('limit'), '7');
    assert.ok((url.searchParams.get('cursor') ?? '').length > 20);
  },
);
rule(paging, 'Fetching next returns the following page', async () => {
  for (const path of lists) {
    const all = await world.all(path);
    const walked: Row[] = [];
    let page = await list(`${path}?limit=3`);
    walked.push(...page.data);
    while (page.next !== null) {
      const response = await fetch(page.next, { headers: { authorization: `Bearer ${world.key}` } });
      assert.equal(response.status, 200, page.next);
      page = (await response.json()) as List;
      walked.push(...page.data);
    }
    assert.deepEqual(walked, all, path);
  }
});
rule(paging, 'next is null on the last page and on any list that fits in one page', async () => {
  for (const path of lists) {
    assert.equal((await list(`${path}?limit=100`)).next, null);
    const count = (await world.all(path)).length;
    assert.equal(
      (await list(`${path}?limit=${Math.min(count, 100)}`)).next,
      null,
      `${path}: exactly one page`,
    );
    assert.notEqual((await list(`${path}?limit=${count - 1}`)).next, null, `${path}: one more than a page`);
  }
});
rule(paging, 'Single-item responses have no next key', async () => {
  for (const path of ['/tournaments/grand-final', '/clubs/lantern-street', '/battles/final-0']) {
    assert.ok(!('next' in ((await world.get(path)).json as object)));
  }
});

const dates = 'Date windows';
const dated = [
  '/tournaments',
  '/clubs/lantern-street/tournaments',
  '/clubs/lantern-street/battles',
  '/users/p_1/battles',
];
const dayOf = (row: Row) => (row['startDate'] ?? row['date'] ?? null) as string | null;
rule(dates, 'from bounds the range below, and includes its day', async () => {
  for (const path of dated) {
    const expected = (await world.all(path)).filter((row) => (dayOf(row) ?? '') >= '2026-03-15');
    assert.deepEqual(await world.all(`${path}?from=2026-03-15`), expected, path);
  }
});
rule(dates, 'to bounds the range above, and includes its day', async () => {
  for (const path of dated) {
    const expected = (await world.all(path)).filter((row) => (dayOf(row) ?? '9') <= '2026-03-14');
    assert.ok(expected.length > 0, path);
    assert.deepEqual(await world.all(`${path}?to=2026-03-14`), expected, path);
  }
});
rule(dates, 'Omitting one means no bound on that side', async () => {
  const before = await world.all('/tournaments?to=2025-01-05');
  assert.equal(before.length, 5);
  const after = await world.all('/tournaments?from=2026-05-02');
  assert.deepEqual(slugs(after), ['planned-muster', 'group-cup']);
});
rule(dates, 'When both are given, the window must not exceed one year', async () => {
  for (const path of dated) {
    assert.equal((await world.get(`${path}?from=2025-01-01&to=2026-01-01`)).status, 200);
    const error = await world.refusal(`${path}?from=2025-01-01&to=2026-01-02`);
    assert.equal(error.message, 'date window must not exceed one year');
  }
});
rule(dates, 'Undated rows come last, and are left out as soon as from or to is given', async () => {
  assert.equal(slugs(await world.all('/tournaments')).at(-1), 'undated');
  for (const query of ['from=0001-01-01', 'to=9999-12-31']) {
    assert.ok(!slugs(await world.all(`/tournaments?${query}`)).includes('undated'));
  }
});

const tournaments = 'List tournaments';
rule(tournaments, 'Newest start date first; without a date range the most recent are returned', async () => {
  const days = (await world.all('/tournaments')).map((row) => dayOf(row) ?? '');
  assert.deepEqual(days, days.toSorted().toReversed());
  assert.deepEqual(slugs((await list('/tournaments?limit=2')).data), ['planned-muster', 'group-cup']);
});
for (const status of ['planned', 'ongoing', 'finished']) {
  rule(tournaments, `status=${status} returns those tournaments, in the same order`, async () => {
    const expected = (await world.all('/tournaments')).filter((row) => row['status'] === status);
    assert.ok(expected.length > 0);
    assert.deepEqual(await world.all(`/tournaments?status=${status}`), expected);
  });
}
rule(tournaments, 'status is one of "planned", "ongoing", "finished"', async () => {
  const error = await world.refusal('/tournaments?status=over');
  assert.equal(error.message, 'status must be one of planned, ongoing, finished');
});
rule('Get one tournament', 'Same shape as a list element', async () => {
  const [first] = (await list('/tournaments')).data;
  const one = (await world.get(`/tournaments/${String(first?.['slug'])}`)).json as { data: Row };
  assert.deepEqual(one.data, first);
});

const standings = 'Tournament standings';
const shown = async (query: string, slug = 'grand-final') =>
  (await world.get(`/tournaments/${slug}/standings${query}`)).json as { stage: Row; data: Row[] };
rule(standings, 'stage omitted: the final standings once the tournament has finished', async () => {
  assert.equal((await shown('')).stage['id'], 'standings');
});
rule(standings, 'stage omitted: otherwise the stage furthest along', async () => {
  assert.equal((await shown('', 'group-cup')).stage['id'], 'swiss');
});
rule(standings, "Stage ids are read from the tournament's stages", async () => {
  const { data } = (await world.get('/tournaments/grand-final')).json as { data: { stages: Row[] } };
  for (const { id, name, type } of data.stages) {
    assert.deepEqual((await shown(`?stage=${String(id)}`)).stage, { id, name, type });
  }
});
rule(standings, 'Not paginated: the whole standings come in one response', async () => {
  const whole = await shown('');
  assert.ok(!('next' in whole));
  assert.deepEqual(await shown('?limit=1&cursor=x'), whole);
});
rule(standings, 'When type is "board", data is an array of board rows, ranked', async () => {
  const ranks = (await shown('?stage=swiss')).data.map((row) => row['rank']);
  assert.deepEqual(ranks, [1, 2, null]);
});
rule(
  standings,
  'When type is "bracket", data is an array of bracket matches, earliest round first',
  async () => {
    const rounds = (await shown('?stage=knockout')).data.map((row) => row['round']);
    assert.deepEqual(rounds, ['Semi-final', 'Semi-final', 'Final']);
  },
);
rule(
  standings,
  'Groups: every group at once, ordered by group and then by position; each row has group',
  async () => {
    const { data } = await shown('', 'group-cup');
    assert.deepEqual(
      data.map((row) => [row['group'], row['rank']]),
      ['Group A', 'Group B'].flatMap((group) => [1, 2, 3].map((rank) => [group, rank])),
    );
  },
);
rule(standings, 'Groups: the stage is named "Group Stage", id still swiss', async () => {
  assert.deepEqual((await shown('', 'group-cup')).stage, { id: 'swiss', name: 'Group Stage', type: 'board' });
});
rule(standings, 'On an ordinary Swiss board group is absent', async () => {
  for (const row of (await shown('?stage=swiss')).data) assert.ok(!('group' in row));
});

const participants = 'Tournament participants';
rule(participants, 'Everybody taking part, in alphabetical order', async () => {
  const names = (await world.all('/tournaments/grand-final/participants')).map((row) =>
    String(row['player']),
  );
  assert.equal(names.length, 25);
  assert.deepEqual(names, names.toSorted());
});
rule(participants, "group equals the group of the player's board row", async () => {
  const board = (await shown('', 'group-cup')).data;
  for (const each of await world.all('/tournaments/group-cup/participants')) {
    assert.equal(each['group'], board.find((row) => row['playerId'] === each['playerId'])?.['group']);
  }
});

const isNewestFirst = (rows: Row[]) => {
  const days = rows.map((row) => dayOf(row) ?? '');
  assert.ok(new Set(days).size > 1);
  assert.deepEqual(days, days.toSorted().toReversed());
};
rule('Tournament battles', 'Every battle played in the tournament, newest first', async () => {
  const rows = await world.all('/tournaments/grand-final/battles');
  assert.equal(rows.length, 31);
  for (const row of rows) assert.equal(row['tournament'], 'grand-final');
  isNewestFirst(rows);
});
rule('Get one club', 'Response { data: Club }', async () => {
  const { data } = (await world.get('/clubs/lantern-street')).json as { data: Row };
  assert.equal(data['slug'], 'lantern-street');
});
rule(
  'Club tournaments',
  'Published tournaments run by the club, newest start date first, shaped as in the list',
  async () => {
    const rows = await world.all('/clubs/lantern-street/tournaments');
    const expected = (await world.all('/tournaments')).filter((row) => row['organizer'] === 'lantern-street');
    assert.deepEqual(rows, expected);
    assert.deepEqual(slugs(rows), ['group-cup', 'grand-final']);
  },
);
rule('Club tournaments', 'No status parameter is listed: it is ignored', async () => {
  assert.deepEqual(
    await list('/clubs/lantern-street/tournaments?status=planned'),
    await list('/clubs/lantern-street/tournaments'),
  );
});
rule('Club battles', 'Battles connected to the club, newest first', async () => {
  const rows = await world.all('/clubs/lantern-street/battles');
  assert.equal(rows.length, 33);
  isNewestFirst(rows);
});
rule(
  'Player battles',
  'Every battle the player took part in, tournament and casual, newest first',
  async () => {
    const rows = await world.all('/users/p_1/battles');
    for (const row of rows)
      assert.ok((row['players'] as Row[]).some((player) => player['playerId'] === 'p_1'));
    assert.ok(
      rows.some((row) => row['tournament'] === null) && rows.some((row) => row['tournament'] !== null),
    );
    isNewestFirst(rows);
  },
);
rule('Player battles', 'Archived battles are left out', async () => {
  const ids = (await world.all('/users/p_1/battles')).map((row) => row['id']);
  assert.ok(!ids.includes('archived'));
  const kept = (await world.all('/tournaments/grand-final/battles')).map((row) => row['id']);
  assert.ok(kept.includes('archived'), 'and kept everywhere else');
});
rule('Player battles', 'A player without battles exists: an empty list', async () => {
  assert.deepEqual(await list('/users/p_quiet/battles'), { data: [], next: null });
});
rule('Get one battle', 'Each element of players additionally carries list and rounds', async () => {
  const { data } = (await world.get('/battles/final-0')).json as { data: { players: Row[] } };
  for (const player of data.players) assert.ok('list' in player && Array.isArray(player['rounds']));
});
rule('Get one battle', 'list repeats faction and subFaction, which also stay on the player', async () => {
  const { data } = (await world.get('/battles/final-0')).json as { data: { players: Row[] } };
  for (const player of data.players) {
    const army = player['list'] as Row;
    assert.deepEqual([army['faction'], army['subFaction']], [player['faction'], player['subFaction']]);
  }
});
