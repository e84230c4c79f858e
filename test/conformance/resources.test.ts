import assert from 'node:assert/strict';
import { rule } from './rule.ts';
import { startWorld } from './world.ts';

// Every row of every table of fields, checked in every answer of the world that shows the resource: the type, the
// nulls, and the members that may be absent. Written out by hand from the specification.

type Member = [field: string, type: string, meaning: string];
type Row = Record<string, unknown>;

const world = await startWorld();
const tournaments = await world.all('/tournaments');
const battles = await world.all('/clubs/lantern-street/battles');
const casual = await world.all('/clubs/north-gate/battles');
const details = await Promise.all(
  [...battles, ...casual].map(async ({ id }) => data(await world.get(`/battles/${String(id)}`)) as Row),
);
const standings = await Promise.all(
  ['swiss', 'knockout', 'placement-swiss', 'placement-3', 'placement-5-8', 'standings'].map(async (stage) => {
    return (await world.get(`/tournaments/grand-final/standings?stage=${stage}`)).json as {
      stage: Row;
      data: Row[];
    };
  }),
);
const groups = (await world.get('/tournaments/group-cup/standings')).json as { stage: Row; data: Row[] };
const boards = [...standings, groups]
  .filter(({ stage }) => stage['type'] === 'board')
  .flatMap((each) => each.data);
const matches = standings.filter(({ stage }) => stage['type'] === 'bracket').flatMap((each) => each.data);
const participants = [
  ...(await world.all('/tournaments/grand-final/participants')),
  ...(await world.all('/tournaments/group-cup/participants')),
];
const clubs = await Promise.all(
  ['lantern-street', 'north-gate'].map(async (slug) => data(await world.get(`/clubs/${slug}`)) as Row),
);

