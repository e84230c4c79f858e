import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLine } from './parse-line.ts';
import { problemLine } from './problem.ts';

const refusal = (line: string | Buffer, truncated = false): string => {
  const parsed = parseLine(Buffer.from(line), truncated);
  return 'record' in parsed
    ? 'accepted'
    : parsed.problems.map((problem) => problemLine('f', 1, problem)).join('\n');
};
const battle = (change: object) =>
  JSON.stringify({
    kind: 'battle',
    tournament: 'cup',
    id: 'b1',
    stage: 'swiss',
    round: 1,
    sides: [{ participant: 'p1' }, { participant: 'p2' }],
    ...change,
  });
const tournament = (change: object) => JSON.stringify({ kind: 'tournament', slug: 'cup', ...change });
const participant = (change: object) =>
  JSON.stringify({ kind: 'participant', tournament: 'cup', id: 'p1', name: 'Guest', ...change });
const list = { faction: 'Lanternsworn', subFaction: '', points: 2000, battleTacticCards: [], text: '' };

test('lines that are not records are refused with the reason', () => {
  const cases: [string | Buffer, string][] = [
    ['{"kind":"club"', 'f:1: expected JSON, found something else at character 15'],
    ['nonsense', 'f:1: expected JSON, found something else'],
    ['{"kind":"club","slug":"a","members":NaN}', 'f:1: expected JSON, found something else'],
    ['[1]', 'f:1: expected an object with a kind, found an array'],
    ['null', 'f:1: expected an object with a kind, found null'],
    [
      '{}',
      'f:1: kind: expected one of club, player, battlePack, tournament, participant, battle, bye, match, ranking, moved, end, remove, found nothing',
    ],
    [
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'f:1: expected at most 32 levels of nesting, found more',
    ],
    [
      '{"kind":"club","slug":"a","slug":"b"}',
      'f:1: expected each key once, found "slug" twice in one object',
    ],
    [
      '{"kind":"club","slug":"a","sl\\u0075g":"b"}',
      'f:1: expected each key once, found "slug" twice in one object',
    ],
    [
      tournament({ stages: [{ id: 'swiss' }] }).replace('"id"', '"id":"x","id"'),
      'f:1: expected each key once, found "id" twice in one object',
    ],
    [
      '{"kind":"club","slug":"a","__proto__":{"name":"x"}}',
      'f:1: __proto__: expected no member of this name',
    ],
    ['{"kind":"club","slug":"a","constructor":1}', 'f:1: constructor: expected no member of this name'],
    [
      '{"kind":"club","slug":"a","name":"\\ud800"}',
      'f:1: expected whole characters, found the lone surrogate \\ud800',
    ],
    [
      '{"kind":"club","slug":"a","name":"\\udc00\\ud83d"}',
      'f:1: expected whole characters, found the lone surrogate \\udc00',
    ],
    ['{"kind":"club","slug":"a","name":"a\\u0000b"}', 'f:1: expected text without NUL, found \\u0000'],
    [
      '{"kind":"club","slug":"a","members":9007199254740993}',
      'f:1: members: expected a whole number between 0 and 1000000, found a number beyond 2^53',
    ],
    [
      '{"kind":"club","slug":"a","members":1e400}',
      'f:1: members: expected a whole number between 0 and 1000000, found a number that is not finite',
    ],
    [
      '{"kind":"battle","id":"b","battleSize":1,"sides":[{"name":"A","rounds":[{"round":1,"metrics":{"Slain":-1e400}}]},{"name":"B"}]}',
      'f:1: sides[0].rounds[0].metrics.Slain: expected a number or true or false, found a number that is not finite',
    ],
    [
      '{"kind":"club","slug":"a","members":"NaN"}',
      'f:1: members: expected a whole number between 0 and 1000000, found "NaN"',
    ],
    ['\ufeff{"kind":"club","slug":"a","name":"A"}', 'f:1: expected a record, found a byte order mark'],
    [Buffer.from([0x22, 0xff, 0x22]), 'f:1: expected UTF-8, found other bytes'],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'f:1: expected UTF-8, found other bytes'],
  ];
  for (const [line, message] of cases) assert.equal(refusal(line), message);
  assert.equal(
    refusal('{"kind":"club","sl', true),
    'f:1: expected a whole record, found the end of the file within it',
  );
});

test('text that only looks hostile is accepted', () => {
  const taken = [
    '{"kind":"club","slug":"a","name":"\\ud83d\\ude00 \\\\u0000 \\\\ud800 \\" : { ["}',
    '{"kind":"club","slug":"a","description":"slug slug \\"slug\\": twice"}',
    ' { "kind" : "club" , "slug" : "a" , "name" : "Łódź — 戦" } ',
  ];
  for (const line of taken) assert.equal(refusal(line), 'accepted');
});

