import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

// The specification once more, written out by hand and compared field by field with the committed openapi.json. It
// shares nothing with src/contract, so a slip there cannot excuse itself here. Notation: `?` after a name for a key
// that may be absent, `| null` for a value that may be null, `date` for YYYY-MM-DD, `link` for an absolute address.
type Fields = Record<string, string>;

const stageType = '"board" | "bracket"';
const side: Fields = {
  player: 'string',
  playerId: 'string | null',
  faction: 'string | null',
  subFaction: 'string | null',
  outcome: '"win" | "loss" | "draw" | null',
  battlePoints: 'number | null',
  victoryPoints: 'number | null',
  'objectivePoints?': 'number',
  'battleTacticsScored?': 'number',
  'grandStrategy?': 'string | null',
  'grandStrategyScored?': 'boolean',
  drops: 'number | null',
  role: '"attacker" | "defender" | null',
  metrics: 'numbers by name',
};
const battle: Fields = {
  id: 'string',
  date: 'date | null',
  tournament: 'string | null',
  stage: 'string | null',
  round: 'number | null',
  scenario: 'string | null',
  battlePack: 'string | null',
  battleSize: 'number',
  winner: 'string | null',
  victorySize: '"major" | "minor" | null',
  url: 'link',
};

const resources: Record<string, Fields> = {
  Tournament: {
    slug: 'string',
    name: 'string',
    status: '"planned" | "ongoing" | "finished"',
    startDate: 'date | null',
    endDate: 'date | null',
    description: 'string',
    city: 'string | null',
    country: 'string | null',
    players: 'number',
    rounds: 'number',
    battleSize: 'number',
    battlePack: 'string | null',
    organizer: 'string | null',
    tournamentOrganizers: 'TournamentOrganizer[]',
    stages: 'Stage[]',
    url: 'link',
  },
  TournamentOrganizer: { name: 'string', playerId: 'string' },
  Stage: { id: 'string', name: 'string', type: stageType, 'rounds?': 'number', 'players?': 'number' },
  BoardRow: {
    rank: 'number | null',
    'group?': 'string',
    player: 'string | null',
    playerId: 'string | null',
    faction: 'string | null',
    battlePoints: 'number',
    wins: 'number',
    draws: 'number',
    losses: 'number',
    victoryPoints: 'number',
    victoryPointsDiff: 'number',
  },
  BracketMatch: {
    round: 'string',
    table: 'number',
    players: 'string[]',
    winner: 'string | null',
    battle: 'string | null',
  },
  Participant: {
    player: 'string',
    playerId: 'string | null',
    club: 'string | null',
    group: 'string | null',
    dropped: 'boolean',
    finalPlacement: 'number | null',
    list: 'ArmyList | null',
  },
  ArmyList: {
    faction: 'string',
    subFaction: 'string',
    points: 'number',
    battleTacticCards: 'string[]',
    text: 'string',
  },
  Club: {
    slug: 'string',
    name: 'string',
    description: 'string',
    city: 'string | null',
    country: 'string | null',
    members: 'number',
    website: 'link | null',
    url: 'link',
  },
  Battle: { ...battle, players: 'BattlePlayer[]' },
  BattleDetail: { ...battle, players: 'BattlePlayerDetail[]' },
  BattlePlayer: side,
  BattlePlayerDetail: { ...side, list: 'ArmyList | null', rounds: 'PlayerRound[]' },
  PlayerRound: {
    round: 'number',
    victoryPoints: 'number',
    objectivePoints: 'number',
    objectives: 'string[]',
    battleTactic: 'string',
    battleTacticScored: 'boolean',
    priority: 'boolean',
  },
  BoardStage: { id: 'string', name: 'string', type: '"board"' },
  BracketStage: { id: 'string', name: 'string', type: '"bracket"' },
  BoardStandings: { stage: 'BoardStage', data: 'BoardRow[]' },
  BracketStandings: { stage: 'BracketStage', data: 'BracketMatch[]' },
  TournamentList: { data: 'Tournament[]', next: 'link | null' },
  ParticipantList: { data: 'Participant[]', next: 'link | null' },
  BattleList: { data: 'Battle[]', next: 'link | null' },
  SingleTournament: { data: 'Tournament' },
  SingleClub: { data: 'Club' },
  SingleBattle: { data: 'BattleDetail' },
};

const page: Fields = { 'limit?': 'number', 'cursor?': 'string' };
const days: Fields = { 'from?': 'date', 'to?': 'date' };
const status: Fields = { 'status?': '"planned" | "ongoing" | "finished"' };
const slug: Fields = { slug: 'string' };

