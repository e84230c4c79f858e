import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { languages } from '../../src/text/languages.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';
import { moments, players } from './scripted-event.ts';

// Tests what a person sees in the hall, in a real browser: the boxes rather than the HTML.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the boxes of what a selector finds, as the page draws them. */
async function boxes(selector: string): Promise<Box[]> {
  const script = `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.getBoundingClientRect()))`;
  return JSON.parse(String(await browser?.evaluate(script))) as Box[];
}

/** A phone of 390 × 844 px shows this much of a page between the bars of its browser. */
const phoneHeight = 660;

async function open(path: string, width: number, height = phoneHeight): Promise<void> {
  assert.ok(browser !== undefined);
  await browser.look({ width, height, scheme: 'light' });
  await browser.open(`${server.siteUrl}${path}`);
  const folder = process.env['SCREENSHOTS'];
  const file = `${folder}/${path.slice(1).replaceAll(/\W/g, '-')}-${width}.png`;
  if (folder !== undefined) await writeFile(file, await browser.screenshot('whole'));
}

test('a card of the knockout under Rounds keeps seed, crest and name on one line', { skip }, async () => {
  const drawn = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(drawn);
  const participants = drawn.participants?.map((each) => ({ ...each, faction: 'Gearwright Concord' })) ?? [];
  const battles = [
    ...(drawn.battles ?? []),
    {
      id: 'cup-knockout-1-3',
      stage: 'knockout',
      round: 1,
      sides: [{ participant: 'bea' }, { participant: 'gus' }] as never,
    },
  ];
  const matches = drawn.matches?.map((each) =>
    each.round === 1 && each.position === 3 ? { ...each, battle: 'cup-knockout-1-3' } : each,
  );
  await publishFeed(database.pool, [...players, { ...drawn, participants, battles, matches: matches ?? [] }]);
  for (const width of [390, 1280]) {
    await open('/tournaments/cup/rounds?stage=knockout&round=1', width);
    const side = '.cards a.card .side';
    const [seeds, crests, names] = [
      await boxes(`${side} .seed`),
      await boxes(`${side} .crest`),
      await boxes(`${side} > bdi`),
    ];
    assert.equal(crests.length, 2);
    for (const [i, crest] of crests.entries()) {
      const [seed, name] = [seeds[i], names[i]];
      assert.ok(seed && name);
      assert.ok(seed.right <= crest.left && crest.right <= name.left, `one beside the other at ${width}`);
      for (const each of [seed, crest])
        assert.ok(each.bottom > name.top && each.top < name.bottom, `one line at ${width}`);
    }
  }
});

test(
  'the first screen of a phone has the round, the leader, the field and the meter or a pairing',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    await publishFeed(database.pool, [
      ...hallPlayers(300),
      ...[8, 100, 300].map((count) => hallEvent(`hall-${count}`, count, Math.floor(count / 5))),
    ]);
    for (const count of [8, 100, 300]) {
      await open(`/tournaments/hall-${count}`, 390);
      const seen = async (selector: string) => {
        const all = await boxes(selector);
        return all.some(
          ({ top, bottom, left, right }) => top >= 0 && bottom <= phoneHeight && right - left > 20,
        );
      };
      for (const part of ['.state .live', '.now h2', '.find input[name="name"]', '.meter, .now .card'])
        assert.ok(await seen(part), `${part} of ${count} players`);
      // A phone has no room for a line about the leader, so the first row of the board shows who it is.
      const [row] = await boxes('.board tbody tr');
      assert.ok(row && row.bottom <= phoneHeight, `the first row of ${count} ends at ${row?.bottom}`);
      const first = await browser.evaluate('document.querySelector(".board tbody tr .pl b").innerText');
      assert.equal(first, '1');
    }
  },
);

test('the first screen of a phone has the whole podium of a finished event', { skip }, async () => {
  assert.ok(browser !== undefined);
  await publishFeed(
    database.pool,
    [8, 300].map((count) => ({
      ...hallEvent(`over-${count}`, count, count),
      status: 'finished' as const,
    })),
  );
  for (const count of [8, 300]) {
    await open(`/tournaments/over-${count}`, 390);
    for (const part of ['.state', '.podium li', '.podium .name', '.podium .run']) {
      const found = await boxes(part);
      assert.equal(found.length, part === '.state' ? 1 : 3, part);
      for (const { top, bottom, left, right } of found)
        assert.ok(top >= 0 && bottom <= phoneHeight && left >= 0 && right <= 390, `${part} of ${count}`);
    }
  }
});

