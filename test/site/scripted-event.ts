import type { TournamentRecord } from '../../src/record/feed/records.ts';

// Two events, sent from moment to moment as a platform sends them: a Swiss stage of 5 rounds with a forgotten
// result, then a bracket of 8 with a placement Swiss at the same time, and a group stage whose schedule is
// paired in advance.

type Battle = NonNullable<TournamentRecord['battles']>[number];
type Match = NonNullable<TournamentRecord['matches']>[number];

const names = ['Ann', 'Bea', 'Cleo', 'Dora', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon', 'Kim', 'Leo'];
const idOf = (name: string) => name.toLowerCase();

export const players = names.map((name) => ({ kind: 'player' as const, id: idOf(name), name }));

/** Returns battles in the order of the tables. `Ann-Bea` is open, and `Ann>Bea` was won by Ann. */
function round(stage: string, number: number, pairings: string, slug = 'cup'): Battle[] {
  return pairings.split(' ').map((text, index): Battle => {
    const [first = '', second = ''] = text.split(/[->]/);
    const isOver = text.includes('>');
    const side = (name: string, victoryPoints: number) => ({
      participant: idOf(name),
      ...(isOver && { victoryPoints, battlePoints: victoryPoints > 20 ? 3 : 0 }),
    });
    return {
      id: `${slug}-${stage}-${number}-${index + 1}`,
      stage,
      round: number,
      table: index + 1,
      scenario: scenarios[number - 1] ?? null,
      ...(isOver && { finished: true, winner: idOf(first) }),
      sides: [side(first, 30), side(second, 10)],
    };
  });
}

const scenarios = ['Three Wells', 'The Toll Road', 'Twin Gates', 'Last Ferry', 'Salted Earth'];

/** Returns matches. `Ann-Bea` is open, in `Ann>Bea` Ann advanced, `Ann-` has one player, and `-` none. */
function knockout(...rounds: string[]): Match[] {
  return rounds.flatMap((matches, index) =>
    matches.split(' ').map((text, position): Match => {
      const [first = ''] = text.split(/[->]/);
      return {
        stage: 'knockout',
        round: index + 1,
        position: position + 1,
        table: position + 1,
        players: text.split(/[->]/).filter(Boolean).map(idOf),
        winner: text.includes('>') ? idOf(first) : null,
      };
    }),
  );
}

const seeds = names.slice(0, 8).map((name, index) => ({ participant: idOf(name), seed: index + 1 }));
const others = names.slice(8).map((name) => ({ participant: idOf(name) }));

const swissCup: TournamentRecord = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Harbour Cup',
  status: 'ongoing',
  startDate: new Date().toISOString().slice(0, 10),
  city: 'Lindenhafen',
  battleSize: 2000,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 5, phase: 1 },
    { id: 'knockout', label: 'Top 8', type: 'bracket', rounds: 3, phase: 2, members: seeds },
    { id: 'placement-swiss', label: 'Sunday Swiss', type: 'board', rounds: 2, phase: 2, members: others },
  ],
  participants: names.map((name) => ({ id: idOf(name), player: idOf(name) })),
  byes: [],
  adjustments: [],
};

const groupCup: TournamentRecord = {
  kind: 'tournament',
  slug: 'groups',
  published: true,
  name: 'Group Cup',
  status: 'ongoing',
  startDate: new Date().toISOString().slice(0, 10),
  battleSize: 2000,
  groups: ['North', 'South'],
  stages: [{ id: 'swiss', type: 'board', rounds: 3, phase: 1, grouped: true }],
  participants: names
    .slice(0, 8)
    .map((name, index) => ({ id: idOf(name), player: idOf(name), group: index < 4 ? 'North' : 'South' })),
};