const endpoints: Record<string, { path: Fields; query: Fields; answer: string; notFound: boolean }> = {
  '/api/v1/tournaments': {
    path: {},
    query: { ...days, ...status, ...page },
    answer: 'TournamentList',
    notFound: false,
  },
  '/api/v1/tournaments/{slug}': { path: slug, query: {}, answer: 'SingleTournament', notFound: true },
  '/api/v1/tournaments/{slug}/standings': {
    path: slug,
    query: { 'stage?': 'string' },
    answer: 'Standings',
    notFound: true,
  },
  '/api/v1/tournaments/{slug}/participants': {
    path: slug,
    query: page,
    answer: 'ParticipantList',
    notFound: true,
  },
  '/api/v1/tournaments/{slug}/battles': { path: slug, query: page, answer: 'BattleList', notFound: true },
  '/api/v1/clubs/{slug}': { path: slug, query: {}, answer: 'SingleClub', notFound: true },
  '/api/v1/clubs/{slug}/tournaments': {
    path: slug,
    query: { ...days, ...page },
    answer: 'TournamentList',
    notFound: true,
  },
  '/api/v1/clubs/{slug}/battles': {
    path: slug,
    query: { ...days, ...page },
    answer: 'BattleList',
    notFound: true,
  },
  '/api/v1/users/{publicId}/battles': {
    path: { publicId: 'string' },
    query: { ...days, ...page },
    answer: 'BattleList',
    notFound: true,
  },
  '/api/v1/battles/{id}': { path: { id: 'string' }, query: {}, answer: 'SingleBattle', notFound: true },
};

const messages: [status: number, code: string, message: string][] = [
  [401, 'UNAUTHORIZED', 'Missing or invalid Authorization header'],
  [401, 'UNAUTHORIZED', 'Invalid API key format'],
  [401, 'UNAUTHORIZED', 'Invalid API key'],
  [400, 'BAD_REQUEST', 'limit must be a positive integer'],
  [400, 'BAD_REQUEST', 'limit must not exceed 100'],
  [400, 'BAD_REQUEST', 'Invalid cursor'],
];

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: string;
  enum?: (string | null)[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}
type Content = { 'application/json': { schema: Schema; examples: Record<string, { value: unknown }> } };
type Response = { $ref?: string; content?: Content };
interface Operation {
  parameters: { $ref: string }[];
  responses: Record<string, Response>;
}
interface Document {
  openapi: string;
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, { type: string; scheme: string }>;
  };
}

const file = path.resolve(import.meta.dirname, '../../openapi.json');
const document = JSON.parse(await readFile(file, 'utf8')) as Document;
const { schemas, parameters, responses } = document.components;

for (const [name, fields] of Object.entries(resources)) {
  const found = fieldsOf(schemas[name] ?? {});

  for (const [field, notation] of Object.entries(fields)) {
    test(`${name}.${field} is ${notation}`, () => assert.equal(found[field], notation));
  }

  test(`${name} has these fields and no other, and does not forbid others`, () => {
    assert.deepEqual(Object.keys(found).toSorted(), Object.keys(fields).toSorted());
    assert.equal(schemas[name]?.additionalProperties, undefined);
  });
}

test('the standings are a board or a bracket', () => {
  assert.deepEqual(schemas['Standings']?.anyOf?.map(notationOf), ['BoardStandings', 'BracketStandings']);
});

test('an error is status, message and code', () => {
  const answer = schemas['ErrorAnswer'] ?? {};
  const error = answer.properties?.['error'] ?? {};
  assert.deepEqual(Object.keys(fieldsOf(answer)), ['error']);
  assert.deepEqual(Object.keys(fieldsOf(error)).toSorted(), ['code', 'message', 'status']);
  assert.equal(error.properties?.['status']?.type, 'integer');
  assert.equal(error.properties?.['message']?.type, 'string');
  assert.equal(error.properties?.['code']?.type, 'string');
  assert.deepEqual([answer.additionalProperties, error.additionalProperties], [undefined, undefined]);
});

test('there is no other schema', () => {
  const known = [...Object.keys(resources), 'Standings', 'ErrorAnswer'];
  assert.deepEqual(Object.keys(schemas).toSorted(), known.toSorted());
});

for (const name of ['Battle', 'BattleDetail']) {
  test(`${name}.players has exactly two entries`, () => {
    const players = schemas[name]?.properties?.['players'];
    assert.deepEqual([players?.minItems, players?.maxItems], [2, 2]);
  });
}

