import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { pageBasesOf } from '../../read/page-address.ts';
import { calendar, type CalendarEvent } from './calendar.ts';

const event: CalendarEvent = {
  slug: 'open',
  name: 'Open',
  startDate: '2026-02-27',
  endDate: '2026-02-28',
  city: 'Porto',
  country: 'Portugal',
  revision: '1772000000000000',
};
const siteUrl = 'https://results.example:8443/club';
const site = { siteUrl, siteName: 'Results', pageBases: pageBasesOf(siteUrl) };

/** Parses the calendar with a library of another project. */
function read(text: string) {
  const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return root.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
}

test('an event has its days, the first day after it, and a name that stays', () => {
  const text = calendar(site, 'Tournaments', [
    event,
    { ...event, slug: 'one-day', endDate: null },
    { ...event, slug: 'last', startDate: '9999-12-31', endDate: null },
    { ...event, slug: 'undated', startDate: null },
  ]);
  const [first, second, third, ...rest] = read(text);
  assert.equal(rest.length, 0);
  assert.deepEqual(
    [first?.uid, first?.startDate.toString(), first?.endDate.toString(), first?.location, first?.summary],
    ['tournament-open@results.example', '2026-02-27', '2026-03-01', 'Porto, Portugal', 'Open'],
  );
  assert.deepEqual([second?.startDate.isDate, second?.endDate.toString()], [true, '2026-02-28']);
  assert.equal(third?.endDate.toString(), '9999-12-31');
  assert.match(text, /\r\nDTSTAMP:20260225T061320Z\r\n/);
  assert.match(text, /\r\nURL:https:\/\/results\.example:8443\/club\/tournaments\/open\r\n/);
});

test('a calendar that is loaded again has the same events, also after a change', () => {
  const uids = (revision: string) =>
    read(
      calendar(site, 'x', [
        { ...event, revision },
        { ...event, slug: 'b', revision },
      ]),
    ).map(({ uid }) => uid);
  assert.deepEqual(uids('1772000000000000'), uids('1779000000000000'));
  assert.equal(new Set(uids('1772000000000000')).size, 2);
});

test('no name ends its line or its event: another program reads every name back', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\\',
      ';',
      ',',
      ':',
      '"',
      'END:VEVENT',
      'BEGIN:VEVENT',
      '\\n',
      '😀',
      '\t',
      '\u0000',
    ),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const name = pieces.join('');
      const text = calendar(site, name, [{ ...event, name, city: name }]);
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
      const [only, ...others] = read(text);
      assert.equal(others.length, 0);
      const shown = name.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
      assert.equal(only?.summary, shown);
    }),
  );
});