const tables: Record<string, [rows: Row[], members: Member[]]> = {
  Tournament: [
    tournaments,
    [
      ['slug', 'string', 'used wherever an endpoint asks for {slug}'],
      ['name', 'string', 'tournament name'],
      ['status', '"planned" | "ongoing" | "finished"', 'where it has got to'],
      ['startDate', 'date | null', 'first day'],
      ['endDate', 'date | null', 'last day'],
      ['description', 'string', 'plain text'],
      ['city', 'string | null', 'town or city'],
      ['country', 'string | null', 'country name'],
      ['players', 'number', 'how many signed up'],
      ['rounds', 'number', 'counting every stage'],
      ['battleSize', 'number', 'points limit per army'],
      ['battlePack', 'string | null', 'name of the battle pack'],
      ['organizer', 'string | null', 'slug of the club running it'],
      ['tournamentOrganizers', 'array', 'people running it'],
      ['stages', 'array', 'in the order they run'],
      ['url', 'link', 'the tournament page'],
    ],
  ],
  Stage: [
    tournaments.flatMap((each) => each['stages'] as Row[]),
    [
      ['id', 'string', 'stable identifier'],
      ['name', 'string', 'human label'],
      ['type', '"board" | "bracket"', 'ranked table or matches'],
      ['rounds', 'number, optional', 'absent on the merged final standings'],
      ['players', 'number, optional', 'shown on a knockout stage'],
    ],
  ],
  'Board row': [
    boards,
    [
      ['rank', 'number | null', 'placement'],
      ['group', 'string, optional', 'only on group-stage boards'],
      ['player', 'string | null', 'display name'],
      ['playerId', 'string | null', 'public player id'],
      ['faction', 'string | null', 'faction played'],
      ['battlePoints', 'number', 'battle points earned'],
      ['wins', 'number', 'battles won'],
      ['draws', 'number', 'battles drawn'],
      ['losses', 'number', 'battles lost'],
      ['victoryPoints', 'number', 'across every battle'],
      ['victoryPointsDiff', 'number', 'scored minus given away'],
    ],
  ],
  'Bracket match': [
    matches,
    [
      ['round', 'string', 'name of the round'],
      ['table', 'number', 'table number'],
      ['players', 'array', 'the two names; empty while waiting'],
      ['winner', 'string | null', 'null until played'],
      ['battle', 'string | null', 'null when none was recorded'],
    ],
  ],
  Participant: [
    participants,
    [
      ['player', 'string', 'display name'],
      ['playerId', 'string | null', 'public player id'],
      ['club', 'string | null', 'slug of the club'],
      ['group', 'string | null', 'null unless there is a group stage'],
      ['dropped', 'boolean', 'no longer taking part'],
      ['finalPlacement', 'number | null', 'settled when it finishes'],
      ['list', 'object | null', 'null when none was submitted'],
    ],
  ],
  ArmyList: [
    participants.map((each) => each['list'] as Row | null).filter((list) => list !== null),
    [
      ['faction', 'string', ''],
      ['subFaction', 'string', ''],
      ['points', 'number', ''],
      ['battleTacticCards', 'array', ''],
      ['text', 'string', 'may contain line breaks'],
    ],
  ],
  Club: [
    clubs,
    [
      ['slug', 'string', 'short name'],
      ['name', 'string', 'club name'],
      ['description', 'string', 'plain text'],
      ['city', 'string | null', 'town or city'],
      ['country', 'string | null', 'country name'],
      ['members', 'number', 'number of members'],
      ['website', 'link | null', 'its own website'],
      ['url', 'link', 'the club page'],
    ],
  ],
  Battle: [
    [...battles, ...casual],
    [
      ['id', 'string', 'battle id'],
      ['date', 'date | null', 'day played'],
      ['tournament', 'string | null', 'null for a casual battle'],
      ['stage', 'string | null', 'null for a casual battle'],
      ['round', 'number | null', 'counting from 1'],
      ['scenario', 'string | null', 'scenario played'],
      ['battlePack', 'string | null', 'battle pack name'],
      ['battleSize', 'number', 'points limit'],
      ['winner', 'string | null', 'null on a draw and without a result'],
      ['victorySize', '"major" | "minor" | null', 'how big the win was'],
      ['players', 'array', 'exactly two'],
      ['url', 'link', 'the battle page'],
    ],
  ],
  BattlePlayer: [
    [...battles, ...casual].flatMap((each) => each['players'] as Row[]),
    [
      ['player', 'string', 'display name'],
      ['playerId', 'string | null', 'public player id'],
      ['faction', 'string | null', 'faction played'],
      ['subFaction', 'string | null', 'battle formation'],
      ['outcome', '"win" | "loss" | "draw" | null', 'null while unfinished'],
      ['battlePoints', 'number | null', 'from this battle'],
      ['victoryPoints', 'number | null', 'across every round'],
      ['objectivePoints', 'number, optional', 'when the pack scores objectives'],
      ['battleTacticsScored', 'number, optional', 'when the pack uses battle tactics'],
      ['grandStrategy', 'string | null, optional', 'when the pack uses grand strategies'],
      ['grandStrategyScored', 'boolean, optional', 'when the pack uses grand strategies'],
      ['drops', 'number | null', 'deployment drops'],
      ['role', '"attacker" | "defender" | null', 'null when not recorded'],
      ['metrics', 'object', 'always present'],
    ],
  ],
  'BattlePlayer of a battle by id': [
    details.flatMap((each) => each['players'] as Row[]),
    [
      ['list', 'object | null', 'only in the battle-by-id response'],
      ['rounds', 'array', 'only in the battle-by-id response'],
    ],
  ],
  PlayerRound: [
    details.flatMap((each) => (each['players'] as Row[]).flatMap((player) => player['rounds'] as Row[])),
    [
      ['round', 'number', ''],
      ['victoryPoints', 'number', ''],
      ['objectivePoints', 'number', ''],
      ['objectives', 'array', ''],
      ['battleTactic', 'string', ''],
      ['battleTacticScored', 'boolean', ''],
      ['priority', 'boolean', ''],
    ],
  ],
};

for (const [resource, [rows, members]] of Object.entries(tables)) {
  for (const [field, type, meaning] of members) {
    const statement = `\`${field}\`: ${type}${meaning === '' ? '' : ` (${meaning})`}`;
    rule(`Resources: ${resource}`, statement, () => checkMember(rows, field, type));
  }
}