const first = 'Ann>Bea Cleo>Dora Eve>Fay Gus>Hal Ida>Jon';
const second = 'Ann>Cleo Eve>Gus Bea>Dora Fay>Hal';
const later = [
  ...round('swiss', 3, 'Ann>Eve Cleo>Gus Bea>Fay Hal>Ida Dora>Kim Jon>Leo'),
  ...round('swiss', 4, 'Ann>Gus Cleo>Eve Bea>Hal Fay>Dora Ida>Leo Jon>Kim'),
  ...round('swiss', 5, 'Ann>Fay Cleo>Bea Eve>Hal Gus>Dora Ida>Kim Jon>Leo'),
];
const swiss = [
  ...round('swiss', 1, `${first} Kim-Leo`),
  ...round('swiss', 2, `${second} Ida>Kim Jon>Leo`),
  ...later,
];

const cup = (battles: Battle[], matches: Match[] = []): TournamentRecord => ({
  ...swissCup,
  battles,
  matches,
});
const groups = (...rounds: string[]): TournamentRecord => ({
  ...groupCup,
  battles: rounds.flatMap((pairings, index) => round('swiss', index + 1, pairings, 'groups')),
});

const drawn = 'Ann-Hal Dora-Eve Bea-Gus Cleo-Fay';

export const moments: Record<string, TournamentRecord> = {
  'nothing is paired': cup([]),
  'round 1 is paired': cup(round('swiss', 1, 'Ann-Bea Cleo-Dora Eve-Fay Gus-Hal Ida-Jon Kim-Leo')),
  'all results of round 1 but one are in': cup(round('swiss', 1, `${first} Kim-Leo`)),
  'round 2 has begun, and the result of table 6 may still come': cup([
    ...round('swiss', 1, `${first} Kim-Leo`),
    ...round('swiss', 2, 'Ann>Cleo Eve-Gus Bea-Dora Fay-Hal Ida-Kim Jon-Leo'),
  ]),
  'round 2 is over, and the result of table 6 was forgotten': cup([
    ...round('swiss', 1, `${first} Kim-Leo`),
    ...round('swiss', 2, `${second} Ida>Kim Jon>Leo`),
  ]),
  'all rounds are over': cup(swiss),
  'the bracket is drawn, and the placement Swiss is paired beside it': cup(
    [...swiss, ...round('placement-swiss', 1, 'Ida-Leo Jon-Kim')],
    knockout(drawn, '- -', '-'),
  ),
  'two quarter-finals are open, and a semi-final is paired': cup(
    [...swiss, ...round('placement-swiss', 1, 'Ida>Leo Jon-Kim')],
    knockout('Ann>Hal Eve>Dora Bea-Gus Cleo-Fay', 'Ann-Eve -', '-'),
  ),
  'a semi-final waits for one player': cup(
    [...swiss, ...round('placement-swiss', 1, 'Ida>Leo Jon>Kim')],
    knockout('Ann>Hal Eve>Dora Bea>Gus Cleo-Fay', 'Ann>Eve Bea-', 'Ann-'),
  ),
  'the final is over before the placement Swiss is': cup(
    [
      ...swiss,
      ...round('placement-swiss', 1, 'Ida>Leo Jon>Kim'),
      ...round('placement-swiss', 2, 'Ida-Jon Kim>Leo'),
    ],
    knockout('Ann>Hal Eve>Dora Bea>Gus Cleo>Fay', 'Ann>Eve Cleo>Bea', 'Ann>Cleo'),
  ),
  'each group is in a round of its own': groups(
    'Ann>Bea Cleo>Dora Eve-Fay Gus>Hal',
    'Ann>Cleo Bea-Dora Eve-Gus Fay-Hal',
    'Ann-Dora Bea-Cleo Eve-Hal Fay-Gus',
  ),
  'one group is through, and the other left a game out': groups(
    'Ann>Bea Cleo>Dora Eve-Fay Gus>Hal',
    'Ann>Cleo Bea>Dora Eve>Gus Fay>Hal',
    'Ann>Dora Bea>Cleo Eve-Hal Fay-Gus',
  ),
  'three games of twelve players are typed': cup(round('swiss', 1, 'Ann>Bea Cleo>Dora Eve>Fay')),
  'two of four quarter-finals are typed': cup(swiss, knockout('Ann>Hal Eve>Dora')),
  'a bracket of six: two have a bye': {
    ...cup(swiss, knockout('Cleo>Fay Dora>Eve')),
    stages: [
      ...(swissCup.stages ?? []).slice(0, 1),
      { id: 'knockout', label: 'Top 6', type: 'bracket', rounds: 3, phase: 2, members: seeds.slice(0, 6) },
    ],
  },
  'the match for third place is over beside the final': {
    ...cup(swiss, [
      ...knockout('Ann>Dora Bea>Cleo', 'Ann-Bea'),
      { stage: 'placement-3', round: 1, position: 1, table: 2, players: ['dora', 'cleo'], winner: 'cleo' },
    ]),
    stages: [
      ...(swissCup.stages ?? []).slice(0, 1),
      { id: 'knockout', label: 'Top 4', type: 'bracket', rounds: 2, phase: 2, members: seeds.slice(0, 4) },
      { id: 'placement-3', label: 'Third place', type: 'bracket', rounds: 1, phase: 2 },
    ],
  },
  'a list is late, one player did not come, and one has left': {
    ...cup([
      ...round('swiss', 1, 'Ann>Bea Cleo>Dora Eve>Fay Gus>Hal Ida>Jon'),
      ...round('swiss', 2, 'Ann>Cleo Eve-Gus Bea-Dora Fay-Hal Ida-Kim'),
    ]),
    byes: [{ stage: 'swiss', round: 1, participant: 'kim', win: true }],
    adjustments: [{ stage: 'swiss', participant: 'gus', battlePoints: -1, reason: 'Late list' }],
    participants: names.map((name) => ({
      id: idOf(name),
      player: idOf(name),
      ...(name === 'Leo' && { noShow: true }),
      ...(name === 'Jon' && { dropped: true }),
    })),
  },
  'its last day is over, and nobody closed it': {
    ...cup([
      ...round('swiss', 1, `${first} Kim>Leo`).map((each) => ({ ...each, date: '2025-09-06' })),
      ...round('swiss', 2, 'Ann>Cleo Eve-Gus Bea-Dora Fay-Hal Ida-Kim Jon-Leo').map((each) => ({
        ...each,
        date: '2025-09-07',
      })),
    ]),
    slug: 'past',
    startDate: '2025-09-06',
    endDate: '2025-09-07',
  },
};

