// Feeds Wartable from the schema beside this file. A thing is always sent as it is now, whole: it may come often.
//   node export.mjs backfill                   prints everything as a feed
//   node export.mjs live [--once] -- COMMAND…  sends what the outbox names to an import that acknowledges
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const database = new pg.Client({ connectionString: process.env.PLATFORM_URL });
await database.connect();

async function backfill() {
  let records = 0;
  const print = async (some) => {
    records += some.length;
    const text = some.map((record) => `${JSON.stringify(record)}\n`).join('');
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  };
  // Nothing names a merged user, so the feed does not either.
  await print((await read('select * from platform.users where merged_into is null')).map(player));
  await print((await read('select * from platform.clubs where deleted_at is null')).map(club));
  const ids = pick(await read('select id from platform.events order by id'), 'id');
  for (let at = 0; at < ids.length; at += 100) {
    await print((await readEvents(ids.slice(at, at + 100))).filter(isOurs).map(tournament));
  }
  console.log(JSON.stringify({ kind: 'end', records }));
}

async function live([program, ...args], isOnce) {
  const importing = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  importing.stdin.on('error', () => {});
  const acknowledgements = createInterface(importing.stdout)[Symbol.asyncIterator]();
  for (let [sent, recorded] = [0, 0]; ;) {
    const { rows, records } = await inSnapshot(readChanges);
    if (rows.length === 0 && isOnce) break;
    if (rows.length === 0) await sleep(200);
    for (const record of records) importing.stdin.write(`${JSON.stringify(record)}\n`);
    sent += records.length;
    while (recorded < sent) {
      const { value, done } = await acknowledgements.next();
      // The import has ended. A supervisor starts this program again.
      if (done) process.exit(1);
      const said = JSON.parse(value);
      if (said.refused !== undefined || said.failed !== undefined) console.error(value);
      recorded = said.recorded ?? recorded;
    }
    // Only now: if this program or the import was killed before, the rows are sent again.
    await read('delete from platform.outbox where id = any($1::bigint[])', [pick(rows, 'id')]);
  }
  importing.stdin.end();
  await once(importing, 'close');
}

/** What is named comes before what names it. What goes comes after all that named it was sent again. */
async function readChanges() {
  const rows = await read('select * from platform.outbox order by id limit 100');
  const dirty = (kind) => rows.flatMap((row) => (row.kind === kind ? [row.thing] : []));
  const some = (table, ids) => read(`select * from platform.${table} where id = any($1::int[])`, [ids]);
  const clubs = await some('clubs', dirty('club'));
  const users = await some('users', dirty('user'));
  const events = await readEvents(dirty('event'), dirty('club'));
  const ours = events.filter(isOurs);
  const entries = ours.flatMap((event) => event.entries);
  const merged = await read(mergedUsers, [dirty('user')]);
  const named = await some('users', [...pick(entries, 'user_id'), ...pick(merged, 'kept')]);
  const oldEvents = await renamed('event', 'tournament', events, isOurs);
  const records = [
    ...[...users, ...named].filter(isOne).map(player),
    ...[...clubs, ...(await some('clubs', pick(ours, 'club_id')))].filter(isThere).map(club),
    // First: a battle moves by itself only between the same two people, and people may have been merged meanwhile.
    ...oldEvents.filter(({ kind }) => kind === 'remove'),
    ...ours.map(tournament),
    ...events.filter((event) => !isOurs(event)).map(({ slug }) => remove('tournament', slug)),
    ...oldEvents.filter(({ kind }) => kind === 'moved'),
    ...(await renamed('club', 'club', clubs, isThere)),
    ...clubs.filter((each) => !isThere(each)).map(({ slug }) => remove('club', slug)),
    ...merged.map(({ id }) => remove('player', userId(id))),
    ...merged.map(({ id, kept }) => moved('player', userId(id), userId(kept))),
  ];
  return { rows, records };
}
const remove = (of, id) => ({ kind: 'remove', of, id });
const moved = (of, id, to) => ({ kind: 'moved', of, id, to });

/** Every old slug of these things that no other thing has now. */
async function renamed(kind, of, things, isShown) {
  const text = `select o.thing, o.old_slug as id from platform.outbox o where o.kind = $1 and o.thing = any($2::int[])
    and o.old_slug is not null and not exists (select from platform.${kind}s where slug = o.old_slug) order by o.id`;
  const old = await read(text, [kind, pick(things, 'id')]);
  return old.flatMap(({ thing, id }) => {
    const now = things.find((each) => each.id === thing);
    return [remove(of, id), ...(isShown(now) ? [moved(of, id, now.slug)] : [])];
  });
}

const wholeEvents = `select e.*, starts_on::text, c.slug as club,
    array(select to_jsonb(n) from platform.entries n where n.event_id = e.id) as entries,
    array(select to_jsonb(g) from platform.games g where g.event_id = e.id and g.deleted_at is null) as games
  from platform.events e left join platform.clubs c on c.id = e.club_id and c.deleted_at is null
  where e.id = any($1::int[]) or e.club_id = any($2::int[])`;
/** Each with the one who is left: whom they were merged into may be merged, too. */
const mergedUsers = `with recursive way as (
    select id, merged_into as kept from platform.users where id = any($1::int[]) and merged_into is not null
    union select way.id, merged_into from way join platform.users u on u.id = kept where merged_into is not null)
  select way.* from way join platform.users u on u.id = kept where merged_into is null`;
const readEvents = (ids, clubs = []) => read(wholeEvents, [ids, clubs]);
const read = async (text, values = []) => (await database.query(text, values)).rows;
const pick = (things, member) => things.map((thing) => thing[member]);
const isOne = ({ merged_into }) => merged_into === null;
const isThere = ({ deleted_at }) => deleted_at === null;
const isOurs = (event) => event.system_id === 1 && isThere(event);
const userId = (id) => `u${id}`;
const club = ({ slug, title, city }) => ({ kind: 'club', slug, name: title, city });
const player = (user) => {
  const said = isThere(user) ? { name: user.nick, erased: false } : { erased: true };
  return { kind: 'player', id: userId(user.id), ...said };
};
const statuses = { draft: 'planned', open: 'planned', running: 'ongoing', done: 'finished' };
const tournament = (event) => ({
  kind: 'tournament',
  slug: event.slug,
  published: event.state !== 'draft',
  name: event.title,
  status: statuses[event.state],
  startDate: event.starts_on,
  battleSize: 2000,
  organizer: event.club,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: event.rounds }],
  participants: event.entries.map(({ id, user_id, guest, army: faction, dropped }) => {
    const who = user_id === null ? { name: guest } : { player: userId(user_id) };
    return { id: `e${id}`, ...who, faction, dropped };
  }),
  battles: event.games.map(battle),
});
const battle = ({ id, round, entry1, entry2, points1, points2 }) => ({
  id: `g${id}`,
  stage: 'swiss',
  round,
  finished: points1 !== null,
  ...(points1 === points2 ? {} : { winner: `e${points1 > points2 ? entry1 : entry2}` }),
  sides: [side(entry1, points1), side(entry2, points2)],
});
const side = (entry, victoryPoints) => ({ participant: `e${entry}`, victoryPoints });

async function inSnapshot(work) {
  await database.query('begin isolation level repeatable read, read only');
  return work().finally(() => database.query('commit'));
}

const [mode, ...given] = process.argv.slice(2);
if (mode === 'backfill') await inSnapshot(backfill);
else await live(given.slice(given.indexOf('--') + 1), given[0] === '--once');
await database.end();
