import assert from 'node:assert/strict';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import type { ParticipantEntry } from '../../src/record/feed/tournament-records.ts';
import { convert } from '../../src/convert/convert.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed } from '../../src/world/one-event.ts';
import type { WholeTournament } from '../../src/world/event/whole-tournament.ts';
import { asSheets, type Dialect, victoryPoints } from './as-sheets.ts';
import type { Proof } from './proof.ts';

// Proves that generated tournaments, written as sheets and converted, give the facts that they were made
// from. Whatever a sheet cannot express is left out of both sides of the comparison, by name;
// docs/organisers.md lists it.

export const convertWorlds: Proof = async ({ size }) => {
  const wanted = size === 'stated' ? 1_000 : 60;
  const dialects = new Set<string>();
  const counts = { participants: 0, battles: 0, byes: 0, matches: 0 };
  for (let seed = 1; seed <= wanted; seed++) {
    const feed = generated(seed);
    const event = feed.find((record): record is WholeTournament => record.kind === 'tournament');
    assert.ok(event);
    const dialect = dialectOf(seed);
    dialects.add(JSON.stringify(dialect));
    const { feed: lines, refusals } = convert(asSheets(event, personNames(feed), dialect), {
      dates: dialect.dates,
      clubs: {
        known: feed.flatMap((record) => (record.kind === 'club' ? [[record.slug, '']] : [])),
        newClubs: false,
      },
    });
    assert.deepEqual(refusals, [], `seed ${seed}`);
    const back = JSON.parse(lines?.trim().split('\n').at(-1) ?? '') as TournamentRecord;
    const facts = sayable(event, (id) => `p${event.participants.findIndex((each) => each.id === id) + 1}`);
    assert.deepEqual(
      sayable(back as WholeTournament, (id) => id),
      facts,
      `seed ${seed}`,
    );
    counts.participants += facts.participants.length;
    counts.battles += facts.battles.length;
    counts.byes += facts.byes.length;
    counts.matches += facts.matches.length;
  }
  const { participants, battles, byes, matches } = counts;
  assert.ok(byes > 0 && matches > 0);
  return [
    `${wanted} tournaments in ${dialects.size} dialects: no difference.`,
    `${wanted} generated tournaments of all formats and states, written as sheets in ${dialects.size} dialects and converted: the same ${participants} participants, ${battles} battles, ${byes} byes and ${matches} matches, as far as a sheet can say them.`,
  ];
};

const formats = [
  'swiss',
  'groups',
  'swiss+knockout',
  'groups+knockout+placements',
  'swiss+knockout+placements+placement-swiss',
  'swiss+placement-swiss',
];
const statuses = ['finished', 'ongoing', 'finished', 'planned'] as const;

function generated(seed: number): FeedRecord[] {
  const options = {
    seed,
    players: 6 + ((seed * 7) % 50),
    format: formats[seed % formats.length] ?? '',
    rounds: 3 + (seed % 3),
  };
  return eventFeed(
    { ...options, start: dayNumber('2026-01-01') + (seed % 300) },
    statuses[seed % statuses.length] ?? 'finished',
  );
}

const dialectOf = (seed: number): Dialect => ({
  separator: ([',', ';', '\t'] as const)[seed % 3] ?? ',',
  lineEnd: seed % 2 === 0 ? '\n' : '\r\n',
  mark: seed % 5 < 2,
  dates: ([undefined, 'dmy', 'mdy'] as const)[(seed >> 2) % 3],
  decimal: seed % 4 < 2 ? '.' : ',',
  results: (['number', 'letters', 'points'] as const)[(seed % 7) % 3] ?? 'number',
});

function personNames(feed: FeedRecord[]): (participant: ParticipantEntry) => string {
  const names = new Map(
    feed.flatMap((record) => (record.kind === 'player' && record.name ? [[record.id, record.name]] : [])),
  );
  return ({ name, player }) => name ?? names.get(player ?? '') ?? '';
}

/** Returns what a sheet can express of a tournament, without the order of its parts. */
function sayable(event: WholeTournament, idOf: (participant: string) => string) {
  const inGames = Map.groupBy(
    [
      ...event.battles.flatMap(({ stage, sides }) =>
        sides.map(({ participant }) => ({ stage, participant })),
      ),
      ...event.byes,
    ],
    ({ stage }) => stage,
  );
  const battles = event.battles.map(({ sides, ...battle }) => ({
    stage: battle.stage,
    round: battle.round,
    table: battle.table ?? null,
    date: battle.date ?? null,
    scenario: battle.scenario ?? null,
    finished: battle.finished ?? false,
    winner: battle.winner ? idOf(battle.winner) : null,
    victorySize: battle.victorySize ?? null,
    sides: sides.map((side) => ({
      participant: idOf(side.participant),
      // The points of a running game would be taken for its result.
      battlePoints: battle.finished ? (side.battlePoints ?? null) : null,
      victoryPoints: battle.finished ? (victoryPoints(side) ?? null) : null,
    })),
  }));
  const played = new Map(event.battles.map(({ id, winner, sides }) => [id, { winner, sides }]));
  return {
    slug: event.slug,
    published: event.published,
    name: event.name,
    status: event.status,
    startDate: event.startDate ?? null,
    endDate: event.endDate ?? null,
    city: event.city ?? null,
    country: event.country ?? null,
    battleSize: event.battleSize,
    battlePack: event.battlePack ?? null,
    organizer: event.organizer ?? null,
    groups: event.groups ?? [],
    stages: event.stages
      // A stage that is only announced by its label has no row yet.
      .filter(({ id }) => id === 'swiss' || id === 'knockout' || inGames.has(id))
      .map(({ id, type, rounds, grouped = false }) => ({
        id,
        type,
        grouped,
        rounds: id === 'swiss' || id === 'knockout' ? rounds : undefined,
        members:
          id === 'swiss' ? null : sorted((inGames.get(id) ?? []).map(({ participant }) => idOf(participant))),
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    participants: event.participants
      .map((each) => ({
        id: idOf(each.id),
        player: each.player ?? null,
        name: each.name ?? null,
        club: each.club ?? null,
        group: each.group ?? null,
        dropped: each.dropped === true && each.noShow !== true,
        noShow: each.noShow ?? false,
        faction: each.faction ?? each.list?.faction ?? null,
        list: each.list ? { ...each.list, battleTacticCards: [], text: each.list.text?.trim() } : null,
        finalPlacement: each.finalPlacement ?? null,
      }))
      .toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    byes: byText(
      event.byes.map((bye) => ({
        stage: bye.stage,
        round: bye.round,
        participant: idOf(bye.participant),
        win: bye.win,
        battlePoints: bye.battlePoints ?? 0,
        victoryPoints: bye.victoryPoints ?? 0,
        victoryPointsDiff: bye.victoryPointsDiff ?? 0,
      })),
    ),
    battles: byText(battles),
    // A walkover has no battle, and a drawn game does not show who advanced.
    matches: byText(
      event.matches.flatMap(({ stage, round, players = [], winner, battle }) => {
        const game = played.get(battle ?? '');
        if (!game) return [];
        return {
          stage,
          round,
          players: players.map(idOf).toSorted(),
          winner: game.winner && winner ? idOf(winner) : null,
        };
      }),
    ),
  };
}

const sorted = (texts: string[]): string[] => [...new Set(texts)].toSorted();
const byText = <Each>(list: Each[]): Each[] =>
  list
    .map((each) => ({ each, key: JSON.stringify(each) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ each }) => each);
