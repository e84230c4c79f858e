import assert from 'node:assert/strict';
import { inTransaction, type Pool } from '../../src/database/pool.ts';
import {
  addBattle,
  addParticipant,
  addTournament,
  battle,
  clubSlug,
  dayOf,
  insertRows,
  noRows,
  participant,
  playerId,
  side,
  tournament,
} from '../published-world.ts';
import type { Proof } from './proof.ts';
import { type Serving, withServing } from './serving.ts';

// Exact paging: while rows are added, changed, moved and removed, a walk from page to page returns every row that was
// there throughout and did not move exactly once, in order. Rows that a writer ever touches are named so; all others
// stay as they are.

const lists: Record<string, string> = {
  tournaments: '/api/v1/tournaments',
  'tournaments by status': '/api/v1/tournaments?status=finished',
  'tournaments of a window': '/api/v1/tournaments?from=2024-01-03&to=2024-01-12',
  'tournaments of a club': '/api/v1/clubs/club-0/tournaments',
  'participants of a tournament': '/api/v1/tournaments/event-0/participants',
  'battles of a tournament': '/api/v1/tournaments/event-0/battles',
  'battles of a club': '/api/v1/clubs/club-0/battles',
  'battles of a club since a day': '/api/v1/clubs/club-0/battles?from=2024-01-02',
  'battles of a player': '/api/v1/users/p_1/battles',
};

export const walks: Proof = ({ serverUrl, size }) =>
  withServing(
    serverUrl,
    { tournaments: 45, clubs: 2, battles: 12, participants: 40, casualBattles: 10 },
    async (serving) => {
      const wanted = size === 'stated' ? 10_000 : 200;
      const expected: Record<string, string[]> = {};
      for (const [name, target] of Object.entries(lists)) {
        expected[name] = await walk(serving, target, () => 100);
        assert.ok(expected[name].length > 8, `${name} has ${expected[name].length} rows`);
      }

      const writer = startWriter(serving.pool);
      let done = 0;
      let pages = 0;
      let passing = 0;
      const walkOn = async () => {
        for (let i = done; i < wanted; i = done) {
          done += 1;
          const [name = '', target = ''] = Object.entries(lists)[i % Object.keys(lists).length] ?? [];
          const most = 1 + Math.floor(Math.random() * 30);
          const seen = await walk(serving, target, () => {
            pages += 1;
            return 1 + Math.floor(Math.random() * most);
          });
          const stayed = seen.filter((id) => !isTouched(id));
          passing += seen.length - stayed.length;
          assert.deepEqual(stayed, expected[name], `a walk of ${name}`);
        }
      };
      let writes: number;
      try {
        await Promise.all([walkOn(), walkOn(), walkOn(), walkOn()]);
      } finally {
        writes = await writer.stop();
      }
      assert.ok(writes > wanted / 20, `only ${writes} writes`);
      assert.ok(passing > wanted / 2, `only ${passing} rows of the writer were met`);
      return [
        `${wanted} walks of ${Object.keys(lists).length} lists with random limits, ${pages} pages, while ${writes} transactions added, changed, moved and removed rows (${passing} of them met on the way): every row that stayed was returned exactly once, in order.`,
      ];
    },
  );

/** The ids of all rows from the first page to the last, each page with a size of its own. */
async function walk({ get, apiUrl }: Serving, list: string, limit: () => number): Promise<string[]> {
  const ids: string[] = [];
  let target: string | undefined = `${list}${list.includes('?') ? '&' : '?'}limit=${limit()}`;
  while (target !== undefined) {
    const { status, text } = await get(target);
    assert.equal(status, 200, text);
    const { data, next } = JSON.parse(text) as { data: Record<string, string>[]; next: string | null };
    ids.push(...data.map((row) => row['slug'] ?? row['id'] ?? row['playerId'] ?? row['player'] ?? ''));
    if (next === null) return ids;
    const { pathname, search, port } = new URL(next);
    assert.equal(port, new URL(apiUrl).port);
    target = `${pathname}${search}`.replace(/limit=\d+/, `limit=${limit()}`);
  }
  return ids;
}

function isTouched(id: string): boolean {
  return id.startsWith('touched');
}

function startWriter(pool: Pool) {
  const stopping = new AbortController();
  let writes = 0;
  const run = async () => {
    while (!stopping.signal.aborted) {
      await write(pool, Math.floor(Math.random() * 12));
      writes += 1;
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      return writes;
    },
  };
}

/** Takes away everything by this number, and mostly puts it back: somewhere else, and with another text. */
async function write(pool: Pool, number: number): Promise<void> {
  const slug = `touched-${number}`;
  const id = `touched_${number}`;
  const rows = noRows();
  if (Math.random() < 0.8) {
    const date = Math.random() < 0.2 ? null : dayOf(Math.floor(Math.random() * 45));
    const name = `touched ${'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]}`;
    const description = String(Math.random());
    const organizer = clubSlug(0);
    addTournament(rows, tournament({ slug, startDate: date, endDate: date, organizer, description }), []);
    addParticipant(rows, 'event-0', id, participant({ player: name, playerId: id }));
    // Before, between and after the rest.
    for (const row of rows.participant) row.sort_key = `player ${Math.floor(Math.random() * 50)}`;
    const round = 1 + Math.floor(Math.random() * 5);
    const players = [side(1), { ...side(2), player: name }];
    addBattle(rows, battle(id, { date, round, players }), [clubSlug(0)]);
  }
  await inTransaction(pool, async (client) => {
    await client.query(`
      delete from published.tournament where slug = '${slug}';
      delete from published.participant where tournament = 'event-0' and id = '${id}';
      delete from published.battle where id = '${id}';
      delete from published.battle_detail where id = '${id}';
      delete from published.player_battle where battle = '${id}';
      delete from published.club_battle where battle = '${id}';
      update published.tournament_list set revision = revision + 1;
      update published.tournament set revision = revision + 1 where slug = 'event-0';
      update published.player set revision = revision + 1 where id in ('${playerId(1)}', '${playerId(2)}');
      update published.club set revision = revision + 1 where slug = '${clubSlug(0)}'`);
    await insertRows(client, rows);
  });
}
