// Generates a whole world as a feed: packs, then one community after another, each with its clubs, players,
// events and casual battles. Nothing is kept between communities, so a world of any size needs the same
// memory.
import type { FeedRecord } from '../record/feed/records.ts';
import { inventCasualBattle } from './casual.ts';
import { inventClub, type Community, inventPlayer } from './people/community.ts';
import { yearOf } from './dates.ts';
import { playEvent } from './event/event.ts';
import { wholeOf } from './telling/whole-of.ts';
import { seriesOf } from './telling/live.ts';
import { packRecord, packs } from './people/lore.ts';
import { stream } from './chance/random.ts';
import { planScene, type PlannedEvent, type WorldScene, type WorldWindow } from './scene.ts';
import { eventStream, setUp } from './event/setup.ts';
import type { Moment } from './event/timetable.ts';

export interface WorldOptions extends WorldWindow {
  readonly seed: number;
  /** The exact number of battles, including casual ones. */
  readonly battles: number;
}

export function* world({ seed, battles, from, today }: WorldOptions): Generator<FeedRecord> {
  yield* packRecords();
  const count = communities(battles);
  for (let number = 0; number < count; number++) {
    const quota = Math.floor(((number + 1) * battles) / count) - Math.floor((number * battles) / count);
    const tag = communityTag(seed, number);
    yield* sceneRecords(planScene(seed, number, tag, quota, { from, today }), quota, { from, today });
  }
}

/** Returns a part of every id and slug in the community, except those of packs. */
export const communityTag = (seed: number, number: number): string =>
  `w${seed.toString(36)}-${number.toString(36)}`;

// Large enough for a major event, small enough to be planned quickly.
const communityBattles = 25_000;

export function communities(battles: number): number {
  return Math.max(Math.ceil(battles / communityBattles), Math.min(8, Math.ceil(battles / 5000)), 1);
}

export function* packRecords(): Generator<FeedRecord> {
  for (const pack of packs) yield packRecord(pack);
}

function* sceneRecords(
  { community, events }: WorldScene,
  quota: number,
  window: WorldWindow,
): Generator<FeedRecord> {
  yield* introductions(community);
  let played = 0;
  for (const event of events) {
    const { records, battles } = eventRecords(community, event);
    yield* records;
    played += battles;
  }
  const random = stream(community.seed, 'casual days', community.number);
  for (let casual = 0; played + casual < quota; casual++) {
    yield inventCasualBattle(community, casual, random.between(window.from, window.today));
  }
  yield* corrections(community, window);
  yield* erasures(community, community.players);
}

function* introductions(community: Community): Generator<FeedRecord> {
  for (let i = 0; i < community.clubs; i++) yield inventClub(community, i).record;
  yield* playerRecords(community, 0, community.players);
}

export function* playerRecords(community: Community, from: number, to: number): Generator<FeedRecord> {
  for (let i = from; i < to; i++) {
    const { id, name } = inventPlayer(community, i);
    yield { kind: 'player', id, name, ...(i % 50 === 7 ? { erased: false } : {}) };
  }
}

/** Removes players who asked to be erased. Their battles stay. */
export function* erasures(community: Community, players: number): Generator<FeedRecord> {
  for (let i = 0; i < players; i++) {
    const { id, erased } = inventPlayer(community, i);
    if (erased)
      yield i % 2 === 0 ? { kind: 'remove', of: 'player', id } : { kind: 'player', id, erased: true };
  }
}

function eventRecords(
  community: Community,
  event: PlannedEvent,
): { records: Iterable<FeedRecord>; battles: number } {
  const setup = setUp(community, event);
  const whole = playEvent(setup, event.seats);
  const random = eventStream(setup, 'told');
  if (event.moment === 'finished') {
    const live = event.size <= 30 && random.chance(0.25);
    const records = live ? seriesOf(setup, whole).map((moment) => moment.record) : [whole];
    return { records, battles: whole.battles.length };
  }
  const series = seriesOf(setup, whole);
  const until = now(event.moment, series, random.unit());
  const moments = series.filter((moment) => moment.at <= until);
  const soFar = wholeOf(moments.map((moment) => moment.record));
  return { records: [soFar], battles: soFar.battles.length };
}

/** Returns a time before the event begins, or in the middle of a round, after `part` of the event. */
export function now(moment: 'planned' | 'ongoing', series: readonly Moment[], part: number): number {
  const opened = series[0]?.at ?? 0;
  const begun =
    series.find(({ record }) => record.kind === 'tournament' && record.status === 'ongoing')?.at ?? opened;
  if (moment === 'planned') return opened + Math.floor(part * (begun - 1 - opened));
  // One result is in and another of the same round follows, so the round is being played.
  const midRound = series.filter((each, i) => {
    const next = series[i + 1];
    return next && next.at > each.at && isResult(each) && isResult(next);
  });
  return midRound[Math.floor(part * midRound.length)]?.at ?? series.findLast(isPairing)?.at ?? begun;
}

const isResult = ({ record }: Moment): boolean => record.kind === 'battle' && record.finished === true;
const isPairing = ({ record }: Moment): boolean => record.kind === 'battle' && record.finished === false;

// Records that are entered by mistake and corrected, once in each community.
function* corrections(community: Community, { today }: WorldWindow): Generator<FeedRecord> {
  const { tag } = community;
  const playtest = `Playtest Leaflet ${tag}`;
  yield {
    kind: 'battlePack',
    name: playtest,
    objectives: false,
    battleTactics: false,
    grandStrategies: false,
  };
  yield { kind: 'club', slug: `entered-twice-${tag}`, name: 'Entered Twice', members: 1 };
  const slug = `called-off-${tag}`;
  yield {
    kind: 'tournament',
    slug,
    published: true,
    name: `Called Off ${yearOf(today)}`,
    status: 'planned',
    battleSize: 2000,
    battlePack: playtest,
    organizer: `entered-twice-${tag}`,
  };
  yield { kind: 'remove', of: 'tournament', id: slug };
  yield { kind: 'remove', of: 'club', id: `entered-twice-${tag}` };
  yield { kind: 'remove', of: 'battlePack', id: playtest };
  const twice = inventCasualBattle(community, 0, today);
  const id = `${tag}-casual-twice`;
  yield { ...twice, id };
  yield { kind: 'remove', of: 'battle', id };
}