test('the ten paths are exactly the ten, each with GET alone', () => {
  assert.deepEqual(Object.keys(document.paths).toSorted(), Object.keys(endpoints).toSorted());
  assert.equal(Object.keys(endpoints).length, 10);
  for (const item of Object.values(document.paths)) assert.deepEqual(Object.keys(item), ['get']);
});

for (const [address, expected] of Object.entries(endpoints)) {
  const operation = document.paths[address]?.['get'];
  const given = operation?.parameters.map(({ $ref }) => parameters[nameIn($ref)]);

  for (const place of ['path', 'query'] as const) {
    test(`${address} takes its ${place} parameters and no other`, () => {
      const found = given
        ?.filter((parameter) => parameter?.in === place)
        .map((parameter) => [
          `${parameter?.name}${parameter?.required ? '' : '?'}`,
          notationOf(parameter?.schema ?? {}),
        ]);
      assert.deepEqual(Object.fromEntries(found ?? []), expected[place]);
      assert.equal(found?.length, Object.keys(expected[place]).length, 'each once');
    });
  }

  test(`${address} answers with ${expected.answer}`, () => {
    const schema = operation?.responses['200']?.content?.['application/json'].schema;
    assert.equal(notationOf(schema ?? {}), expected.answer);
  });

  test(`${address} gives 401${expected.notFound ? ' and 404' : ' and no 404'}`, () => {
    assert.ok(operation?.responses['401']);
    assert.equal('404' in operation.responses, expected.notFound);
  });

  const stated = messages.filter(([code]) => code === 401 || 'limit?' in expected.query);
  for (const [code, name, message] of stated) {
    test(`${address} can say "${message}"`, () => {
      const wanted = { error: { status: code, message, code: name } };
      const found = errorsOf(operation, code);
      assert.ok(
        found.some((value) => JSON.stringify(value) === JSON.stringify(wanted)),
        JSON.stringify(found),
      );
    });
  }
}

test('a 401 has no message but the three', () => {
  const operation = document.paths['/api/v1/clubs/{slug}']?.['get'];
  assert.equal(errorsOf(operation, 401).length, 3);
});

test('an unknown stage is answered with the ids of the stages there are', () => {
  const operation = document.paths['/api/v1/tournaments/{slug}/standings']?.['get'];
  const found = errorsOf(operation, 404) as { error: { message: string } }[];
  assert.ok(found.some(({ error }) => error.message.includes('swiss, knockout')));
});

test('limit is from 1 to 100, and 20 when left out', () => {
  const limit = Object.values(parameters).find(({ name }) => name === 'limit')?.schema;
  assert.deepEqual([limit?.type, limit?.minimum, limit?.maximum, limit?.default], ['integer', 1, 100, 20]);
});

test('every request needs a bearer token', () => {
  assert.deepEqual(document.security, [{ apiKey: [] }]);
  const { type, scheme } = document.components.securitySchemes['apiKey'] ?? {};
  assert.deepEqual([type, scheme], ['http', 'bearer']);
  for (const { get } of Object.values(document.paths)) assert.ok(get !== undefined && !('security' in get));
});

test('it is OpenAPI 3.1', () => assert.match(document.openapi, /^3\.1\./));

function fieldsOf(schema: Schema): Fields {
  const required = new Set(schema.required);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      required.has(name) ? name : `${name}?`,
      notationOf(field),
    ]),
  );
}

function notationOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map(notationOf).join(' | ');
  if (schema.enum) {
    // A value is only allowed when the type allows it as well, so both must speak of null or neither.
    const types = JSON.stringify(schema.enum.includes(null) ? ['string', 'null'] : 'string');
    if (JSON.stringify(schema.type) !== types) return 'an enumeration at odds with its type';
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return [schema.type ?? 'anything']
    .flat()
    .map((type) => notationOfType(type, schema))
    .join(' | ');
}

function notationOfType(type: string, { format, items, additionalProperties, properties }: Schema): string {
  if (type === 'string' && format !== undefined) return { date: 'date', uri: 'link' }[format] ?? format;
  if (type === 'integer') return 'number';
  if (type === 'array') return `${notationOf(items ?? {})}[]`;
  if (type !== 'object') return type;
  const ofNumbers = typeof additionalProperties === 'object' && additionalProperties.type === 'number';
  return ofNumbers && !properties ? 'numbers by name' : 'an object without a name';
}

function errorsOf(operation: Operation | undefined, code: number): unknown[] {
  const response = responses[nameIn(operation?.responses[code]?.$ref ?? '')];
  const examples = response?.content?.['application/json'].examples ?? {};
  return Object.values(examples).map(({ value }) => value);
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
