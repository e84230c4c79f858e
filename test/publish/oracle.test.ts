import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type pg from 'pg';
import { createTestDatabase } from '../../harness/support/database.ts';
import { compareChangingFactions } from '../../harness/oracle/changing-factions.ts';
import { compareWithOracle } from '../../harness/oracle/oracle.ts';
import { checkProperties } from '../../harness/oracle/properties.ts';
import { publishEvents } from '../../harness/oracle/publish-events.ts';

// About 200 events of all kinds; `npm run prove oracle` takes more than 2,000.

const { url, pool } = await createTestDatabase();
before(() => publishEvents(url, { seed: 3, battles: 6000, tight: 120 }));

test('what is derived is what the oracle works out from the facts', async () => {
  const { differences, compared } = await onClient(compareWithOracle);
  assert.deepEqual(differences.slice(0, 10), [], `${differences.length} differences`);
  assert.ok((compared.get('tournament') ?? 0) >= 200);
  for (const kind of kinds)
    assert.ok((compared.get(kind) ?? 0) > 0, `no ${kind} among ${[...compared.keys()].join(', ')}`);
});

const kinds = [
  'battle',
  'swiss planned',
  'swiss ongoing',
  'swiss finished',
  'swiss grouped finished',
  'placement-swiss finished',
  'placement-swiss carrying over finished',
  'swiss by a ranking ongoing',
  'swiss grouped by a ranking finished',
  'placement-swiss by a ranking finished',
  'placement-swiss carrying over by a ranking finished',
  'knockout ongoing',
  'knockout finished',
  'placement-3 finished',
  'placement-5-8 finished',
  'standings recorded',
  'standings settled',
  'standings never recorded',
];

test('the properties of any published data hold', async () => {
  const findings = await onClient(checkProperties);
  assert.deepEqual(
    findings.filter(({ broken }) => broken > 0),
    [],
  );
  assert.deepEqual(
    findings.filter(({ looked }) => looked === 0),
    [],
  );
});

test('the numbers of factions equal the oracle after random changes', async () => {
  const other = await createTestDatabase();
  const { compared } = await compareChangingFactions(other.url, 'small');
  assert.ok(compared > 500, `${compared} numbers`);
});

type Row = Record<string, unknown>;
const tampering: Record<string, (rows: Row[]) => Row[]> = {
  'one battle point too many': ([first = {}, ...rest]) => [
    { ...first, battlePoints: Number(first['battlePoints']) + 1 },
    ...rest,
  ],
  'two who changed places': ([first = {}, second = {}, ...rest]) => [second, first, ...rest],
  'somebody missing': (rows) => rows.slice(0, -1),
};

for (const [what, tamper] of Object.entries(tampering)) {
  test(`${what} on one board of one tournament is noticed, by the oracle and by a property`, async () => {
    const { tournament, document } = await someFinalStandings();
    const standings = JSON.parse(document) as { data: Row[] };
    await write(tournament, JSON.stringify({ ...standings, data: tamper(standings.data) }));
    try {
      const { differences } = await onClient(compareWithOracle);
      assert.deepEqual([...new Set(differences.map((difference) => difference.tournament))], [tournament]);
      assert.ok((await onClient(checkProperties)).some(({ broken }) => broken > 0));
    } finally {
      await write(tournament, document);
    }
  });
}

/** Returns the final standings of an event whose placements were derived here. */
async function someFinalStandings(): Promise<{ tournament: string; document: string }> {
  const { rows } = await pool.query<{ tournament: string; document: string }>(
    `select s.tournament, s.document from published.standings s join record.tournament t on t.slug = s.tournament
    where s.stage = 'standings' and t.placements_recorded and s.document::jsonb -> 'data' -> 1 ->> 'rank' = '2'
      and not exists (select from record.participant p where p.tournament_id = t.id and p.final_placement is not null)
    order by s.tournament limit 1`,
  );
  const [row] = rows;
  if (!row) throw new Error('no final standings were settled');
  return row;
}

const write = (tournament: string, document: string): Promise<unknown> =>
  pool.query(`update published.standings set document = $2 where tournament = $1 and stage = 'standings'`, [
    tournament,
    document,
  ]);

async function onClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
