// A small feed for tests of the import: two players, a club, a pack, and a cup with one of everything in it.

export const ground = [
  { kind: 'club', slug: 'home', name: 'Home' },
  { kind: 'battlePack', name: 'Almanac', objectives: true },
  { kind: 'player', id: 'ann', name: 'Ann' },
  { kind: 'player', id: 'bob', name: 'Bob' },
];
export const cup = {
  kind: 'tournament',
  slug: 'cup',
  name: 'Cup',
  published: true,
  status: 'ongoing',
  battleSize: 2000,
  battlePack: 'Almanac',
  organizer: 'home',
  tournamentOrganizers: ['ann'],
  metrics: [
    { name: 'Slain', type: 'number' },
    { name: 'Painted', type: 'yesNo' },
  ],
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 },
    {
      id: 'knockout',
      label: 'Cut',
      type: 'bracket',
      rounds: 1,
      members: [{ participant: 'p1' }, { participant: 'p2' }],
    },
  ],
  participants: [
    { id: 'p1', player: 'ann', club: 'home' },
    {
      id: 'p2',
      player: 'bob',
      list: { faction: 'Moth Parliament', subFaction: '', points: 1, battleTacticCards: [], text: 'x' },
    },
    { id: 'p3', name: 'Guest' },
  ],
  byes: [{ stage: 'swiss', round: 1, participant: 'p3', win: true }],
  adjustments: [{ stage: 'swiss', participant: 'p1', battlePoints: -1 }],
  battles: [
    { id: 'b1', stage: 'swiss', round: 1, sides: [{ participant: 'p1' }, { participant: 'p2' }] },
    { id: 'b2', stage: 'knockout', round: 1, sides: [{ participant: 'p1' }, { participant: 'p2' }] },
  ],
  matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['p1', 'p2'], battle: 'b2' }],
};
/** Returns one more battle of the cup. */
export const battle = (change: object) => ({
  kind: 'battle',
  tournament: 'cup',
  id: 'b9',
  stage: 'swiss',
  round: 2,
  sides: [{ participant: 'p1' }, { participant: 'p3' }],
  ...change,
});
