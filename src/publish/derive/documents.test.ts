import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standingsView } from '../../published/views.ts';
import { parseDocument } from '../../../harness/support/parse-document.ts';
import {
  battle,
  club,
  participant,
  result,
  side,
  stage,
  tournament,
} from '../../../harness/support/facts.ts';
import type { ArmyList } from '../../contract/army-list.ts';
import type { Battle, BattleDetail, PlayerRound } from '../../contract/battle.ts';
import type { Club } from '../../contract/club.ts';
import type { Participant } from '../../contract/participant.ts';
import type { BoardStandings, BracketMatch, BracketStandings } from '../../contract/standings.ts';
import type { Tournament, TournamentOrganizer } from '../../contract/tournament.ts';
import type { TournamentFacts } from '../../record/facts/facts.ts';
import { casualBattleDocuments, clubDocument, tournamentDocuments, standingsDocuments } from './documents.ts';

const list = { faction: 'Moth Parliament', subFaction: '', points: 1, battleTacticCards: [], text: '' };
const event = (facts: Partial<TournamentFacts> = {}): TournamentFacts =>
  tournament({
    stages: [stage('swiss', ['a', 'b'], { rounds: 3 }), stage('knockout', ['a', 'b'], { rounds: 2 })],
    participants: [
      participant('a', { finalPlacement: 2, group: 'One' }),
      participant('b', { finalPlacement: 1, noShow: true, list }),
    ],
    battles: [result(['a', 3, 9], ['b', 0, 1])],
    ...facts,
  });
const resource = (facts: TournamentFacts) => parseDocument(tournamentDocuments(facts).document) as Tournament;
const participants = (facts: TournamentFacts) =>
  tournamentDocuments(facts).participants.map(({ document }) => JSON.parse(document) as Participant);

test('a tournament counts its players, and adds up the rounds of its stages', () => {
  const { players, rounds } = resource(event());
  assert.deepEqual([players, rounds], [2, 5]);
});

test('the organizers are sorted by name, without erased ones', () => {
  const tournamentOrganizers = [
    { playerId: '1', name: 'Zoë', erased: false },
    { playerId: '2', name: null, erased: true },
    { playerId: '3', name: 'Élodie', erased: false },
  ];
  assert.deepEqual(resource(event({ tournamentOrganizers })).tournamentOrganizers, [
    { name: 'Élodie', playerId: '3' },
    { name: 'Zoë', playerId: '1' },
  ]);
});

test('a final placement is settled once the tournament is finished, and never where none were recorded', () => {
  const placements = (facts: Partial<TournamentFacts>) =>
    participants(event(facts)).map((each) => each.finalPlacement);
  assert.deepEqual(placements({ status: 'ongoing' }), [null, null]);
  assert.deepEqual(placements({ status: 'finished' }), [2, 1]);
  assert.deepEqual(placements({ status: 'finished', placementsRecorded: false }), [null, null]);
  const unrecorded = [participant('a'), participant('b', { noShow: true })];
  assert.deepEqual(placements({ status: 'finished', participants: unrecorded }), [1, null]);
});

test('the first of the placement Swiss does not lead, also before the first match of the knockout', () => {
  const leaderIn = (id: string): string | null => {
    const stages = [stage('swiss', ['a', 'b']), stage('placement-swiss', ['a', 'b'], { phase: 2 })];
    const battles = [result(['a', 3, 9], ['b', 0, 1], { stage: id })];
    return tournamentDocuments(event({ status: 'ongoing', stages, battles })).leader;
  };
  assert.match(leaderIn('swiss') ?? '', /"player":/);
  assert.equal(leaderIn('placement-swiss'), null);
});

test('a participant has a group only where the tournament has a group stage, and no-shows count as dropped', () => {
  assert.deepEqual(
    participants(event()).map(({ group, dropped, list: shown }) => [group, dropped, shown]),
    [
      [null, false, null],
      [null, true, list],
    ],
  );
  const grouped = event({ groups: ['One'], stages: [stage('swiss', ['a'], { grouped: true })] });
  assert.deepEqual(
    participants(grouped).map(({ group }) => group),
    ['One', null],
  );
});