test('shapes are refused with path, expectation and finding', () => {
  const cases: [string, string][] = [
    [
      '{"kind":"clubb"}',
      'f:1: kind: expected one of club, player, battlePack, tournament, participant, battle, bye, match, ranking, moved, end, remove, found "clubb"',
    ],
    [
      '{"kind":"club","slug":"A b","name":"A"}',
      'f:1: slug: expected lower-case letters, digits and hyphens, 1 to 100, found "A b"',
    ],
    [
      '{"kind":"club","slug":"a","website":"javascript:alert(1)"}',
      'f:1: website: expected an http or https address of up to 500 characters, or null, found "javascript:alert(1)"',
    ],
    [
      '{"kind":"club","slug":"a","website":"https://bücher.example/"}',
      'f:1: website: expected an address in ASCII (punycode in the host, percent-encoding after it), found "https://bücher.example/"',
    ],
    [
      '{"kind":"club","slug":"a","website":"https://a.example/{x}"}',
      'f:1: website: expected an address in ASCII (punycode in the host, percent-encoding after it), found "https://a.example/{x}"',
    ],
    ['{"kind":"club","slug":"a","website":null}', 'accepted'],
    ['{"kind":"club","slug":"a","nmae":"A"}', 'f:1: nmae: expected no member of this name'],
    [
      '{"kind":"player","id":"x","name":" "}',
      'f:1: name: expected a text with something visible, up to 200 characters, found " "',
    ],
    [
      '{"kind":"remove","of":"stage","id":"a"}',
      'f:1: of: expected one of club, player, battlePack, tournament, participant, battle, bye, match, ranking, found "stage"',
    ],
    ['{"kind":"remove","of":"club","id":"A"}', 'f:1: id: expected a slug, found "A"'],
    [
      tournament({ battleSize: null }),
      'f:1: battleSize: expected a whole number between 0 and 1000000, found null',
    ],
    [tournament({ status: 'over' }), 'f:1: status: expected one of planned, ongoing, finished, found "over"'],
    [
      tournament({ tournamentOrganizers: [{ name: 'x' }] }),
      'f:1: tournamentOrganizers[0]: expected letters, digits, _ and -, 1 to 64, found an object',
    ],
    [
      tournament({ stages: [{ id: 'standings', label: 'x', type: 'board', rounds: 1 }] }),
      'f:1: stages[0].id: expected swiss, knockout, placement-swiss, placement-3, placement-5-8 and the like, found "standings"',
    ],
    [
      tournament({ matches: [{ stage: 'knockout', round: 1, position: 1 }] }),
      'f:1: matches[0].table: expected a whole number between 0 and 1000000, found nothing',
    ],
    [
      participant({ list: { faction: 'x', subFaction: '', points: 1, text: '' } }),
      'f:1: list.battleTacticCards: expected a whole list, or a subFaction alone, found nothing',
    ],
    [
      battle({ sides: [{ participant: 'p1', list: { subFaction: 'x' } }, { participant: 'p2' }] }),
      'f:1: sides[0].faction: expected a faction beside a list with a subFaction alone, found nothing',
    ],
    [
      battle({ sides: [{ participant: 'p1', metrics: { 'a b': 'x' } }] }),
      'f:1: sides[0].metrics["a b"]: expected a number between -1000000 and 1000000 with at most two decimals, found "x"',
    ],
    [
      tournament({ tieBreaks: Array.from({ length: 21 }, () => 'wins') }),
      'f:1: tieBreaks: expected at most 20 elements, found 21',
    ],
  ];
  for (const [line, message] of cases) assert.equal(refusal(line), message);
});

