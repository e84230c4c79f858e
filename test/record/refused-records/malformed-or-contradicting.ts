import { battle, cup } from '../../../harness/support/cup.ts';
import type { RefusedRecord } from './refused-record.ts';

/** Records that are malformed, contradict themselves, or contradict what is recorded. */
export const malformedOrContradicting: RefusedRecord[] = [
  [
    'a battle without exactly two sides',
    battle({ sides: [{ participant: 'p1' }] }),
    'sides: expected exactly two sides, found 1',
  ],
  [
    'a winner who did not play',
    battle({ finished: true, winner: 'p2' }),
    'winner: expected one of the two sides, found "p2"',
  ],
  [
    'two attackers',
    battle({
      sides: [
        { participant: 'p1', role: 'attacker' },
        { participant: 'p3', role: 'attacker' },
      ],
    }),
    'sides: expected an attacker and a defender, found two attackers',
  ],
  [
    'a list for nobody',
    { kind: 'participant', tournament: 'cup', id: 'p9', list: cup.participants[1]?.list },
    "expected either a player or a guest's name, found neither",
  ],
  [
    'a date the calendar does not have',
    battle({ date: '2025-02-29' }),
    'date: expected a date the calendar has, found "2025-02-29"',
  ],
  [
    'a slug that does not fit a URL',
    { kind: 'club', slug: 'a/b', name: 'A' },
    'slug: expected lower-case letters, digits and hyphens, 1 to 100, found "a/b"',
  ],
  [
    'a stage id outside the known forms',
    { kind: 'tournament', slug: 'cup', stages: [{ id: 'finals', label: 'F', type: 'bracket', rounds: 1 }] },
    'stages[0].id: expected swiss, knockout, placement-swiss, placement-3, placement-5-8 and the like, found "finals"',
  ],
  [
    'a grouped stage with a member in no group',
    {
      ...cup,
      groups: ['A'],
      stages: [{ ...cup.stages[0], grouped: true }, cup.stages[1]],
      participants: cup.participants.map((each, index) => (index === 1 ? each : { ...each, group: 'A' })),
    },
    'participants[1].group: expected a group, because swiss is played in groups, found nothing',
  ],
  [
    'grouping a stage of the ungrouped',
    { kind: 'tournament', slug: 'cup', stages: [{ ...cup.stages[0], grouped: true }, cup.stages[1]] },
    ['p1', 'p2', 'p3']
      .map((id) => `stages[0].grouped: expected every member in a group, found "${id}" without one`)
      .join('\nfeed:2: '),
  ],
  [
    'a metric of the wrong type',
    battle({
      sides: [{ participant: 'p1', rounds: [{ round: 1, metrics: { Slain: true } }] }, { participant: 'p3' }],
    }),
    'sides[0].rounds[0].metrics["Slain"]: expected a number, found true',
  ],
  [
    "a faction that is not the participant's list's",
    battle({ sides: [{ participant: 'p1' }, { participant: 'p2', faction: 'Quarry Giants' }] }),
    'sides[1].faction: expected the faction of the participant\'s list ("Moth Parliament"), found "Quarry Giants"',
  ],
  [
    'a match of a battle of another stage',
    { kind: 'match', tournament: 'cup', stage: 'knockout', round: 1, position: 1, table: 1, battle: 'b1' },
    'battle: expected a battle of knockout, found "b1"',
  ],
  [
    'a match of a battle between others',
    { kind: 'match', tournament: 'cup', ...cup.matches[0], players: ['p1', 'p3'] },
    'battle: expected a battle between the players of the match, found "b2"',
  ],
  [
    'a match of a battle, and of players not yet known',
    { kind: 'match', tournament: 'cup', ...cup.matches[0], players: [] },
    'battle: expected a battle between the players of the match, found "b2"',
  ],
  [
    'an end before the stored start',
    { kind: 'tournament', slug: 'dated', endDate: '2025-01-01' },
    'endDate: expected 2025-05-05 or later, found "2025-01-01"',
  ],
  [
    'a start after the stored end',
    { kind: 'tournament', slug: 'dated', startDate: '2025-06-01' },
    'startDate: expected 2025-05-06 or earlier, found "2025-06-01"',
  ],
  [
    'a battle id of another tournament',
    battle({ id: 'casual' }),
    'id: expected an id that no other battle has, found "casual", which a casual battle has',
  ],
  [
    'a battle id of another tournament, in a record',
    {
      ...cup,
      slug: 'x',
      matches: [],
      battles: [
        { ...cup.battles[0], id: 'new' },
        { ...cup.battles[0], id: 'b2', sides: [{ participant: 'p1' }, { participant: 'p3' }] },
      ],
    },
    'battles[1].id: expected an id that no other battle has, found "b2", which tournament "cup" has',
  ],
  [
    'a casual battle that is already of a tournament',
    { kind: 'battle', id: 'b1', battleSize: 1, sides: [{ player: 'ann' }, { name: 'G' }] },
    'id: expected an id that no other battle has, found "b1", which tournament "cup" has',
  ],
  [
    'a player who is there under another id',
    { kind: 'participant', tournament: 'cup', id: 'p9', player: 'ann' },
    'player: expected a player who is not in the tournament yet, found "ann", who is participant "p1"',
  ],
  [
    'leaving out a participant who has battles',
    { kind: 'tournament', slug: 'cup', participants: [cup.participants[0], cup.participants[2]] },
    'participants: expected "p2", which a stage still names, found it left out',
  ],
  [
    'leaving out a participant that an adjustment names',
    {
      kind: 'tournament',
      slug: 'cup',
      participants: cup.participants.slice(1),
      stages: [cup.stages[0]],
      byes: [],
      battles: [],
      matches: [],
    },
    'participants: expected "p1", which an adjustment still names, found it left out: keep it, or send the tournament with "adjustments" that do not name it',
  ],
  [
    'leaving out a stage that has battles',
    { kind: 'tournament', slug: 'cup', stages: [{ ...cup.stages[1], members: null }] },
    'stages: expected "swiss", which a bye still names, found it left out',
  ],
  [
    'a list against a stored battle',
    {
      kind: 'participant',
      tournament: 'cup',
      id: 'p3',
      name: 'Guest',
      list: { ...cup.participants[1]?.list, faction: 'Quarry Giants' },
    },
    'list.faction: expected the faction played in battle "b3" ("Marrow Choir"), found "Quarry Giants"',
  ],
  [
    'a list against a stored battle, in a record',
    {
      kind: 'tournament',
      slug: 'cup',
      participants: [
        cup.participants[0],
        cup.participants[1],
        {
          id: 'p3',
          name: 'Guest',
          list: { ...cup.participants[1]?.list, faction: 'Quarry Giants' },
        },
      ],
    },
    'participants[2].list.faction: expected the faction played in battle "b3" ("Marrow Choir"), found "Quarry Giants"',
  ],
  [
    'a battle that leaves the stage of its match',
    battle({ id: 'b2', stage: 'swiss', sides: cup.battles[1]?.sides }),
    'stage: expected "knockout", because a match of that stage names "b2", found "swiss"',
  ],
  [
    'a battle that leaves the stage of its match, in a record',
    { kind: 'tournament', slug: 'cup', battles: [{ ...cup.battles[1], stage: 'swiss' }] },
    'battles[0].stage: expected "knockout", because a match of that stage names "b2", found "swiss"',
  ],
  [
    'leaving out a battle that a match names',
    { kind: 'tournament', slug: 'cup', battles: [cup.battles[0]] },
    'battles: expected "b2", which a match still names, found it left out',
  ],
  [
    'leaving out a metric that battles have',
    { kind: 'tournament', slug: 'cup', metrics: [{ name: 'Painted', type: 'yesNo' }] },
    'metrics: expected "Slain", which battle "b3" uses, found it left out',
  ],
  [
    'another type for a metric that battles have',
    { kind: 'tournament', slug: 'cup', metrics: [cup.metrics[0], { name: 'Painted', type: 'number' }] },
    'metrics: expected "Painted" of type yesNo, as in battle "b3", found number',
  ],
  [
    'removing a club that runs a tournament',
    { kind: 'remove', of: 'club', id: 'home' },
    'id: expected a club that nothing refers to, found "home", which tournament "cup" refers to',
  ],
  [
    'removing a pack that is played',
    { kind: 'remove', of: 'battlePack', id: 'Almanac' },
    'id: expected a battle pack that nothing refers to, found "Almanac", which tournament "cup" refers to',
  ],
  [
    'removing a battle that a match names',
    { kind: 'remove', of: 'battle', id: 'b2' },
    'id: expected a battle that no match refers to, found "b2", which the match at knockout, round 1, position 1 refers to',
  ],
  [
    'removing a participant who has battles',
    { kind: 'remove', of: 'participant', tournament: 'cup', id: 'p1' },
    'id: expected a participant that nothing refers to, found "p1", which battle "b1" refers to',
  ],
  ['a line that is not JSON', '{"kind"', 'expected JSON, found something else at character 8'],
  [
    'a key given twice',
    '{"kind":"club","slug":"x","name":"X","name":"Y"}',
    'expected each key once, found "name" twice in one object',
  ],
];
