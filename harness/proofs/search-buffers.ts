import assert from 'node:assert/strict';
import type pg from 'pg';
import type { Statement } from '../../src/read/reader.ts';
import { searchAmong, searchValues } from '../../src/read/search.ts';
import { searchWithDetails } from '../../src/read/search-with-details.ts';
import { guestsOfSearch, searchOfGuests } from '../../src/site/search/guest-statement.ts';
import { searchTexts } from '../../src/text/search.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';

const bars = { finding: 100, details: 10 };
/**
 * The details of a player consist of four things, and those of an event or a club of one, so the mean is
 * taken over a page with all kinds.
 */
const fullPage = 60;
const fullPageOfGuests = 20;

/**
 * Counts the pages of memory that one search reads after VACUUM, in a large table: to find the hits, and for
 * the details of each.
 */
export const searchBuffers: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, (url) =>
    onClient(url, async (client) => {
      const rows = size === 'stated' ? 3_000_000 : 60_000;
      await fill(client, rows);
      await client.query(`vacuum (analyze) published.search, published.participant, published.tournament, published.club,
        published.player, published.player_tournament, published.list_revision`);
      const things = searchAmong('others', 'kind, key', 'kind');
      const { finding, details } = await most(client, things, searchWithDetails, fullPage);
      const guests = await most(client, searchOfGuests, guestsOfSearch, fullPageOfGuests);
      for (const each of [{ finding, details }, guests]) {
        assert.ok(each.details.query !== '', 'no page was full');
        assert.ok(each.finding.most <= bars.finding, `${each.finding.most} buffers (${each.finding.query})`);
        assert.ok(
          each.details.most <= bars.details,
          `${each.details.most} for a hit (${each.details.query})`,
        );
      }
      return [
        `${finding.most} pages, and ${details.most.toFixed(1)} for each hit.`,
        `A search among ${rows} rows reads at most ${finding.most} buffers to find (“${finding.query}”; must be at most ${bars.finding}), and ${details.most.toFixed(1)} for the details of each hit of a full page (“${details.query}”; at most ${bars.details}), and ${guests.finding.most} and ${guests.details.most.toFixed(1)} among the guests of the site’s search page, for ${queries.length} queries: frequent and rare words, the two commonest beginnings together, four words, none found.`,
      ];
    }),
  );

// Frequent words, words in the middle, rare ones, several words in and out of order, other scripts, and words
// without a result.
const queries = [
  'an',
  'Anna',
  'anna k',
  'k anna',
  'an ko',
  'open iba',
  'open iba 17',
  'der von jo oh',
  'Ibañeta 17',
  'zz',
  'zz an',
  'name 29',
  '李',
  'ö',
  '10',
  'club owls 9',
];
const names = ['Anna Kowalska', 'Ibañeta Open', 'Owls Club', '李明', 'Jörg von der Öhe', 'Name'];

/**
 * Fills the table with names of one to five words, in an order that is not that of the index. Each player has
 * been at four events.
 */
