// Shows the same event live: splits the finished record into the records that a platform would have sent,
// each with its time: sign-up, lists, the draw, pairings, results one by one, the cut, the bracket, the end.
import type { BattleEntry, ParticipantEntry, StageEntry } from '../../record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../record/feed/records.ts';
import { halfwayEntry, pairedEntry } from '../event/battle-entry.ts';
import type { WholeTournament } from '../event/whole-tournament.ts';
import { bracketMoments } from './live-bracket.ts';
import { mistakes } from './live-mistakes.ts';
import { eventStream, type EventSetup } from '../event/setup.ts';
import { minute, type Moment, type Timetable, timetable } from '../event/timetable.ts';

/** Returns the records in order of time. Folding all of them gives the finished event again. */
export function seriesOf(setup: EventSetup, whole: WholeTournament): Moment[] {
  const times = timetable(setup, whole);
  const moments = [
    ...signUp(setup, whole, times),
    ...rounds(setup, whole, times),
    ...bracketMoments(whole, times),
    ...mistakes(setup, whole, times),
  ].toSorted((a, b) => a.at - b.at);
  return [...moments, ...ending(setup, whole, moments, times)];
}

function signUp(setup: EventSetup, whole: WholeTournament, { opened, begun }: Timetable): Moment[] {
  const random = eventStream(setup, 'sign-up');
  const {
    participants,
    byes: _b,
    adjustments: _a,
    battles: _x,
    matches: _m,
    groups,
    stages,
    ...head
  } = whole;
  const drawn = stages.some((stage) => stage.grouped === true);
  // Groups are drawn once all players are known. A grouped stage cannot exist before that.
  const structure = drawn
    ? { groups: [], stages: [] }
    : { ...(groups ? { groups } : {}), stages: stages.map(beforeTheCut) };
  // Explicitly empty, so that the series can be imported again over the finished event.
  const empty = { participants: [], byes: [], adjustments: [], battles: [], matches: [] };
  const moments: Moment[] = [{ at: opened, record: { ...head, status: 'planned', ...structure, ...empty } }];
  for (const entry of participants) {
    const signed = opened + random.below(begun - opened - 50 * 3600);
    moments.push({ at: signed, record: small(whole, asSignedUp(entry)) });
    const listed = begun - random.between(2 * 3600, 48 * 3600);
    if (entry.list || entry.faction) moments.push({ at: listed, record: small(whole, asListed(entry)) });
    if (entry.noShow) moments.push({ at: begun + 15 * minute, record: small(whole, asBegun(entry)) });
  }
  const draw = drawn
    ? { groups: groups ?? [], stages: stages.map(beforeTheCut), participants: participants.map(asDrawn) }
    : {};
  moments.push({ at: begun, record: { kind: 'tournament', slug: whole.slug, status: 'ongoing', ...draw } });
  return moments;
}

function rounds(setup: EventSetup, whole: WholeTournament, times: Timetable): Moment[] {
  const { slug, battles, byes, participants, adjustments, stages } = whole;
  const random = eventStream(setup, 'rounds');
  const moments: Moment[] = [];
  for (const bye of byes) {
    const at = times.paired(times.sessionOf(bye.stage, bye.round));
    moments.push({ at, record: { kind: 'bye', tournament: slug, ...bye } });
  }
  for (const battle of battles) {
    const at = times.paired(times.sessionOf(battle.stage, battle.round));
    const told = (entry: BattleEntry): FeedRecord => ({ kind: 'battle', tournament: slug, ...entry });
    moments.push({ at, record: told(pairedEntry(battle)) });
    if (random.chance(0.15)) moments.push({ at: at + 65 * minute, record: told(halfwayEntry(battle)) });
    moments.push({ at: times.ended(battle), record: told(battle) });
  }
  const dayOne = times.paired(setup.sessionsPerDay - 1) + 190 * minute;
  for (const entry of participants) {
    if (entry.dropped === true)
      moments.push({ at: dayOne, record: small(whole, without(entry, 'finalPlacement')) });
  }
  if (adjustments.length > 0) {
    moments.push({ at: times.cut - 5 * minute, record: { kind: 'tournament', slug, adjustments } });
  }
  if (stages.some((stage) => stage.members)) {
    moments.push({ at: times.cut, record: { kind: 'tournament', slug, stages } });
  }
  return moments;
}

// The end: the status, and the values of participants that the small records have not sent.
function ending(
  setup: EventSetup,
  whole: WholeTournament,
  moments: readonly Moment[],
  { over }: Timetable,
): Moment[] {
  const { slug, participants } = whole;
  const told = new Map<string, string>();
  for (const { record } of moments) {
    if (record.kind === 'participant') {
      const { kind: _k, tournament: _t, ...entry } = record;
      told.set(entry.id, JSON.stringify(entry));
    }
    if (record.kind === 'tournament') {
      for (const entry of record.participants ?? []) told.set(entry.id, JSON.stringify(entry));
    }
  }
  const unsaid = participants.filter((entry) => told.get(entry.id) !== JSON.stringify(entry));
  const status: TournamentRecord = { kind: 'tournament', slug, status: 'finished' };
  if (unsaid.length === 0) return [{ at: over, record: status }];
  // Some platforms send the placements one by one, others send all participants again.
  if (eventStream(setup, 'ending').chance(0.5)) return [{ at: over, record: { ...status, participants } }];
  return [
    ...unsaid.map((entry) => ({ at: over, record: small(whole, entry) })),
    { at: over, record: status },
  ];
}

function beforeTheCut(stage: StageEntry): StageEntry {
  return stage.members ? { ...stage, members: [] } : stage;
}

const asSignedUp = (entry: ParticipantEntry) =>
  without(entry, 'list', 'faction', 'group', 'dropped', 'noShow', 'finalPlacement');
const asListed = (entry: ParticipantEntry) => without(entry, 'group', 'dropped', 'noShow', 'finalPlacement');
const asDrawn = (entry: ParticipantEntry) => without(entry, 'dropped', 'noShow', 'finalPlacement');
const asBegun = (entry: ParticipantEntry) => without(entry, 'dropped', 'finalPlacement');

function small({ slug }: WholeTournament, entry: ParticipantEntry): FeedRecord {
  return { kind: 'participant', tournament: slug, ...entry };
}

function without(entry: ParticipantEntry, ...members: (keyof ParticipantEntry)[]): ParticipantEntry {
  const left = { ...entry };
  for (const member of members) if (member !== 'id') delete left[member];
  return left;
}
