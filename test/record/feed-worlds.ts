// Small generated worlds for property tests: clubs, players, packs, events with every part, casual battles,
// renames, erasures and removals. A world is a list of steps, and each step knows which steps must come
// before it.
import fc from 'fast-check';
import type {
  BattleEntry,
  MatchEntry,
  ParticipantEntry,
  StageEntry,
} from '../../src/record/feed/tournament-records.ts';
import type { CasualBattleRecord } from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';

export interface Step {
  record: FeedRecord;
  /** The thing that the step changes. Steps for the same thing keep their order. */
  about: string;
  /** Things that must have been recorded before. */
  needs: string[];
}

export interface World {
  /** Events as one tournament record each. */
  whole: Step[];
  /** The same events, with participants, battles, byes and matches as separate records. */
  small: Step[];
}

/** Returns another valid order, in which every step still comes after the steps that it needs. */
export function shuffled(steps: Step[], choices: Iterator<number>): Step[] {
  const waiting = [...steps];
  const order: Step[] = [];
  while (waiting.length > 0) {
    const ready = waiting.filter(
      (step, index) =>
        !waiting.some(
          (other, at) => at < index && (other.about === step.about || step.needs.includes(other.about)),
        ),
    );
    const step = ready[Number(choices.next().value) % ready.length];
    if (!step) throw new Error('a circle of references');
    waiting.splice(waiting.indexOf(step), 1);
    order.push(step);
  }
  return order;
}

