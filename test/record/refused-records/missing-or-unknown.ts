import { battle, cup } from '../../../harness/support/cup.ts';
import type { RefusedRecord } from './refused-record.ts';

/** Records that lack something, or refer to something that does not exist. */
export const missingOrUnknown: RefusedRecord[] = [
  [
    'a new club without a name',
    { kind: 'club', slug: 'x' },
    'name: expected a name for a new club, found nothing',
  ],
  [
    'a new player without a name',
    { kind: 'player', id: 'x' },
    'name: expected a name for a new player, found nothing',
  ],
  [
    'a new tournament without a battle size',
    { kind: 'tournament', slug: 'x', name: 'X', published: true, status: 'planned' },
    'battleSize: expected a battle size for a new tournament, found nothing',
  ],
  [
    'a new tournament without a status',
    { kind: 'tournament', slug: 'x', name: 'X', published: true, battleSize: 1 },
    'status: expected a status for a new tournament, found nothing',
  ],
  [
    'a new tournament that does not say whether it is public',
    { ...cup, slug: 'x', published: undefined, battles: [], matches: [] },
    'published: expected true or false (a new tournament must say which: nothing becomes public by omission), found nothing',
  ],
  [
    'an unknown club',
    { ...cup, slug: 'x', organizer: 'nowhere', battles: [], matches: [] },
    'organizer: expected a recorded club, found "nowhere"',
  ],
  [
    'an unknown pack',
    { kind: 'tournament', slug: 'cup', battlePack: 'None' },
    'battlePack: expected a recorded battle pack, found "None"',
  ],
  [
    'an unknown organizer',
    { kind: 'tournament', slug: 'cup', tournamentOrganizers: ['ann', 'zed'] },
    'tournamentOrganizers[1]: expected a recorded player, found "zed"',
  ],
  [
    'an unknown player',
    { kind: 'participant', tournament: 'cup', id: 'p9', player: 'zed' },
    'player: expected a recorded player, found "zed"',
  ],
  [
    'an unknown club of a participant',
    {
      ...cup,
      participants: [{ id: 'p1', name: 'A', club: 'zed' }, cup.participants[1], cup.participants[2]],
    },
    'participants[0].club: expected a recorded club, found "zed"',
  ],
  [
    'an unknown pack of a battle',
    battle({ battlePack: 'None' }),
    'battlePack: expected a recorded battle pack, found "None"',
  ],
  [
    'a battle of an unknown tournament',
    battle({ tournament: 'nowhere' }),
    'tournament: expected a recorded tournament, found "nowhere"',
  ],
  [
    'a side that is nobody in the tournament',
    battle({ sides: [{ participant: 'p1' }, { participant: 'p7' }] }),
    'sides[1].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a side that is nobody in the record',
    {
      ...cup,
      battles: [{ ...cup.battles[0], sides: [{ participant: 'p1' }, { participant: 'p7' }] }, cup.battles[1]],
    },
    'battles[0].sides[1].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a stage the tournament does not have',
    battle({ stage: 'placement-swiss' }),
    'stage: expected one of swiss, knockout, found "placement-swiss"',
  ],
  [
    'a stage of a tournament without any',
    {
      kind: 'tournament',
      slug: 'x',
      name: 'X',
      published: true,
      status: 'planned',
      battleSize: 1,
      participants: [{ id: 'a', name: 'A' }],
      byes: [{ stage: 'swiss', round: 1, participant: 'a', win: true }],
    },
    'byes[0].stage: expected a stage of the tournament, which has none, found "swiss"',
  ],
  [
    'a group the tournament does not have',
    { kind: 'participant', tournament: 'cup', id: 'p9', name: 'G', group: 'A' },
    'group: expected one of the tournament\'s groups, found "A"',
  ],
  [
    'a member who is nobody',
    {
      kind: 'tournament',
      slug: 'cup',
      stages: [cup.stages[0], { ...cup.stages[1], members: [{ participant: 'p7' }] }],
    },
    'stages[1].members[0].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a metric the tournament does not have',
    battle({ sides: [{ participant: 'p1', metrics: { Lost: 1 } }, { participant: 'p3' }] }),
    'sides[0].metrics: expected the names of metrics of the tournament, found "Lost"',
  ],
  [
    'a match of nobody',
    { kind: 'match', tournament: 'cup', stage: 'knockout', round: 1, position: 1, table: 1, players: ['p7'] },
    'players[0]: expected a participant of the tournament, found "p7"',
  ],
  [
    'a casual battle of an unknown player',
    { kind: 'battle', id: 'c', battleSize: 1, sides: [{ player: 'zed' }, { name: 'G', club: 'zed' }] },
    'sides[0].player: expected a recorded player, found "zed"\nfeed:2: sides[1].club: expected a recorded club, found "zed"',
  ],
];