test(
  'the field finds a name while one types, Enter opens the first, and it works without a script',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    await open('/tournaments/hall-100/rounds', 390);
    await browser.evaluate(
      `{ const field = document.querySelector('.find input'); field.focus(); field.value = 'BJORN Ab'; field.dispatchEvent(new Event('input', { bubbles: true })); }`,
    );
    await eventually(async () =>
      assert.match(
        String(await browser?.evaluate('document.querySelector(".found li")?.innerText')),
        /^Björn Abrantes\s+vs .+ · \d+\w\w · Marrow Choir\s+table\s+2$/,
      ),
    );
    await browser.evaluate('document.querySelector(".find").requestSubmit()');
    await eventually(async () =>
      assert.match(
        String(await browser?.evaluate('location.pathname')),
        /^\/tournaments\/hall-100\/players\/e2$/,
      ),
    );
    const plain = await (
      await fetch(`${server.siteUrl}/tournaments/hall-100/participants?name=bjorn+ab`)
    ).text();
    assert.match(plain, /Björn Abrantes/);
    assert.doesNotMatch(plain, /Ana Abrantes/);
    assert.match(plain, /<meta name="robots" content="noindex">/);
  },
);

test(
  'while results arrive, the row at the top of the screen stays, and nothing on the first screen moves',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    const look = async (results: number) => {
      await publishFeed(database.pool, [hallEvent('hall-8', 8, results)]);
      await eventually(async () => {
        await browser?.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
        const seen = await browser?.evaluate('document.querySelector("[data-results]").dataset.results');
        assert.equal(seen, String(8 + results));
      });
    };
    // The browser does not count it as a shift if a part is replaced, so the boxes are compared.
    const fixed = async () =>
      (await Promise.all(['.now', '.now .card', '.board', '.board tbody tr'].map(boxes))).map(
        ([box]) => box?.top,
      );
    for (const [prefix, last] of [
      ['/de', 4],
      ['', 3],
    ] as const) {
      await publishFeed(database.pool, [hallEvent('hall-8', 8, 0)]);
      await eventually(async () => {
        await open(`${prefix}/tournaments/hall-8`, 390);
        assert.equal(
          await browser?.evaluate('document.querySelector("[data-results]").dataset.results'),
          '8',
        );
      });
      const before = await fixed();
      for (let results = 1; results <= last; results += 1) {
        await look(results);
        assert.deepEqual(await fixed(), before, `${results} results`);
      }
    }
    // The row of a player whose rank does not change, below "Now".
    const row = `[...document.querySelectorAll('.board tbody:not(.pinned) tr')].find((each) => each.innerText.includes('Farid'))`;
    await browser.evaluate(`window.scrollTo(0, ${row}.getBoundingClientRect().top + scrollY - 60)`);
    const before = Number(await browser.evaluate(`${row}.getBoundingClientRect().top`));
    await look(4);
    const after = Number(await browser.evaluate(`${row}.getBoundingClientRect().top`));
    assert.ok(Math.abs(after - before) < 2, `${before} became ${after}`);
  },
);

/** Returns an event at each moment of its first round, each under a slug of its own. */
function momentsOf(kind: 'plain' | 'groups'): TournamentRecord[] {
  const whole = hallEvent(kind, 16, 0);
  // The upper half plays the lower half, so each group has players of both.
  const groupOf = (entry: string) => (Number(entry.slice(1)) % 2 === 0 ? 'Red' : 'Blue');
  const of = (moment: string, games: number, results: number) => {
    const slug = `${kind}-${moment}`;
    // Every battle of round 1 has a result, and a battle of round 3 is the same without one.
    const battles = (whole.battles ?? [])
      .filter(
        ({ round, table }) =>
          table !== null && (table ?? 0) <= games && round === ((table ?? 0) <= results ? 1 : 3),
      )
      .map((battle) => ({ ...battle, id: `${slug}-${battle.table}`, round: 1 }));
    return {
      ...whole,
      slug,
      stages: [
        {
          id: 'swiss',
          label: 'Saturday Main Event',
          type: 'board',
          rounds: 5,
          ...(kind === 'groups' && { grouped: true }),
        },
      ],
      ...(kind === 'groups' && { groups: ['Red', 'Blue'] }),
      participants: whole.participants?.map((each) => ({
        ...each,
        ...(kind === 'groups' && { group: groupOf(each.id) }),
      })),
      battles,
    } as TournamentRecord;
  };
  return [of('unpaired', 0, 0), of('paired', 8, 0), of('first', 8, 1), of('complete', 8, 8)];
}