test('records that contradict themselves are refused', () => {
  const sides = [{ participant: 'p1' }, { participant: 'p2' }];
  const cases: [string, string][] = [
    [battle({ sides: [{ participant: 'p1' }] }), 'f:1: sides: expected exactly two sides, found 1'],
    [
      tournament({ battles: [{ id: 'b', stage: 'swiss', round: 1, sides: [] }] }),
      'f:1: battles[0].sides: expected exactly two sides, found 0',
    ],
    [battle({ sides: [sides[0], sides[0]] }), 'f:1: sides: expected two different people, found "p1"'],
    [battle({ finished: true, winner: 'p3' }), 'f:1: winner: expected one of the two sides, found "p3"'],
    [battle({ winner: 'p1' }), 'f:1: finished: expected true where there is a winner, found nothing'],
    [
      battle({ finished: true, victorySize: 'major' }),
      'f:1: victorySize: expected none where there is no winner, found "major"',
    ],
    [
      battle({ sides: sides.map((side) => ({ ...side, role: 'attacker' })) }),
      'f:1: sides: expected an attacker and a defender, found two attackers',
    ],
    [battle({ date: '2026-02-30' }), 'f:1: date: expected a date the calendar has, found "2026-02-30"'],
    [
      battle({ sides: [{ ...sides[0], faction: 'Marrow Choir', list }, sides[1]] }),
      'f:1: sides[0].faction: expected the list\'s faction ("Lanternsworn"), found "Marrow Choir"',
    ],
    [
      battle({ sides: [{ ...sides[0], victoryPoints: 1.005 }, sides[1]] }),
      'f:1: sides[0].victoryPoints: expected at most two decimals, found 1.005',
    ],
    [
      battle({ sides: [{ ...sides[0], rounds: [{ round: 1 }, { round: 1 }] }, sides[1]] }),
      'f:1: sides[0].rounds[1]: expected each once, found "1" again (first at sides[0].rounds[0])',
    ],
    [
      battle({ sides: [{ ...sides[0], metrics: JSON.parse('{"__proto__":1}') as object }, sides[1]] }),
      'f:1: sides[0].metrics: expected the names of metrics, found "__proto__"',
    ],
    [
      '{"kind":"battle","id":"b","battleSize":1,"sides":[{"name":"A"},{}]}',
      "f:1: sides[1]: expected either a player or a guest's name, found neither",
    ],
    [
      '{"kind":"battle","id":"b","battleSize":1,"finished":true,"winner":"A","sides":[{"name":"A"},{"name":"A"}]}',
      'f:1: winner: expected a winner that names one side, found "A", who is both',
    ],
    [
      '{"kind":"battle","id":"b","battleSize":1,"sides":[{"player":"A"},{"player":"A"}]}',
      'f:1: sides: expected two different people, found "A"',
    ],
    [
      tournament({ startDate: '2025-02-29' }),
      'f:1: startDate: expected a date the calendar has, found "2025-02-29"',
    ],
    [
      tournament({ startDate: '2025-03-02', endDate: '2025-03-01' }),
      'f:1: endDate: expected 2025-03-02 or later, found "2025-03-01"',
    ],
    ...['placement-2', 'placement-1-2', 'placement-8-5', 'placement-5-5'].map((id): [string, string] => [
      tournament({ stages: [{ id, label: 'P', type: 'bracket', rounds: 1 }] }),
      `f:1: stages[0].id: expected a first place of 3 or below it and a last place after it, found "${id}"`,
    ]),
    ...['placement-3', 'placement-3-4', 'placement-9-12'].map((id): [string, string] => [
      tournament({ stages: [{ id, label: 'P', type: 'bracket', rounds: 1 }] }),
      'accepted',
    ]),
    [
      tournament({ stages: [{ id: 'knockout', label: 'K', type: 'board', rounds: 1 }] }),
      'f:1: stages[0].type: expected "bracket" for knockout, found "board"',
    ],
    [
      tournament({ stages: [{ id: 'swiss', type: 'board', rounds: 1 }] }),
      'f:1: stages[0].label: expected a label, as only a grouped swiss may go without, found nothing',
    ],
    [
      tournament({
        stages: [{ id: 'placement-swiss', label: 'P', type: 'board', rounds: 1, carriesOver: 'swiss' }],
      }),
      'f:1: stages[0].carriesOver: expected an earlier board for a board, found "swiss"',
    ],
    [
      participant({ name: undefined, list }),
      "f:1: expected either a player or a guest's name, found neither",
    ],
    [participant({ player: 'x' }), "f:1: expected either a player or a guest's name, found both"],
    [
      participant({ faction: 'Marrow Choir', list }),
      'f:1: faction: expected the list\'s faction ("Lanternsworn"), found "Marrow Choir"',
    ],
    [
      tournament({
        participants: [
          { id: 'a', player: 'x' },
          { id: 'b', player: 'x' },
        ],
      }),
      'f:1: participants[1].player: expected each once, found "x" again (first at participants[0])',
    ],
    [
      tournament({
        matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['a', 'b'], winner: 'c' }],
      }),
      'f:1: matches[0].winner: expected one of the players of the match, found "c"',
    ],
    [
      tournament({
        matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['a'], winner: 'a' }],
      }),
      'f:1: matches[0].winner: expected no winner until both players are known, found "a"',
    ],
    [
      tournament({ matches: [{ stage: 'swiss', round: 1, position: 1, table: 1 }] }),
      'f:1: matches[0].stage: expected a bracket, found "swiss"',
    ],
    [
      '{"kind":"player","id":"x","name":"A","erased":true}',
      'f:1: name: expected no name for an erased player, found one',
    ],
  ];
  for (const [line, message] of cases) assert.equal(refusal(line), message);
});