test('standings need neither lists nor rounds nor metrics of battles', () => {
  const rounds = [
    {
      round: 1,
      victoryPoints: 4.5,
      objectivePoints: 0,
      objectives: [],
      battleTactic: '',
      battleTacticScored: false,
      priority: false,
      metrics: {},
    },
  ];
  const facts = event({
    battles: [battle({ sides: [side('a', { rounds }), side('b', { victoryPoints: 1 })] })],
    status: 'finished',
  });
  const { battles, participants: _, ...expected } = tournamentDocuments(facts);
  assert.equal(battles.length, 1);
  const outlined = facts.battles.map(
    ({ id, stage: of, round, table, scenario, date, finished, winner, sides }) => {
      const outline = (each: (typeof sides)[0], victoryPoints: number) => ({
        participant: each.participant,
        faction: each.faction,
        battlePoints: each.battlePoints,
        victoryPoints,
      });
      return {
        id,
        stage: of,
        round,
        table,
        scenario,
        date,
        finished,
        winner,
        arrived: null,
        sides: [outline(sides[0], 4.5), outline(sides[1], 1)] as [
          ReturnType<typeof outline>,
          ReturnType<typeof outline>,
        ],
      };
    },
  );
  assert.deepEqual(
    standingsDocuments(
      { ...facts, battles: outlined },
      new Set(expected.players.map(({ player }) => player)),
    ),
    expected,
  );
});

test('a document that does not fit the contract is refused with its name, the path and the reason', () => {
  const misfits: [make: () => unknown, what: string, path: string][] = [
    [() => tournamentDocuments(event({ startDate: '2026-02-31' })), 'tournament event', '/startDate'],
    [() => tournamentDocuments(event({ organizer: 'Not A Slug' })), 'tournament event', '/organizer'],
    [
      () =>
        tournamentDocuments(event({ participants: [participant('a', { playerId: '' }), participant('b')] })),
      'the standings (swiss) of tournament event',
      '/data/0/playerId',
    ],
    [
      () => casualBattleDocuments(battle({ id: 'b-1', round: 0, sides: [side('a'), side('b')] })),
      'battle b-1',
      '/round',
    ],
    [() => clubDocument(club({ slug: 'club', name: 'Club', members: -1 })), 'club club', '/members'],
  ];
  for (const [make, what, path] of misfits) {
    const refused = `The document of ${what} does not fit the contract at ${path}: `;
    assert.throws(
      make,
      ({ message }: Error) => message.startsWith(refused) && message.length > refused.length,
    );
  }
});

test('a board says beside it what decided, and the final one too where no other stage made it', () => {
  const swiss = stage('swiss', ['a', 'b', 'c']);
  const people = ['a', 'b', 'c'].map((id) => participant(id));
  const facts = { stages: [swiss], participants: people, status: 'finished' as const };
  const battles = [result(['a', 3, 9], ['b', 0, 1]), result(['c', 0, 5], ['x', 0, 9])];
  const explained = (more: Partial<TournamentFacts> = {}) =>
    tournamentDocuments(event({ ...facts, battles, ...more })).standings.map(({ document, view }) => {
      const shown = standingsView(document, view);
      return (shown.type === 'board' ? shown.rows : [])
        .map(({ decidedBy, opponents }) => `${decidedBy} ${opponents}`)
        .join(', ');
    });
  const decided = 'null 0, battlePoints 0, victoryPointsDiff 3';
  const tieBreaks: TournamentFacts['tieBreaks'] = [
    'battlePoints',
    'victoryPointsDiff',
    'opponentsBattlePoints',
  ];
  assert.deepEqual(explained({ tieBreaks }), [decided, decided]);
  const recorded = people.map((each, index) => ({ ...each, finalPlacement: 3 - index }));
  const final = explained({ tieBreaks, participants: recorded })[1];
  assert.equal(final, 'undefined 0, undefined 3, undefined 0');
  const several = [swiss, stage('knockout', ['a', 'b'])];
  const nothing = 'undefined undefined, undefined undefined, undefined undefined';
  assert.equal(explained({ tieBreaks: ['battlePoints'], stages: several })[2], nothing);
  const before = explained({ tieBreaks: ['battlePoints'], battles: [], status: 'ongoing' });
  assert.deepEqual(before, [nothing]);
});

// The type checker does not notice an optional member that no derivation fills, unless the derivation uses
// `filled`. The shapes below therefore have no optional members: `npm run check` fails when one of them gets
// one.
type OptionalIn<Shape> = {
  [Member in keyof Shape]-?: object extends Pick<Shape, Member> ? Member : never;
}[keyof Shape];
interface Shapes {
  club: Club;
  participant: Participant;
  list: ArmyList;
  tournament: Tournament;
  organizer: TournamentOrganizer;
  battle: Battle;
  battleInFull: BattleDetail;
  round: PlayerRound;
  match: BracketMatch;
  board: BoardStandings['stage'];
  bracket: BracketStandings['stage'];
}
type None<Of extends never> = Of;
void ((optional: None<{ [Name in keyof Shapes]: OptionalIn<Shapes[Name]> }[keyof Shapes]>) => optional);