for (const kind of ['plain', 'groups'] as const) {
  test(`the board is at the same height at each moment of an event (${kind})`, { skip }, async () => {
    assert.ok(browser !== undefined);
    const records = momentsOf(kind);
    await publishFeed(database.pool, [...hallPlayers(16), ...records]);
    for (const language of languages) {
      const prefix = language === 'en' ? '' : `/${language}`;
      const seen: { width: number; slug: string; box: string }[] = [];
      for (const { slug } of records) {
        await browser.open(`${server.siteUrl}${prefix}/tournaments/${slug}`);
        for (const width of [320, 390]) {
          await browser.look({ width, height: phoneHeight, scheme: 'light' });
          const [now] = await boxes('.now');
          const [board] = await boxes('.board');
          const [row] = await boxes('.board tbody tr');
          const box = [now?.top, now?.bottom, board?.top, row?.top].map((each) => Math.round(each ?? -1));
          seen.push({ width, slug, box: box.join() });
        }
      }
      for (const [width, own] of Map.groupBy(seen, (each) => each.width)) {
        const [first] = own;
        for (const { slug, box } of own)
          assert.equal(box, first?.box, `${slug} in ${language} at ${width} px`);
      }
    }
  });
}

/** Returns an event in which `played` of `rounds` rounds are over, with decimals and a penalty. */
function longEvent(rounds: number, played: number): TournamentRecord {
  const slug = `long-${rounds}-${played}`;
  const whole = hallEvent(slug, 16, 0);
  const first = whole.battles?.filter(({ round }) => round === 1) ?? [];
  const battles = Array.from({ length: played }, (_, index) =>
    first.map((battle) => ({
      ...battle,
      id: `${slug}-${index + 1}-${battle.table}`,
      round: index + 1,
      sides: battle.sides.map((side, i) => ({
        ...side,
        battlePoints: i === 0 ? 12.75 : 7.25,
        victoryPoints: i === 0 ? 40.5 : 33.25,
      })) as typeof battle.sides,
    })),
  );
  return {
    ...whole,
    slug,
    stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds }],
    adjustments: [{ stage: 'swiss', participant: 'e1', battlePoints: -2.5, reason: 'Late list' }],
    battles: battles.flat(),
  };
}

test('with many rounds, a narrow board keeps room for the names', { skip }, async () => {
  assert.ok(browser !== undefined);
  const events: [rounds: number, played: number, dots: number][] = [
    [5, 2, 5],
    [8, 2, 2],
    [8, 8, 5],
    [10, 9, 5],
    [12, 12, 5],
  ];
  await publishFeed(database.pool, [
    ...hallPlayers(16),
    ...events.map(([rounds, played]) => longEvent(rounds, played)),
  ]);
  for (const [rounds, played, dots] of events) {
    for (const width of [320, 360, 390]) {
      await open(`/tournaments/long-${rounds}-${played}`, width);
      const names = await boxes('.board .who > div > span');
      const narrowest = Math.min(...names.map(({ left, right }) => right - left));
      assert.ok(narrowest >= 7 * 16, `${narrowest} px for the name, ${rounds} rounds at ${width} px`);
      const ends = (await boxes('.board td')).map(({ right }) => right);
      assert.ok(Math.max(...ends) <= width);
      const shown = (await boxes('.board tbody tr:first-child .run i')).filter(
        ({ left, right }) => right > left,
      );
      assert.equal(shown.length, dots, `dots of ${played} of ${rounds} rounds`);
      // The podium shows every result, so the board says that it leaves some out.
      const ellipses = `[...document.querySelectorAll('.board tbody tr:first-child .run i')].filter((each) => getComputedStyle(each, '::before').content.includes('…')).length`;
      assert.equal(await browser.evaluate(ellipses), played > dots ? 1 : 0);
    }
  }
});