const name = fc.constantFrom(
  'Ann',
  'Bjørn',
  'Łukasz',
  '花子',
  'O\'Neil "the\tTab"',
  'back\\slash',
  'line\nbreak',
  '🎲',
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const points = fc.constantFrom(0, 1, 3, 20, -2, 0.5, 12.25);
const faction = fc.constantFrom('Marrow Choir', 'Quarry Giants');

const list = fc.record({
  faction: fc.constant('Moth Parliament'),
  subFaction: fc.constantFrom('', 'Dusk Session'),
  points: fc.nat(2000),
  battleTacticCards: fc.array(name, { maxLength: 3 }),
  text: name,
});

const round = fc.record(
  {
    round: fc.constant(1),
    victoryPoints: points,
    objectivePoints: points,
    objectives: fc.array(name, { maxLength: 2 }),
    battleTactic: name,
    battleTacticScored: fc.boolean(),
    priority: fc.boolean(),
    metrics: fc.constantFrom({}, { Slain: 2 }, { Slain: 0, Painted: true }),
  },
  { requiredKeys: ['round'] },
);

const side = fc.record(
  {
    faction: fc.option(faction),
    battlePoints: fc.option(points),
    victoryPoints: points,
    grandStrategy: fc.option(name),
    grandStrategyScored: fc.boolean(),
    drops: fc.option(fc.nat(6)),
    metrics: fc.constantFrom({}, { Slain: 3 }),
    list: fc.option(list),
    rounds: fc.array(round, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

interface EventPlan {
  people: {
    registered: boolean;
    list: boolean;
    club: boolean;
    dropped: boolean;
    faction: string | undefined;
  }[];
  grouped: boolean;
  knockout: boolean;
  pairs: [number, number, object, object, boolean, 'win' | 'draw' | 'open'][];
  bye: boolean;
  adjusted: boolean;
  ranked: boolean;
  pack: boolean;
  published: boolean;
}

const eventPlan: fc.Arbitrary<EventPlan> = fc.record({
  people: fc.array(
    fc.record({
      registered: fc.boolean(),
      list: fc.boolean(),
      club: fc.boolean(),
      dropped: fc.boolean(),
      faction: maybe(faction),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  grouped: fc.boolean(),
  knockout: fc.boolean(),
  pairs: fc.array(
    fc.tuple(
      fc.nat(),
      fc.nat(),
      side,
      side,
      fc.boolean(),
      fc.constantFrom('win' as const, 'draw' as const, 'open' as const),
    ),
    { maxLength: 4 },
  ),
  bye: fc.boolean(),
  adjusted: fc.boolean(),
  ranked: fc.boolean(),
  pack: fc.boolean(),
  published: fc.boolean(),
});

export const anyWorld: fc.Arbitrary<World> = fc
  .record({
    names: fc.array(name, { minLength: 5, maxLength: 5 }),
    events: fc.array(eventPlan, { minLength: 1, maxLength: 3 }),
    casual: fc.array(fc.tuple(side, side), { maxLength: 2 }),
    erase: fc.boolean(),
    rename: maybe(name),
    changeStatus: fc.boolean(),
    removals: fc.boolean(),
  })
  .map(({ names, events, casual, erase, rename, changeStatus, removals }) => {
    const ground: Step[] = [
      step({ kind: 'club', slug: 'home', name: 'Home' }, 'club home'),
      step({ kind: 'club', slug: 'home', city: 'Brest', members: 3 }, 'club home'),
      step({ kind: 'battlePack', name: 'Almanac', objectives: true }, 'pack Almanac'),
      ...names.map((each, index) =>
        step({ kind: 'player', id: `y${index}`, name: each }, `player y${index}`),
      ),
    ];
    const after: Step[] = [];
    if (rename !== undefined) after.push(step({ kind: 'player', id: 'y1', name: rename }, 'player y1'));
    if (erase) after.push(step({ kind: 'remove', of: 'player', id: 'y2' }, 'player y2'));
    for (const [index, [first, second]] of casual.entries())
      after.push(casualStep(`c${index}`, first, second));
    if (removals) {
      after.push(step({ kind: 'club', slug: 'gone', name: 'Gone' }, 'club gone'));
      after.push(step({ kind: 'remove', of: 'club', id: 'gone' }, 'club gone'));
      after.push(step({ kind: 'remove', of: 'battle', id: 'c0' }, 'battle c0'));
    }
    if (changeStatus) {
      after.push(
        step({ kind: 'tournament', slug: 't0', status: 'finished', battleSize: 1000 }, 'tournament t0'),
      );
    }
    const told = events.map((plan, index) => tell(plan, `t${index}`));
    return {
      whole: [...ground, ...told.flatMap(({ whole }) => whole), ...after],
      small: [...ground, ...told.flatMap(({ small }) => small), ...after],
    };
  });

const step = (record: FeedRecord, about: string, needs: string[] = []): Step => ({ record, about, needs });

function casualStep(id: string, first: object, second: object): Step {
  const record = {
    kind: 'battle',
    id,
    battleSize: 1000,
    club: 'home',
    finished: true,
    winner: 'y0',
    sides: [
      { player: 'y0', ...withoutClash(first) },
      { name: 'Guest', club: 'home', ...withoutClash(second) },
    ],
  } as CasualBattleRecord;
  return step(record, `battle ${id}`, ['player y0', 'club home']);
}

/** Makes the list and the faction of a side agree, as they must. */
const withoutClash = (given: object): object => {
  const { faction: own, list: played } = given as {
    faction?: string | null;
    list?: { faction: string } | null;
  };
  return played && own ? { ...given, faction: played.faction } : given;
};

function tell(plan: EventPlan, slug: string): World {
  const participants = plan.people.map((person, index): ParticipantEntry => {
    const id = `p${index}`;
    return {
      id,
      ...(person.registered ? { player: `y${index}` } : { name: `Guest ${index}` }),
      ...(person.club ? { club: 'home' } : {}),
      ...(plan.grouped ? { group: index % 2 === 0 ? 'A' : 'B' } : {}),
      ...(person.dropped ? { dropped: true } : {}),
      ...(person.faction && !person.list ? { faction: person.faction } : {}),
      ...(person.list
        ? {
            list: {
              faction: 'Moth Parliament',
              subFaction: '',
              points: 1,
              battleTacticCards: ['a"b'],
              text: 'x\ny',
            },
          }
        : {}),
    };
  });
  const place = (index: number) => (plan.grouped ? Math.floor(index / 2) : index) + 1;
  const ranks = participants.map(({ id }, index) => ({ participant: id, rank: place(index) }));
  const stages: StageEntry[] = [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3, grouped: plan.grouped },
    ...(plan.knockout
      ? [
          {
            id: 'knockout',
            label: 'Cut',
            type: 'bracket' as const,
            rounds: 1,
            members: [{ participant: 'p0', seed: 1 }, { participant: 'p1' }],
          },
        ]
      : []),
  ];
  const battles = plan.pairs.map((pair, index) => battleOf(plan, pair, `${slug}-b${index}`));
  const matches: MatchEntry[] = plan.knockout
    ? [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['p0', 'p1'], winner: 'p1' }]
    : [];
  const byes = plan.bye
    ? [{ stage: 'swiss', round: 1, participant: 'p0', win: true, battlePoints: 0.5 }]
    : [];
  const header: TournamentRecord = {
    kind: 'tournament',
    slug,
    published: plan.published,
    name: `Event ${slug}`,
    status: 'ongoing',
    battleSize: 2000,
    organizer: 'home',
    tournamentOrganizers: ['y4'],
    metrics: [
      { name: 'Slain', type: 'number' },
      { name: 'Painted', type: 'yesNo' },
    ],
    ...(plan.pack ? { battlePack: 'Almanac' } : {}),
    groups: plan.grouped ? ['B', 'A'] : [],
  };
  const adjustments = plan.adjusted
    ? [{ stage: 'swiss', participant: 'p1', victoryPoints: -5, reason: 'late' }]
    : [];
  const players = ['y4', ...participants.flatMap(({ player }) => player ?? [])].map((id) => `player ${id}`);
  const needs = [...players, 'club home', 'pack Almanac'];
  const about = `tournament ${slug}`;
  const people = participants.map(({ id }) => `participant ${slug} ${id}`);
  const [swiss, ...others] = stages;
  const ranked = swiss && plan.ranked ? [{ ...swiss, ranking: { afterRound: 1, ranks } }, ...others] : stages;
  const whole = { ...header, stages: ranked, participants, battles, matches, byes, adjustments };
  // A ranking refers to the results that are recorded before it.
  const results = [...battles.map(({ id }) => `battle ${id}`), `bye ${slug}`];
  const ranking = (afterRound: number, after: string[]) =>
    step(
      { kind: 'ranking', tournament: slug, stage: 'swiss', afterRound, ranks: afterRound === 0 ? [] : ranks },
      `ranking ${slug} ${afterRound}`,
      [`stages ${slug}`, ...after],
    );
  // Stages with members, and adjustments, refer to participants. As small records, they come after the
  // participants.
  const everybody = stages.filter(({ members }) => !members);
  return {
    whole: [step(whole, about, needs), ...(plan.ranked ? [ranking(0, [about])] : [])],
    small: [
      step({ ...header, stages: everybody.map((stage) => ({ ...stage, grouped: false })) }, about, needs),
      ...participants.map((entry) =>
        step({ kind: 'participant', tournament: slug, ...entry }, `participant ${slug} ${entry.id}`, [
          about,
          ...needs,
        ]),
      ),
      step({ kind: 'tournament', slug, stages, adjustments }, `stages ${slug}`, [about, ...people]),
      ...battles.map((entry) =>
        step({ kind: 'battle', tournament: slug, ...entry }, `battle ${entry.id}`, [`stages ${slug}`]),
      ),
      ...byes.map((entry) =>
        step({ kind: 'bye', tournament: slug, ...entry }, `bye ${slug}`, [`stages ${slug}`]),
      ),
      ...matches.map((entry) =>
        step({ kind: 'match', tournament: slug, ...entry }, `match ${slug}`, [`stages ${slug}`]),
      ),
      ...(plan.ranked ? [ranking(1, results), ranking(0, [])] : []),
    ],
  };
}

function battleOf(plan: EventPlan, pair: EventPlan['pairs'][number], id: string): BattleEntry {
  const [one, two, first, second, archived, outcome] = pair;
  const a = one % plan.people.length;
  const b = (a + 1 + (two % (plan.people.length - 1))) % plan.people.length;
  const sides = [a, b].map((person, index) => {
    const given = withoutClash(index === 0 ? first : second) as {
      faction?: string | null;
      list?: object | null;
    };
    // A side without its own list plays the participant's list.
    const plays =
      plan.people[person]?.list && given.faction && !given.list
        ? { ...given, faction: 'Moth Parliament' }
        : given;
    return { participant: `p${person}`, ...plays };
  });
  const finished = outcome === 'open' ? {} : { finished: true };
  const winner = outcome === 'win' ? { winner: `p${b}`, victorySize: 'minor' as const } : {};
  return { id, stage: 'swiss', round: 1, archived, ...finished, ...winner, sides } as BattleEntry;
}
