import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shapeProblems } from '../../record/feed/json-schema.ts';
import { checkAlone } from '../../record/feed/check-record.ts';
import { dayNumber } from '../dates.ts';
import { wholeOf } from './whole-of.ts';
import { type OneEventOptions, eventFeed, eventSeries, type Status } from '../one-event.ts';
import type { WholeTournament } from '../event/whole-tournament.ts';

const event = fc.record<OneEventOptions>({
  seed: fc.nat(1_000_000),
  players: fc.integer({ min: 4, max: 60 }),
  format: fc.constantFrom(
    'swiss',
    'groups',
    'groups+knockout',
    'swiss+knockout',
    'swiss+knockout+placements',
    'swiss+knockout+placement-swiss',
    'swiss+placement-swiss',
    'groups+knockout+placements+placement-swiss',
  ),
  rounds: fc.integer({ min: 1, max: 5 }),
  start: fc.integer({ min: dayNumber('2020-01-01'), max: dayNumber('2030-12-31') }),
});

test('the whole live series leaves the same facts as the finished event', () => {
  fc.assert(
    fc.property(event, (options) => {
      const series = eventSeries(options).map((moment) => moment.record);
      for (const record of series) {
        assert.deepEqual(shapeProblems(record), []);
        assert.deepEqual(checkAlone(record), []);
      }
      assert.deepEqual(inOrder(wholeOf(series)), inOrder(tournament(options, 'finished')));
    }),
    { numRuns: 150 },
  );
});

test('times never go back, and nothing is used before it exists', () => {
  fc.assert(
    fc.property(event, (options) => {
      const there = new Set<string>();
      let last = 0;
      for (const { at, record } of eventSeries(options)) {
        assert.ok(at >= last);
        last = at;
        if (record.kind === 'participant') there.add(record.id);
        if (record.kind === 'tournament') for (const { id } of record.participants ?? []) there.add(id);
        if (record.kind === 'battle')
          for (const side of record.sides) assert.ok('participant' in side && there.has(side.participant));
        if (record.kind === 'match') {
          for (const player of record.players ?? []) assert.ok(there.has(player));
          if (record.battle)
            assert.ok(there.has(record.battle), 'a match has a battle that was never paired');
        }
        if (record.kind === 'battle') there.add(record.id);
      }
    }),
    { numRuns: 50 },
  );
});

test('results come one by one: paired unfinished, finished in another order', () => {
  const series = eventSeries({
    seed: 1,
    players: 64,
    format: 'swiss+knockout',
    rounds: 5,
    start: dayNumber('2026-11-14'),
  });
  const battles = series.flatMap(({ at, record }) =>
    record.kind === 'battle' && 'stage' in record ? [{ at, ...record }] : [],
  );
  const paired = battles.filter(
    ({ finished, round, stage }) => !finished && round === 2 && stage === 'swiss',
  );
  const ended = battles.filter(({ finished, round, stage }) => finished && round === 2 && stage === 'swiss');
  assert.ok(ended.length >= 29);
  assert.notDeepEqual(
    ended.map(({ id }) => id),
    ended.map(({ id }) => id).toSorted(),
  );
  assert.ok(new Set(ended.map(({ at }) => at)).size > 25, 'results come at different times');
  assert.ok(Math.max(...paired.map(({ at }) => at)) < Math.max(...ended.map(({ at }) => at)));
  const matches = series.flatMap(({ record }) => (record.kind === 'match' ? [record] : []));
  assert.deepEqual(new Set(matches.map(({ players = [] }) => players.length)), new Set([0, 1, 2]));
});

test('a player who does not come back is recorded as dropped before the second day', () => {
  const series = eventSeries({
    seed: 2,
    players: 120,
    format: 'swiss',
    rounds: 5,
    start: dayNumber('2026-11-14'),
  });
  const secondDay = dayNumber('2026-11-15') * 86_400;
  const told = series.filter(({ record }) => record.kind === 'participant' && record.dropped === true);
  const early = told.filter(({ at }) => at < secondDay);
  const { participants } = wholeOf(series.map((moment) => moment.record));
  assert.ok(early.length > 0);
  assert.equal(early.length, participants.filter((entry) => entry.dropped).length);
});

test('an event at a moment: planned has no battles, ongoing is in the middle', () => {
  fc.assert(
    fc.property(event, (options) => {
      const planned = tournament(options, 'planned');
      assert.equal(planned.status, 'planned');
      assert.equal(planned.battles.length + planned.byes.length + planned.matches.length, 0);
      const ongoing = tournament(options, 'ongoing');
      assert.equal(ongoing.status, 'ongoing');
      assert.ok(ongoing.battles.some((battle) => battle.finished === false));
      assert.ok(options.players < 10 || ongoing.battles.some((battle) => battle.finished === true));
      assert.ok(ongoing.participants.every((entry) => !entry.finalPlacement));
    }),
    { numRuns: 60 },
  );
});

test('recorded placements are 1 to n without a gap, and no-shows have none', () => {
  fc.assert(
    fc.property(event, (options) => {
      const { participants } = tournament(options, 'finished');
      const places = participants
        .flatMap(({ finalPlacement }) => finalPlacement ?? [])
        .toSorted((a, b) => a - b);
      assert.ok(participants.every((entry) => !entry.noShow || !entry.finalPlacement));
      if (places.length > 0) {
        assert.equal(places.length, participants.filter((entry) => !entry.noShow).length);
        assert.deepEqual(
          places,
          places.map((_, i) => i + 1),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('1,000 players over 8 rounds never meet twice', () => {
  const { battles } = tournament(
    { seed: 1, players: 1_000, format: 'swiss', rounds: 8, start: dayNumber('2026-11-14') },
    'finished',
  );
  const pairs = new Set(
    battles.map(({ sides }) =>
      sides
        .map((side) => side.participant)
        .toSorted()
        .join(' '),
    ),
  );
  assert.equal(pairs.size, battles.length);
  assert.ok(battles.length > 3700, `${battles.length}`);
});

function tournament(options: OneEventOptions, status: Status): WholeTournament {
  const found = eventFeed(options, status).find((record) => record.kind === 'tournament');
  assert.ok(found);
  return wholeOf([found]);
}

/** Sorts the elements by their identity, because facts have no order. */
function inOrder(whole: WholeTournament): WholeTournament {
  const by = <T>(list: T[], key: (entry: T) => string) => list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return {
    ...whole,
    participants: by(whole.participants, ({ id }) => id),
    battles: by(whole.battles, ({ id }) => id),
    byes: by(whole.byes, ({ stage, round, participant }) => `${stage} ${round} ${participant}`),
    matches: by(whole.matches, ({ stage, round, position }) => `${stage} ${round} ${position}`),
  };
}
