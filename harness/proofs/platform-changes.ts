import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Random } from '../../src/world/chance/random.ts';

// Simulates what happens on the platform of examples/platform, one random change at a time.

const schema = new URL('../../examples/platform/schema.sql', import.meta.url);

export async function startPlatform(client: pg.Client, random: Random, events: number): Promise<void> {
  await client.query(await readFile(schema, 'utf8'));
  await client.query(`insert into platform.users (nick) select 'User ' || n from generate_series(1, 60) n`);
  await client.query(
    `insert into platform.clubs (slug, title, city) select 'club-' || n, 'Club ' || n, 'Town' from generate_series(1, 8) n`,
  );
  for (let event = 0; event < events; event += 1) await addEvent(client, random);
  for (let change = 0; change < events * 3; change += 1) await playGame(client, random);
}

let named = 0;
const fresh = (word: string): string => `${word}-${(named += 1)}`;

async function addEvent(client: pg.Client, random: Random): Promise<void> {
  const system = random.below(4) === 0 ? 2 + random.below(2) : 1;
  const { rows } = await client.query<{ id: number }>(
    `insert into platform.events (slug, title, system_id, club_id, state, starts_on) values ($1, $1, $2,
      (select id from platform.clubs where deleted_at is null order by random() limit 1), $3, $4) returning id`,
    [
      fresh('event'),
      system,
      ['draft', 'open', 'running'][random.below(3)],
      `2025-0${1 + random.below(9)}-11`,
    ],
  );
  await client.query(
    `insert into platform.entries (event_id, user_id, army) select $1, id, 'Quarry Giants' from platform.users
      where deleted_at is null order by random() limit 4`,
    [rows[0]?.id],
  );
  await client.query(`insert into platform.entries (event_id, guest) values ($1, $2)`, [
    rows[0]?.id,
    fresh('Guest'),
  ]);
}

const playGame = (client: pg.Client, random: Random): Promise<unknown> =>
  client.query(
    `insert into platform.games (event_id, round, entry1, entry2, points1, points2)
      select e.id, $1, pair.ids[1], pair.ids[2], $2, $3 from (${anEvent}) e
      cross join lateral (select array(select id from platform.entries where event_id = e.id order by random() limit 2) as ids) pair
      where cardinality(pair.ids) = 2`,
    [1 + random.below(3), random.below(30), random.below(30)],
  );

const anEvent = `select * from platform.events where deleted_at is null order by random() limit 1`;
const aGame = `select id from platform.games where deleted_at is null order by random() limit 1`;
const aUser = `select id from platform.users where deleted_at is null order by random() limit 1`;
const update = (what: string, of: string) => (client: pg.Client) =>
  client.query(`update platform.${what} where id in (${of})`);

const changes: ((client: pg.Client, random: Random) => Promise<unknown>)[] = [
  playGame,
  playGame,
  update('games set points1 = floor(random() * 30), points2 = floor(random() * 30)', aGame),
  update('games set points1 = null, points2 = null', aGame),
  update('games set deleted_at = now()', aGame),
  (client) =>
    client.query(`update platform.events set slug = $1 where id in (select id from (${anEvent}) e)`, [
      fresh('event'),
    ]),
  (client) =>
    client.query(
      `update platform.clubs set slug = $1 where id in (select id from platform.clubs where deleted_at is null order by random() limit 1)`,
      [fresh('club')],
    ),
  update(
    'clubs set deleted_at = case when deleted_at is null then now() end',
    'select id from platform.clubs order by random() limit 1',
  ),
  (client) => client.query(`update platform.users set nick = $1 where id in (${aUser})`, [fresh('Nick')]),
  mergeUsers,
  mergeTwice,
  update('users set deleted_at = now()', aUser),
  (client) =>
    client.query(`insert into platform.users (nick) values ($1), ($2)`, [fresh('New'), fresh('New')]),
  update(
    `events set state = case state when 'draft' then 'running' when 'running' then 'done' else 'draft' end`,
    `select id from (${anEvent}) e`,
  ),
  update('events set deleted_at = now()', `select id from (${anEvent}) e`),
  update('events set deleted_at = null', 'select id from platform.events order by random() limit 1'),
  update('events set system_id = 3 - system_id', `select id from (${anEvent}) e where system_id < 3`),
  update('entries set dropped = not dropped', 'select id from platform.entries order by random() limit 1'),
  addEvent,
];

export async function randomChange(client: pg.Client, random: Random): Promise<void> {
  await changes[random.below(changes.length)]?.(client, random);
}

/**
 * Merges a user into a new one, and that one into another new one. If the exporter is late, nobody has heard
 * of the one in between.
 */
async function mergeTwice(client: pg.Client): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ id: number }>(
    'insert into platform.users (nick) values ($1), ($2) returning id',
    [fresh('Between'), fresh('Kept')],
  );
  const [between, kept] = rows.map(({ id }) => id);
  const { rows: old } = await client.query<{ id: number }>(
    `update platform.users set merged_into = $1, deleted_at = now() where id in (${aUser}) returning id`,
    [between],
  );
  await client.query('update platform.users set merged_into = $2, deleted_at = now() where id = $1', [
    between,
    kept,
  ]);
  await client.query('update platform.entries set user_id = $2 where user_id = $1', [old[0]?.id, kept]);
  await client.query('commit');
}

/** Merges two users who never met in one event. */
async function mergeUsers(client: pg.Client): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ old: number; kept: number }>(
    `select a.id as old, b.id as kept from platform.users a, platform.users b
      where a.id <> b.id and a.deleted_at is null and b.deleted_at is null and not exists (
        select from platform.entries x join platform.entries y using (event_id) where x.user_id = a.id and y.user_id = b.id)
      order by random() limit 1`,
  );
  const [pair] = rows;
  if (pair) {
    await client.query('update platform.entries set user_id = $2 where user_id = $1', [pair.old, pair.kept]);
    await client.query('update platform.users set merged_into = $2, deleted_at = now() where id = $1', [
      pair.old,
      pair.kept,
    ]);
  }
  await client.query('commit');
}
