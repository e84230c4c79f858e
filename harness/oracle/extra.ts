import assert from 'node:assert/strict';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import type { Battle } from '../../src/contract/battle.ts';
import type { CurrentRound, Pairing } from '../../src/contract/extra/shapes.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { BoardRow, BracketMatch, Standings } from '../../src/contract/standings.ts';
import type { Tournament } from '../../src/contract/tournament.ts';
import { at, type Random, stream } from '../../src/world/chance/random.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { world } from '../../src/world/world.ts';
import { today } from '../evidence/evidence.ts';
import { onClient } from '../proofs/proof.ts';
import { type Serving, withServing } from '../proofs/serving.ts';
import { eventually } from '../support/eventually.ts';
import { importLines } from '../support/feed.ts';
import { someChange } from './changing-factions.ts';

// Derives the tournaments of a player, and the rounds that are being played, from the answers of `/api/v1`
// and from the pages.

/**
 * Changes a world again and again. Each time, both endpoints equal the oracle, and no 304 confirms anything
 * that is outdated.
 */
export async function compareExtra(
  serverUrl: string,
  size: 'small' | 'stated',
): Promise<{ compared: number; figure: string }> {
  const [battles, turns, followed] = size === 'stated' ? [20_000, 20, 200] : [1_000, 9, 60];
  return withServing(serverUrl, async (serving) => {
    const random = stream(Number(process.env['EXTRA_SEED'] ?? 11), 'extra');
    const day = dayNumber(today());
    const records = [...world({ seed: 11, battles, from: day - 900, today: day })];
    const events = records.filter((each): each is TournamentRecord => each.kind === 'tournament');
    const people = records.flatMap((each) => (each.kind === 'player' ? [each.id] : []));
    const live = formats.map((format, index) =>
      eventSeries({ seed: 3 + index, players: 16, format, rounds: 3, start: day }).map((each) => each.record),
    );
    await change(serving, records);
    const asked = new Asked(serving);
    // Players with many events, and some others.
    const { rows } = await serving.pool.query<{ player: string }>(
      'select player from published.player_tournament group by 1 order by count(*) desc, 1 limit $1',
      [followed / 2],
    );
    const players = new Set(rows.map(({ player }) => player));
    while (players.size < followed) players.add(people[random.below(people.length)] ?? '');
    const sum = { events: 0, rounds: 0, pairings: 0, refused: 0, changes: 0 };
    for (let turn = 0; turn <= turns; turn += 1) {
      const part = (all: FeedRecord[]) => {
        return all.slice((all.length * turn) / (turns + 1), (all.length * (turn + 1)) / (turns + 1));
      };
      const batch = [
        ...live.flatMap(part),
        ...Array.from({ length: 20 }, () => someChange(random, events, people)),
        ...Array.from({ length: 10 }, () =>
          changeOfHead(random, at(events, random.below(events.length)).slug),
        ),
      ];
      sum.refused += await change(serving, batch);
      sum.changes += batch.length;
      // Servers learn of a change by a notice.
      let seen = { events: 0, rounds: 0, pairings: 0 };
      await eventually(async () => {
        seen = { events: 0, rounds: 0, pairings: 0 };
        const known = await asked.everything();
        for (const player of players) seen.events += await comparePlayer(asked, known, player);
        for (const each of known.values()) {
          const shown = await compareNow(asked, each);
          seen.rounds += shown.rounds;
          seen.pairings += shown.pairings;
        }
      });
      sum.events += seen.events;
      sum.rounds += seen.rounds;
      sum.pairings += seen.pairings;
    }
    assert.ok(sum.refused < sum.changes / 4, `${sum.refused} of ${sum.changes} changes were refused`);
    assert.ok(sum.events > players.size && sum.rounds > turns && sum.pairings > sum.rounds);
    assert.ok(asked.unchanged > 100, `only ${asked.unchanged} answers were 304`);
    return {
      compared: sum.events + sum.pairings,
      figure: `A world of ${battles} battles with ${sum.changes} changes (${sum.refused} refused) in ${turns + 1} turns: ${sum.events} events of ${players.size} players and ${sum.pairings} pairings of ${sum.rounds} rounds, as \`/api/v1\` and the pages tell them; ${asked.unchanged} answers were 304 and none was stale.`,
    };
  });
}