async function fill(client: pg.Client, rows: number): Promise<void> {
  let count = 0;
  for (let thing = 0; count < rows;) {
    const batch: { folded: string; kind: string; key: string; label: string }[] = [];
    for (; batch.length < 20_000 && count < rows; thing += 1) {
      const label = `${names[thing % names.length]} ${(thing * 7919) % 1_000_003}`;
      const kind = ['player', 'player', 'tournament', 'player', 'club'][thing % 5] ?? '';
      const texts = searchTexts(label);
      count += texts.length;
      for (const folded of texts) batch.push({ folded, kind, key: `key-${thing}`, label });
    }
    await client.query(
      'insert into published.search select false, *, null from unnest($1::text[], $2::text[], $3::text[], $4::text[])',
      [
        batch.map(({ folded }) => folded),
        batch.map(({ kind }) => kind),
        batch.map(({ key }) => key),
        batch.map(({ label }) => label),
      ],
    );
  }
  await client.query(`
    create temporary table thing as
      select kind, key, label, row_number() over (partition by kind order by key) - 1 as nr
      from (select distinct kind, key, label from published.search) each;
    create index on thing (kind, nr);
    insert into published.tournament (slug, start_date, status, last_day, stages, derivation, battle_derivation, revision, document, view)
      select key, date '2020-01-01' + (nr % 2000)::integer, 'finished', 'infinity', '{}', 1, 1, nr + 1,
        json_build_object('slug', key, 'name', label, 'description', repeat('x', 600)), '{}' from thing where kind = 'tournament';
    insert into published.club (slug, revision, sort_key, document)
      select key, nr + 1, lower(label), json_build_object('slug', key, 'name', label) from thing where kind = 'club';
    insert into published.player (id, revision, name) select key, nr + 1, label from thing where kind = 'player';
    insert into published.player_tournament (player, start_date, tournament, plays, organizes, is_placed, club, won, drawn, lost, path)
      select distinct on (1, 2, 3) p.key, date '2020-01-01' + ((p.nr * 7 + turn * 13) % 2000)::integer, t.key, true, false, false, c.key, 0, 0, 0, ''
      from thing p cross join generate_series(1, 4) turn
      join thing t on t.kind = 'tournament' and t.nr = (p.nr * 31 + turn * 7) % (select count(*) from thing where kind = 'tournament')
      join thing c on c.kind = 'club' and c.nr = p.nr % (select count(*) from thing where kind = 'club')
      where p.kind = 'player';
    create temporary table guest as
      select p.key, p.label, lower(p.label) as sort_key, t.key as tournament
      from thing p join thing t on t.kind = 'tournament' and t.nr = p.nr % (select count(*) from thing where kind = 'tournament')
      where p.kind = 'player';
    insert into published.participant (tournament, sort_key, id, list_order, result, document)
      select tournament, sort_key, key, 0, '{}',
        json_build_object('player', label, 'playerId', null, 'list', json_build_object('text', repeat('x', 900)))
      from guest;
    insert into published.search (is_guest, folded, kind, key, label, sort_key)
      select true, s.folded, 'guest', guest.tournament || '/' || guest.key, guest.label, guest.sort_key
      from published.search s join guest on s.kind = 'player' and s.key = guest.key`);
}

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

interface Worst {
  most: number;
  query: string;
}

/**
 * Returns the worst queries. They are sent like the server's: as a named statement, which may get a generic
 * plan.
 */
async function most(
  client: pg.Client,
  search: string,
  statement: Statement,
  full: number,
): Promise<{ finding: Worst; details: Worst }> {
  const finding = { most: 0, query: '' };
  const details = { most: 0, query: '' };
  const raise = (worst: Worst, buffers: number, query: string) => {
    if (buffers > worst.most) Object.assign(worst, { most: buffers, query });
  };
  const types = '(text, text, text[], text[], text[], text)';
  await client.query(
    `deallocate all; prepare finding ${types} as ${search}; prepare page ${types} as ${statement.text}`,
  );
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`);
    for (const query of queries) {
      const values = searchValues(query);
      if (values === null) continue;
      const found = await buffersOf(client, 'finding', values);
      const page = await buffersOf(client, 'page', values);
      raise(finding, found, query);
      const hits = await hitsOf(client, statement, values);
      if (hits >= full) raise(details, (page - found) / hits, query);
    }
  }
  return { finding, details };
}

async function buffersOf(client: pg.Client, prepared: string, values: unknown[]): Promise<number> {
  const literals = values.map((value) =>
    Array.isArray(value)
      ? `array[${value.map((each) => client.escapeLiteral(String(each))).join(', ')}]::text[]`
      : client.escapeLiteral(String(value)),
  );
  const execute = `execute ${prepared} (${literals.join(', ')})`;
  // The first execution also reads the catalogue, and sets hint bits that the second uses.
  await client.query(execute);
  const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(
    `explain (analyze, buffers, format json) ${execute}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  assert.ok(plan);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

async function hitsOf(client: pg.Client, statement: Statement, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ detail: object | null }>(statement.text, values);
  return rows.filter(({ detail }) => detail !== null).length;
}