const listings = [...battles, ...casual].flatMap((each) => each['players'] as Row[]);
rule('Resources: BattlePlayer', 'Battle listings do not carry `list` or `rounds` on players', () => {
  assert.ok(listings.length > 60);
  for (const player of listings) assert.ok(!('list' in player) && !('rounds' in player));
});
rule('Resources: Battle', '`players` has exactly two entries', () => {
  for (const each of [...battles, ...casual, ...details]) assert.equal((each['players'] as Row[]).length, 2);
});
rule(
  'Resources: Tournament',
  '`tournamentOrganizers` are {name, playerId}; empty when nobody is listed',
  () => {
    const lists = tournaments.map((each) => each['tournamentOrganizers'] as Row[]);
    assert.ok(lists.some((list) => list.length === 0) && lists.some((list) => list.length > 1));
    for (const person of lists.flat()) assert.deepEqual(Object.keys(person), ['name', 'playerId']);
  },
);
rule('Resources: Tournament', '`slug` is usable wherever an endpoint asks for {slug}', async () => {
  for (const { slug } of tournaments.slice(0, 5)) {
    assert.equal((await world.get(`/tournaments/${String(slug)}/battles`)).status, 200);
  }
});
rule('Resources: Tournament', '`organizer` is usable with the club endpoints', async () => {
  const organizers = new Set(
    tournaments.map((each) => each['organizer'] as string | null).filter((slug) => slug !== null),
  );
  assert.ok(organizers.size > 0);
  for (const slug of organizers) assert.equal((await world.get(`/clubs/${slug}`)).status, 200);
});
rule('Resources: Bracket match', '`battle` is usable with the battle-by-id endpoint', async () => {
  const ids = new Set(matches.map((each) => each['battle'] as string | null).filter((id) => id !== null));
  assert.ok(ids.size > 0);
  for (const id of ids) assert.equal((await world.get(`/battles/${id}`)).status, 200);
});
rule('Resources: Stage', 'The same id can carry different names in different tournaments', () => {
  const names = tournaments.flatMap((each) =>
    (each['stages'] as Row[]).filter((stage) => stage['id'] === 'swiss'),
  );
  assert.ok(new Set(names.map((stage) => stage['name'])).size > 1);
});
for (const id of ['standings', 'swiss', 'knockout', 'placement-swiss', 'placement-3', 'placement-5-8']) {
  rule('Resources: Stage', `The stage id \`${id}\` is in use and has standings`, async () => {
    const answer = await world.get(`/tournaments/grand-final/standings?stage=${id}`);
    assert.equal((answer.json as { stage: Row }).stage['id'], id);
  });
}
rule('States', 'The stage `standings` exists only once the tournament has finished', () => {
  for (const each of tournaments) {
    const has = (each['stages'] as Row[]).some((stage) => stage['id'] === 'standings');
    assert.equal(has, each['status'] === 'finished', String(each['slug']));
  }
});
rule('States', '`finalPlacement` is null while the tournament runs', async () => {
  for (const each of await world.all('/tournaments/group-cup/participants')) {
    assert.equal(each['finalPlacement'], null);
  }
});
rule('States', '`outcome` is null while the battle is unfinished, and then there is no winner', () => {
  const open = [...battles, ...casual].filter((each) =>
    (each['players'] as Row[]).some((p) => p['outcome'] === null),
  );
  assert.ok(open.length > 0);
  for (const each of open) assert.equal(each['winner'], null);
});
rule('States', 'A bracket match without players has no winner', () => {
  const waiting = matches.filter((each) => (each['players'] as string[]).length === 0);
  assert.ok(waiting.length > 0);
  for (const each of waiting) assert.equal(each['winner'], null);
});

function checkMember(rows: Row[], field: string, type: string): void {
  assert.ok(rows.length > 0, 'there are such rows');
  const isOptional = type.endsWith(', optional');
  const kinds = type.replace(', optional', '').split(' | ');
  const given = rows.filter((row) => field in row);
  if (!isOptional) assert.equal(given.length, rows.length, 'always present');
  else assert.ok(given.length > 0 && given.length < rows.length, 'present and absent');
  for (const row of given) {
    assert.ok(
      kinds.some((kind) => isOfKind(row[field], kind)),
      `${JSON.stringify(row[field])} is not ${type}`,
    );
  }
  if (kinds.includes('null'))
    assert.ok(
      given.some((row) => row[field] === null),
      'null somewhere',
    );
  assert.ok(
    given.some((row) => row[field] !== null),
    'not null somewhere',
  );
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind.startsWith('"')) return value === JSON.parse(kind);
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (kind === 'link') return typeof value === 'string' && /^https?:\/\/./.test(value);
  return typeof value === kind;
}

function data({ json }: { json: unknown }): unknown {
  return (json as { data: unknown }).data;
}