const formats = ['swiss+knockout+placements', 'groups+knockout', 'groups', 'swiss+knockout+placement-swiss'];

/** Changes the document of the tournament, but no row of a player. */
function changeOfHead(random: Random, slug: string): FeedRecord {
  const number = random.below(1_000);
  const event = { kind: 'tournament', slug } as const;
  const choices: FeedRecord[] = [
    { ...event, name: `Event ${number}` },
    { ...event, endDate: '2026-12-30' },
    { kind: 'participant', tournament: slug, id: `guest-${number}`, name: 'A guest' },
  ];
  return at(choices, random.below(choices.length));
}

/** Returns how many records were refused. */
async function change({ url, pool }: Serving, records: FeedRecord[]): Promise<number> {
  const { refused } = await onClient(url, (client) => importLines(client, records));
  assert.deepEqual((await publishBacklog(pool)).failed, []);
  return refused;
}

interface Known {
  tournament: Tournament;
  participants: Participant[];
  battles: Map<string, Battle>;
  boards: BoardRow[];
  brackets: Map<string, BracketMatch[]>;
}

/** Sends requests like a caller who keeps every answer with its tag. */
class Asked {
  readonly #serving: Serving;
  readonly #kept = new Map<string, { tag: string; text: string }>();
  unchanged = 0;

  constructor(serving: Serving) {
    this.#serving = serving;
  }

  async get(target: string, base = this.#serving.apiUrl): Promise<{ status: number; text: string }> {
    const kept = this.#kept.get(target);
    const { key } = this.#serving;
    const response = await fetch(`${base}${target}`, {
      headers: { authorization: `Bearer ${key}`, ...(kept && { 'if-none-match': kept.tag }) },
    });
    const text = await response.text();
    if (response.status === 304 && kept) {
      if (target.startsWith('/api/extra/')) this.unchanged += 1;
      return { status: 200, text: kept.text };
    }
    const tag = response.headers.get('etag');
    if (tag !== null) this.#kept.set(target, { tag, text });
    return { status: response.status, text };
  }