test('a key repeated behind a very long string is a refusal of its line', () => {
  const long = 'x\\"'.repeat(3_000_000);
  assert.equal(
    refusal(`{"kind":"club","slug":"a","description":"${long}","slug":"b"}`),
    'f:1: expected each key once, found "slug" twice in one object',
  );
  const key = 'k'.repeat(9_000_000);
  assert.equal(
    refusal(`{"kind":"club","slug":"a","${key}":1,"${key}":2}`),
    `f:1: expected each key once, found "${'k'.repeat(78)}… twice in one object`,
  );
  assert.equal(
    refusal(`{"kind":"club","slug":"a","${key}":1}`),
    `f:1: ["${'k'.repeat(78)}…]: expected no member of this name`,
  );
});

test('a name with nothing visible is refused, and the refusal shows its characters', () => {
  const named = (name: string) => refusal(JSON.stringify({ kind: 'player', id: 'x', name }));
  const expectation = 'f:1: name: expected a text with something visible, up to 200 characters, found';
  const unseen: [string, string][] = [
    ['', ''],
    [' \t\n', ' \\t\\n'],
    ['\u00a0', '\\u00a0'],
    ['\u3000', '\\u3000'],
    ['\u0085', '\\u0085'],
    ['\u200b', '\\u200b'],
    ['\u2060', '\\u2060'],
    ['\u00ad', '\\u00ad'],
    ['\u202e \u202c', '\\u202e \\u202c'],
    ['\u3164', '\\u3164'],
    ['\u115f\uffa0', '\\u115f\\uffa0'],
    ['\ufe0f', '\\ufe0f'],
    ['\u{e0100}', '\\u{e0100}'],
    ['\u2800', '\\u2800'],
    ['\ufeff', '\\ufeff'],
  ];
  for (const [name, shown] of unseen) assert.equal(named(name), `${expectation} "${shown}"`);
  for (const name of ['\u200bA', '戦', '👩‍👩‍👧', '1', '.', 'नि', '\u{1f3f4}']) {
    assert.equal(named(name), 'accepted', name);
  }
  assert.match(
    refusal(
      tournament({
        groups: ['\u200b'],
        stages: [{ id: 'swiss', type: 'board', rounds: 1, label: '\u2060' }],
      }),
    ),
    /^f:1: groups\[0\]: expected a text with something visible.*\nf:1: stages\[0\]\.label: expected a text with/,
  );
  assert.equal(
    refusal(battle({ sides: [{ participant: 'p1', metrics: { '\u200b': 1 } }, { participant: 'p2' }] })),
    'f:1: sides[0].metrics: expected the names of metrics, found "\\u200b"',
  );
});

test('all problems of a line are found at once', () => {
  assert.deepEqual(
    refusal('{"kind":"club","slug":"A b","nmae":"A","website":"ftp://a","members":-1}').split('\n'),
    [
      'f:1: slug: expected lower-case letters, digits and hyphens, 1 to 100, found "A b"',
      'f:1: nmae: expected no member of this name',
      'f:1: website: expected an http or https address of up to 500 characters, or null, found "ftp://a"',
      'f:1: members: expected a whole number between 0 and 1000000, found -1',
    ],
  );
  assert.deepEqual(
    refusal(tournament({ participants: [{ id: 1 }, {}, { id: 'p3', group: '' }], byes: [{}] })).split('\n'),
    [
      'f:1: participants[0].id: expected letters, digits, _ and -, 1 to 64, found 1',
      'f:1: participants[1].id: expected letters, digits, _ and -, 1 to 64, found nothing',
      'f:1: participants[2].group: expected a text with something visible, up to 200 characters, or null, found ""',
      'f:1: byes[0].stage: expected swiss, knockout, placement-swiss, placement-3, placement-5-8 and the like, found nothing',
      'f:1: byes[0].round: expected a whole number between 1 and 10000, found nothing',
      'f:1: byes[0].participant: expected letters, digits, _ and -, 1 to 64, found nothing',
      'f:1: byes[0].win: expected true or false, found nothing',
    ],
  );
  assert.deepEqual(
    refusal(
      battle({ date: '2026-02-30', winner: 'p1', sides: [{ participant: 'p1', victoryPoints: 1.005 }] }),
    ).split('\n'),
    [
      'f:1: date: expected a date the calendar has, found "2026-02-30"',
      'f:1: sides: expected exactly two sides, found 1',
      'f:1: finished: expected true where there is a winner, found nothing',
      'f:1: sides[0].victoryPoints: expected at most two decimals, found 1.005',
    ],
  );
});

test('a line with millions of problems does not fill the memory', () => {
  const parsed = parseLine(
    Buffer.from(`{"kind":"tournament","slug":"a","battles":[0${',0'.repeat(3_000_000)}]}`),
  );
  assert.ok('problems' in parsed);
  assert.equal(parsed.problems.length, 1000);
});
