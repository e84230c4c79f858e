import assert from 'node:assert/strict';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { playersOf } from './battles-shown.ts';
import { eventually } from '../../harness/support/server.ts';
import { drawn, entered, side, won } from './feed/told.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Follows one tournament from its announcement to its end, and looks at it after every step.

const world = await startWorld();
const section = 'States';
let tag: string | null = null;
const cup = { kind: 'tournament', slug: 'turning-cup' } as const;
const running = { id: 'tc-1', stage: 'swiss', round: 1, sides: [side(['ana', 5]), side(['bjorn', 4])] };
const matchOf = (players: string[]) => ({ stage: 'knockout', round: 1, position: 1, table: 1, players });

const planned = await after({
  ...cup,
  name: 'Turning Cup',
  published: true,
  status: 'planned',
  battleSize: 2000,
  stages: [
    { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 1 },
    {
      id: 'knockout',
      label: 'The Final',
      type: 'bracket',
      rounds: 1,
      members: [{ participant: 'ana' }, { participant: 'chidi' }],
    },
  ],
  participants: entered('ana', 'bjorn', 'chidi', 'emile'),
  matches: [matchOf([])],
});
const begun = await after({ ...cup, status: 'ongoing', battles: [running] });
const swissPlayed = await after({
  ...cup,
  battles: [
    won('tc-1', 'swiss', 1, 'major', ['ana', 20, 3], ['bjorn', 10, 0]),
    drawn('tc-2', 'swiss', 1, ['chidi', 15, 1], ['emile', 15, 1]),
  ],
  matches: [matchOf(['ana', 'chidi'])],
});
const finished = await after({
  ...cup,
  status: 'finished',
  matches: [{ ...matchOf(['ana', 'chidi']), winner: 'chidi' }],
});
const steps = [planned, begun, swissPlayed, finished];

/** Publishes the record and returns what is shown of the cup afterwards. */
async function after(record: TournamentRecord) {
  await world.tell(record);
  // The server receives the change a moment later. Each step raises the revision of the cup, which is part of
  // its tag.
  await eventually(async () => {
    const { headers } = await world.get('/tournaments/turning-cup');
    assert.notEqual(headers.get('etag'), tag);
    tag = headers.get('etag');
  });
  const [match] = (await world.standings('turning-cup', 'knockout')).data;
  const participants = await world.all('/tournaments/turning-cup/participants');
  return {
    tournament: (await world.item('/tournaments/turning-cup')) as { status: string; stages: Row[] },
    shownFirst: (await world.standings('turning-cup')).stage['id'],
    placements: Object.fromEntries(participants.map((row) => [row['playerId'], row['finalPlacement']])),
    battles: new Map((await world.all('/tournaments/turning-cup/battles')).map((row) => [row['id'], row])),
    match,
  };
}
const outcomes = (battle: Row | undefined) => playersOf(battle).map(({ outcome }) => outcome);

rule(section, 'Tournament.status takes the values planned, ongoing, finished', () => {
  const told = steps.map(({ tournament }) => tournament.status);
  assert.deepEqual(told, ['planned', 'ongoing', 'ongoing', 'finished']);
});
rule(section, 'The stage id `standings` exists only once the tournament has finished', async () => {
  const ids = steps.map(({ tournament }) => tournament.stages.map(({ id }) => id).join(' '));
  const before = 'swiss knockout';
  assert.deepEqual(ids, [before, before, before, `${before} standings`]);
});
rule(section, 'The stage shown by default goes along: the first, the furthest, the final standings', () => {
  const shown = steps.map(({ shownFirst }) => shownFirst);
  assert.deepEqual(shown, ['swiss', 'swiss', 'knockout', 'standings']);
});
rule(section, 'Participant.finalPlacement is null while the tournament runs', () => {
  for (const { placements } of [planned, begun, swissPlayed]) {
    assert.deepEqual(placements, { ana: null, bjorn: null, chidi: null, emile: null });
  }
});
rule(section, 'Participant.finalPlacement is settled after it finishes', () => {
  assert.deepEqual(finished.placements, { chidi: 1, ana: 2, emile: 3, bjorn: 4 });
});
rule(section, 'BattlePlayer.outcome is null while the battle is unfinished', () => {
  assert.deepEqual(outcomes(begun.battles.get('tc-1')), [null, null]);
  assert.deepEqual(outcomes(swissPlayed.battles.get('tc-1')), ['win', 'loss']);
});
rule(section, 'Battle.winner is null on a draw', () => {
  const battle = swissPlayed.battles.get('tc-2');
  assert.deepEqual([battle?.['winner'], ...outcomes(battle)], [null, 'draw', 'draw']);
});
rule(section, 'Battle.winner is null while there is no result', () => {
  assert.equal(begun.battles.get('tc-1')?.['winner'], null);
  assert.equal(swissPlayed.battles.get('tc-1')?.['winner'], 'Ana Quiroga');
});
rule(section, 'Bracket match `winner` is null until the match has been played', () => {
  const winners = steps.map(({ match }) => match?.['winner']);
  assert.deepEqual(winners, [null, null, null, 'Chidi Eze']);
});
rule(section, 'Bracket match `players` is empty until earlier results are known', () => {
  const both = ['Ana Quiroga', 'Chidi Eze'];
  assert.deepEqual(
    steps.map(({ match }) => match?.['players']),
    [[], [], both, both],
  );
});