  page(path: string) {
    return this.get(path, this.#serving.siteUrl);
  }

  async list<T>(target: string): Promise<T[]> {
    const rows: T[] = [];
    for (let next: string | null = target; next !== null;) {
      const { status, text } = await this.get(next);
      assert.equal(status, 200, `${next}: ${text}`);
      const page = JSON.parse(text) as { data: T[]; next: string | null };
      rows.push(...page.data);
      next = page.next && page.next.slice(new URL(page.next).origin.length);
    }
    return rows;
  }

  /** Returns all documents of `/api/v1`, by slug. */
  async everything(): Promise<Map<string, Known>> {
    const known = new Map<string, Known>();
    const tournaments = await this.list<Tournament>('/api/v1/tournaments?limit=100');
    for (let i = 0; i < tournaments.length; i += 8) {
      const some = tournaments.slice(i, i + 8).map((tournament) => this.#documentsOf(tournament));
      for (const each of await Promise.all(some)) known.set(each.tournament.slug, each);
    }
    return known;
  }

  async #documentsOf(tournament: Tournament): Promise<Known> {
    const path = `/api/v1/tournaments/${tournament.slug}`;
    const battles = await this.list<Battle>(`${path}/battles?limit=100`);
    const participants = await this.list<Participant>(`${path}/participants?limit=100`);
    const boards: BoardRow[] = [];
    const brackets = new Map<string, BracketMatch[]>();
    for (const { id } of tournament.stages) {
      const standings = JSON.parse((await this.get(`${path}/standings?stage=${id}`)).text) as Standings;
      if (standings.stage.type === 'board') boards.push(...(standings.data as BoardRow[]));
      else brackets.set(id, standings.data as BracketMatch[]);
    }
    const byId = new Map(battles.map((battle) => [battle.id, battle]));
    return { tournament, participants, battles: byId, boards, brackets };
  }
}

/** Returns how many events the player has. */
async function comparePlayer(asked: Asked, known: Map<string, Known>, player: string): Promise<number> {
  const path = `/api/extra/v1/players/${player}/tournaments`;
  const exists = (await asked.get(`/api/v1/users/${player}/battles?limit=1`)).status;
  assert.equal((await asked.get(`${path}?limit=3`)).status, exists, player);
  if (exists === 404) return 0;
  const expected = [...known.values()].flatMap(({ tournament, participants, battles, boards }) => {
    const entry = participants.find(({ playerId }) => playerId === player);
    if (entry === undefined) return [];
    const outcomes = [...battles.values()].flatMap(({ players }) =>
      players.flatMap(({ playerId, outcome }) => (playerId === player ? [outcome] : [])),
    );
    const count = (wanted: string) => outcomes.filter((each) => each === wanted).length;
    const { slug, name, startDate, endDate, status, players } = tournament;
    const { finalPlacement, club, list } = entry;
    const row = boards.find(({ playerId }) => playerId === player);
    return {
      slug,
      name,
      startDate,
      endDate,
      status,
      players,
      finalPlacement,
      club,
      faction: row ? row.faction : (list?.faction ?? null),
      won: count('win'),
      drawn: count('draw'),
      lost: count('loss'),
    };
  });
  const place = ({ startDate, slug }: { startDate: string | null; slug: string }) =>
    `${startDate ?? ''} ${slug}`;
  expected.sort((a, b) => (place(a) < place(b) ? 1 : -1));
  assert.deepEqual(await asked.list(`${path}?limit=3`), expected, player);
  return expected.length;
}

/** Compares the answer with the page of the event, the page of the round, and the documents. */
async function compareNow(asked: Asked, known: Known): Promise<{ rounds: number; pairings: number }> {
  const { slug, status } = known.tournament;
  const { data } = JSON.parse((await asked.get(`/api/extra/v1/tournaments/${slug}/now`)).text) as {
    data: CurrentRound[];
  };
  if (status !== 'ongoing') {
    assert.deepEqual(data, [], slug);
    return { rounds: 0, pairings: 0 };
  }
  const { text } = await asked.page(`/tournaments/${slug}`);
  const states = [
    ...text.matchAll(/<p class="state"><b class="live">(.*?)<\/b>(?:<span>(.*?)<\/span>)?<\/p>/g),
  ];
  const stages = Map.groupBy(data, ({ stage }) => stage);
  if (/No round has been paired yet/.test(text) || !text.includes('<section class="now"')) {
    assert.deepEqual(data, [], slug);
    return { rounds: 0, pairings: 0 };
  }
  assert.equal(states.length, stages.size, slug);
  for (const [index, [stage, rounds]] of [...stages].entries()) {
    const [, title = '', results = ''] = states[index] ?? [];
    const board = await asked.page(`/tournaments/${slug}?stage=${stage}`);
    assertCounts(slug, board.text, title, results, rounds);
    const page = await asked.page(`/tournaments/${slug}/rounds?stage=${stage}`);
    // The page of a bracket also has battles to which no match refers yet.
    const named = known.brackets.get(stage)?.map(({ battle }) => battle);
    const boxes = page.text.split('<h3>').flatMap((part) => {
      const found = [...part.matchAll(/<a class="card[^"]*" href="\/battles\/([\w-]+)">(.*?)<\/a>/gs)];
      if (part.startsWith('Result missing')) return [];
      return found.flatMap(([, id = '', box = '']) =>
        named?.includes(id) === false
          ? []
          : [`${id} ${/Table <\/(?:span|small)>(\d+)/.exec(box)?.[1] ?? null}`],
      );
    });
    const own = rounds.flatMap(({ round, pairings }) =>
      pairings.filter((each) => each.round === round && each.battle !== null),
    );
    assert.deepEqual(
      own.map(({ battle, table }) => `${battle} ${table}`).toSorted(),
      boxes.toSorted(),
      `${slug} ${stage}`,
    );
    for (const { round, pairings } of rounds)
      for (const each of pairings) {
        assertPairing(known, stage, each);
        if (each.round < round) assert.equal(each.finished, false, `${slug}: a late result`);
      }
  }
  return { rounds: data.length, pairings: data.flatMap(({ pairings }) => pairings).length };
}

/**
 * Asserts that the header names the round, and says how many results are in. Each group says this beside its
 * own name.
 */
function assertCounts(
  slug: string,
  board: string,
  title: string,
  said: string,
  rounds: CurrentRound[],
): void {
  const [first] = rounds;
  assert.ok(first);
  if (first.group === null) {
    assert.equal(rounds.length, 1);
    const name = first.roundName.split(', ')[0] ?? '?';
    assert.ok(title.toLowerCase().includes(name.toLowerCase()), `${slug}: ${title}`);
    assert.deepEqual(countsIn(said, first.expected), [first.results, first.expected], `${slug}: ${said}`);
    return;
  }
  for (const { group, results, expected } of rounds) {
    const beside = new RegExp(
      `<h3[^>]*><bdi>${RegExp.escape(group ?? '')}</bdi></h3><span class="sub"[^>]*>(.*?)</span>`,
    );
    // Groups that are in different rounds also say in which one.
    const counts = (beside.exec(board)?.[1] ?? '').replace(/^Round \d+(?: · |$)/, '');
    if (expected === null) assert.equal(counts, '', slug);
    else assert.deepEqual(countsIn(counts, expected), [results, expected], slug);
  }
}

/** Parses the counts. "no result yet" does not say how many there will be. */
function countsIn(said: string, expected: number | null): [number, number | null] {
  if (said === 'no result yet') return [0, expected];
  const [, results, all] = /^(\d+)(?: of (\d+))?/.exec(said) ?? [];
  return [Number(results), all === undefined ? null : Number(all)];
}

function assertPairing({ tournament, battles, brackets }: Known, stage: string, pairing: Pairing): void {
  const what = `${tournament.slug} ${stage} ${JSON.stringify(pairing)}`;
  const battle = pairing.battle === null ? undefined : battles.get(pairing.battle);
  const isOver = battle?.players.some(({ outcome }) => outcome !== null) ?? false;
  const matches = brackets.get(stage);
  const names = pairing.players.map(({ player }) => player);
  if (matches === undefined) {
    assert.ok(battle, what);
    assert.deepEqual(
      [pairing.players, pairing.round, pairing.finished, battle.stage],
      [sidesOf(battle), battle.round, isOver, stage],
      what,
    );
    return;
  }
  const match = matches.find(
    (each) => each.battle === pairing.battle && String(each.players) === String(names),
  );
  assert.ok(match, what);
  assert.equal(pairing.table, match.table > 0 ? match.table : null, what);
  assert.equal(pairing.finished, match.winner !== null || isOver, what);
  if (match.winner !== null && names[0] !== names[1]) {
    assert.deepEqual(
      pairing.players.map(({ player, outcome }) => [player, outcome]),
      names.map((name) => [name, name === match.winner ? 'win' : 'loss']),
      what,
    );
  }
  // Two erased players cannot be told apart, so each side must occur once. A match may be decided against the
  // result of its battle.
  const inAnyOrder = (sides: Pairing['players']) =>
    sides.map((side) => JSON.stringify({ ...side, outcome: match.winner ?? side.outcome })).toSorted();
  if (battle) assert.deepEqual(inAnyOrder(pairing.players), inAnyOrder(sidesOf(battle)), what);
}

function sidesOf({ players }: Battle): Pairing['players'] {
  return players.map(({ player, playerId, faction, outcome, victoryPoints: points }) => {
    return { player, playerId, faction, outcome, points };
  });
}