/**
 * What the pages of the rounds and the bracket say, by moment. What the tournament's first page says is in
 * `moments.json`.
 */
export const says: Record<string, Record<'strip' | 'rounds' | 'bracket', string[]>> = {
  'nothing is paired': {
    strip: ['Swiss Top 8 Sunday Swiss'],
    rounds: ['Rounds Swiss Top 8 Sunday Swiss No round of this stage has begun yet.'],
    bracket: [],
  },
  'round 1 is paired': {
    strip: ['Swiss Round 1 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 1 Three Wells · 0 of 6 results in No result yet Table 1 Ann Bea Table 2 Cleo Dora Table 3 Eve Fay Table 4 Gus Hal Table 5 Ida Jon Table 6 Kim Leo',
    ],
    bracket: [],
  },
  'all results of round 1 but one are in': {
    strip: ['Swiss Round 1 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 1 Three Wells · 5 of 6 results in Still playing Table 6 Kim Leo Results Table 1 Ann won 30 Bea lost 10 Table 2 Cleo won 30 Dora lost 10 Table 3 Eve won 30 Fay lost 10 Table 4 Gus won 30 Hal lost 10 Table 5 Ida won 30 Jon lost 10',
    ],
    bracket: [],
  },
  'round 2 has begun, and the result of table 6 may still come': {
    strip: ['Swiss Round 1 Round 2 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 2 The Toll Road · 1 of 6 results in Still playing Table 2 Eve Gus Table 3 Bea Dora Table 4 Fay Hal Table 5 Ida Kim Table 6 Jon Leo Results Table 1 Ann won 30 Cleo lost 10',
    ],
    bracket: [],
  },
  'round 2 is over, and the result of table 6 was forgotten': {
    strip: ['Swiss Round 1 Round 2 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 2 The Toll Road · 6 of 6 results in Results Table 1 Ann won 30 Cleo lost 10 Table 2 Eve won 30 Gus lost 10 Table 3 Bea won 30 Dora lost 10 Table 4 Fay won 30 Hal lost 10 Table 5 Ida won 30 Kim lost 10 Table 6 Jon won 30 Leo lost 10',
    ],
    bracket: [],
  },
  'all rounds are over': {
    strip: ['Swiss Round 1 Round 2 Round 3 Round 4 Round 5 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 5 Salted Earth · 6 of 6 results in Results Table 1 Ann won 30 Fay lost 10 Table 2 Cleo won 30 Bea lost 10 Table 3 Eve won 30 Hal lost 10 Table 4 Gus won 30 Dora lost 10 Table 5 Ida won 30 Kim lost 10 Table 6 Jon won 30 Leo lost 10',
    ],
    bracket: [],
  },
  'the bracket is drawn, and the placement Swiss is paired beside it': {
    strip: ['Swiss Top 8 Quarter-finals Sunday Swiss'],
    rounds: [
      'Top 8, Quarter-finals 0 of 4 results in No result yet Table 1 seed #1 Ann seed #8 Hal Match 1 Table 2 seed #4 Dora seed #5 Eve Match 2 Table 3 seed #2 Bea seed #7 Gus Match 3 Table 4 seed #3 Cleo seed #6 Fay Match 4',
    ],
    bracket: [
      'Quarter-finals Table 1 seed #1 Ann seed #8 Hal Match 1 Table 2 seed #4 Dora seed #5 Eve Match 2 Table 3 seed #2 Bea seed #7 Gus Match 3 Table 4 seed #3 Cleo seed #6 Fay Match 4 Semi-finals Table 1 Winner of match 1 Winner of match 2 Match 5 Table 2 Winner of match 3 Winner of match 4 Match 6 Final Table 1 Winner of match 5 Winner of match 6 Match 7',
    ],
  },
  'two quarter-finals are open, and a semi-final is paired': {
    strip: ['Swiss Top 8 Quarter-finals Semi-finals Sunday Swiss'],
    rounds: [
      'Top 8, Quarter-finals 2 of 4 results in Still playing Table 3 seed #2 Bea seed #7 Gus Match 3 Table 4 seed #3 Cleo seed #6 Fay Match 4 Results Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2',
    ],
    bracket: [
      'Quarter-finals Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2 Table 3 seed #2 Bea seed #7 Gus Match 3 Table 4 seed #3 Cleo seed #6 Fay Match 4 Semi-finals Table 1 seed #1 Ann seed #5 Eve Match 5 Table 2 Winner of match 3 Winner of match 4 Match 6 Final Table 1 Winner of match 5 Winner of match 6 Match 7',
    ],
  },
  'a semi-final waits for one player': {
    strip: ['Swiss Top 8 Quarter-finals Semi-finals Sunday Swiss'],
    rounds: [
      'Top 8, Quarter-finals 3 of 4 results in Still playing Table 4 seed #3 Cleo seed #6 Fay Match 4 Results Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2 Table 3 seed #2 Bea won seed #7 Gus lost Match 3',
    ],
    bracket: [
      'Quarter-finals Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2 Table 3 seed #2 Bea won seed #7 Gus lost Match 3 Table 4 seed #3 Cleo seed #6 Fay Match 4 Semi-finals Table 1 seed #1 Ann won seed #5 Eve lost Match 5 Table 2 seed #2 Bea Winner of match 4 Match 6 Final Table 1 seed #1 Ann Winner of match 6 Match 7',
    ],
  },
  'the final is over before the placement Swiss is': {
    strip: ['Swiss Top 8 Quarter-finals Semi-finals Final Sunday Swiss'],
    rounds: ['Top 8, Final 1 of 1 result in Results Table 1 seed #1 Ann won seed #3 Cleo lost Match 7'],
    bracket: [
      'Quarter-finals Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2 Table 3 seed #2 Bea won seed #7 Gus lost Match 3 Table 4 seed #3 Cleo won seed #6 Fay lost Match 4 Semi-finals Table 1 seed #1 Ann won seed #5 Eve lost Match 5 Table 2 seed #2 Bea lost seed #3 Cleo won Match 6 Final Table 1 seed #1 Ann won seed #3 Cleo lost Match 7',
    ],
  },
  'each group is in a round of its own': {
    strip: ['Now Round 1 Round 2 Round 3'],
    rounds: [
      'Group Stage, rounds 1–2 2 of 4 results in Still playing Table 2 Bea Dora Round 2 Table 3 Eve Fay Round 1 Results Table 1 Ann won 30 Cleo lost 10 Round 2 Table 4 Gus won 30 Hal lost 10 Round 1',
    ],
    bracket: [],
  },
  'one group is through, and the other left a game out': {
    strip: ['Round 1 Round 2 Round 3'],
    rounds: [
      'Group Stage, round 3 Twin Gates · 2 of 4 results in Still playing Table 3 Eve Hal Table 4 Fay Gus Results Table 1 Ann won 30 Dora lost 10 Table 2 Bea won 30 Cleo lost 10',
    ],
    bracket: [],
  },
  'three games of twelve players are typed': {
    strip: ['Swiss Round 1 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 1 Three Wells · 3 results in Results Table 1 Ann won 30 Bea lost 10 Table 2 Cleo won 30 Dora lost 10 Table 3 Eve won 30 Fay lost 10',
    ],
    bracket: [],
  },
  'two of four quarter-finals are typed': {
    strip: ['Swiss Top 8 Quarter-finals Sunday Swiss'],
    rounds: [
      'Top 8, Quarter-finals 2 of 4 results in Results Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2',
    ],
    bracket: [
      'Quarter-finals Table 1 seed #1 Ann won seed #8 Hal lost Match 1 Table 2 seed #5 Eve won seed #4 Dora lost Match 2',
    ],
  },
  'a bracket of six: two have a bye': {
    strip: ['Swiss Top 6 Quarter-finals'],
    rounds: [
      'Top 6, Quarter-finals 2 of 2 results in Results Table 1 seed #3 Cleo won seed #6 Fay lost Match 1 Table 2 seed #4 Dora won seed #5 Eve lost Match 2',
    ],
    bracket: [
      'Quarter-finals Table 1 seed #3 Cleo won seed #6 Fay lost Match 1 Table 2 seed #4 Dora won seed #5 Eve lost Match 2',
    ],
  },
  'the match for third place is over beside the final': {
    strip: ['Swiss Top 4 Semi-finals Final Third place'],
    rounds: ['Top 4, Final 0 of 1 result in No result yet Table 1 seed #1 Ann seed #2 Bea Match 3'],
    bracket: [
      'Semi-finals Table 1 seed #1 Ann won seed #4 Dora lost Match 1 Table 2 seed #2 Bea won seed #3 Cleo lost Match 2 Final Table 1 seed #1 Ann seed #2 Bea Match 3',
    ],
  },
  'a list is late, one player did not come, and one has left': {
    strip: ['Swiss Round 1 Round 2 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 2 The Toll Road · 1 of 5 results in Still playing Table 2 Eve Gus Table 3 Bea Dora Table 4 Fay Hal Table 5 Ida Kim Results Table 1 Ann won 30 Cleo lost 10',
    ],
    bracket: [],
  },
  'its last day is over, and nobody closed it': {
    strip: ['Swiss Round 1 Round 2 Top 8 Sunday Swiss'],
    rounds: [
      'Swiss, round 2 The Toll Road · 1 of 6 results in Result missing Table 2 Eve Gus Table 3 Bea Dora Table 4 Fay Hal Table 5 Ida Kim Table 6 Jon Leo Results Table 1 Ann won 30 Cleo lost 10',
    ],
    bracket: [],
  },
};