/** Returns the boxes of the text in what a selector finds, without the space around it. */
async function textBoxes(selector: string): Promise<Box[]> {
  const script = `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  }))`;
  return JSON.parse(String(await browser?.evaluate(script))) as Box[];
}

const middle = ({ top, bottom }: Box) => (top + bottom) / 2;

test('what stands beside the heading of a board ends where the board ends', { skip }, async () => {
  await publishFeed(database.pool, [...hallPlayers(8), hallEvent('edges', 8, 0)]);
  for (const width of [320, 390, 1_280]) {
    await open('/tournaments/edges', width);
    const [[text], [board]] = [await textBoxes('.standings .h2row .sub'), await boxes('.board')];
    assert.ok(text && board && Math.abs(text.right - board.right) < 1, `${text?.right} at ${width} px`);
  }
});

test('on a wide board, the crest, name, faction and points of a row are in one line', { skip }, async () => {
  await publishFeed(database.pool, [...hallPlayers(8), hallEvent('edges', 8, 0)]);
  await open('/tournaments/edges', 1_280);
  const row = '.board tbody tr:first-child';
  const [crest] = await boxes(`${row} .crest`);
  assert.ok(crest);
  for (const part of ['.name', '.who .sub a', '.pts', '.pl b']) {
    const [text] = await textBoxes(`${row} ${part}`);
    assert.ok(text && Math.abs(middle(text) - middle(crest)) <= 2, `${part}: ${text && middle(text)}`);
  }
});

test('names need no column for crests where nobody has a faction', { skip }, async () => {
  const event = hallEvent('plain', 8, 2);
  const participants = (event.participants ?? []).map(({ id, player }) => ({ id, player: player ?? '' }));
  await publishFeed(database.pool, [...hallPlayers(8), { ...event, participants }]);
  await open('/tournaments/plain', 390);
  for (const [list, name] of [
    ['.board .who > div', '.board .who > div > span'],
    ['.now .card .side', '.now .card .side > bdi'],
  ] as const) {
    const [[start], [text]] = [await boxes(list), await textBoxes(name)];
    assert.ok(start && text && text.left - start.left <= 13, `${start?.left} and ${text?.left} of ${list}`);
  }
  await open('/tournaments/plain/screen', 1_280, 720);
  const [[start], [text]] = [await boxes('.page.on .side'), await textBoxes('.page.on .side > bdi')];
  assert.ok(start && text && text.left - start.left <= 13, `${start?.left} and ${text?.left}`);
});

test('the bar of an unbeaten player begins at the first game', { skip }, async () => {
  assert.ok(browser !== undefined);
  const event = hallEvent('late', 8, 4);
  const battles = (event.battles ?? []).filter(({ id }) => id !== 'late-1-1');
  await publishFeed(database.pool, [...hallPlayers(8), { ...event, battles }]);
  await open('/tournaments/late', 390);
  const bars = `JSON.stringify([...document.querySelectorAll('.board tbody tr')].filter((each) => each.textContent.includes('Ana')).map((row) => [...row.querySelectorAll('.run i')].map((each) => each.className + (getComputedStyle(each, '::before').content === 'none' ? '' : '-'))))`;
  assert.deepEqual(JSON.parse(String(await browser.evaluate(bars))), [['t', 'w', 'w-', 't', 't']]);
});

test(
  'the final below the podium is as wide as the podium, with both sides in one line',
  { skip },
  async () => {
    const over = moments['the final is over before the placement Swiss is'];
    assert.ok(over);
    await publishFeed(database.pool, [...players, { ...over, slug: 'over-cup', status: 'finished' }]);
    await open('/tournaments/over-cup', 1_280);
    const [[podium], [card], [tabs]] = [
      await boxes('.podium'),
      await boxes('.final .card'),
      await boxes('.tabs'),
    ];
    assert.ok(podium && card && tabs);
    assert.deepEqual([card.left, card.right], [podium.left, podium.right]);
    assert.ok(tabs.top >= card.bottom + 8, 'the tabs do not touch the card');
    const [first, second] = await boxes('.final .side');
    assert.ok(first && second && middle(first) === middle(second) && first.right < second.left);
  },
);
